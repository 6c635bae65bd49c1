// What Renovate reads: it stops at a wrong configuration, and skips a pattern that finds nothing, without a word in the
// repository.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const RULE = new Set(['description', 'matchPackageNames', 'matchFileNames', 'groupName', 'allowedVersions'])

type Manager = { managerFilePatterns: string[]; matchStrings: string[] } & Record<string, unknown>

test('Renovate’s configuration has known options, and its patterns find the versions that they are for', () => {
  const { customManagers, ...rest } = JSON.parse(read('.github/renovate.json')) as {
    customManagers: Manager[]
    packageRules: Record<string, unknown>[]
  }
  assert.deepEqual(Object.keys(rest), [
    '$schema',
    'description',
    'extends',
    'rangeStrategy',
    'minimumReleaseAge',
    'packageRules',
  ])
  for (const rule of rest.packageRules)
    assert.deepEqual(
      Object.keys(rule).filter((key) => !RULE.has(key)),
      [],
    )

  const tracked = ['scripts', '.github'].flatMap((name) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`),
  )
  for (const manager of customManagers) {
    assert.deepEqual(Object.keys(manager).toSorted(), [
      'customType',
      'datasourceTemplate',
      'depNameTemplate',
      'description',
      'managerFilePatterns',
      'matchStrings',
    ])
    for (const pattern of manager.managerFilePatterns) {
      assert.match(pattern, /^\/.*\/$/, 'Renovate takes it for a glob')
      const found = tracked.filter((path) => new RegExp(pattern.slice(1, -1)).test(path))
      assert.equal(found.length, 1, pattern)
      for (const text of manager.matchStrings) {
        const versions = [...read(found[0] ?? '').matchAll(new RegExp(text, 'g'))]
        assert.match(versions[0]?.groups?.['currentValue'] ?? '', /^\d+\.\d+\.\d+$/, text)
        assert.equal(versions.length, 1, text)
      }
    }
  }
})
