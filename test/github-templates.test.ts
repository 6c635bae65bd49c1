// What else GitHub and Renovate read: issue forms, owners, and the configuration of updates. GitHub ignores a form that is
// wrong, and Renovate stops, without a word in the repository.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Field = {
  type: string
  id?: string
  attributes?: { label?: string; value?: string; options?: { label?: string }[] }
}
type Form = { name?: string; description?: string; body?: Field[] }

const FORM = new Set(['name', 'description', 'body', 'labels', 'title', 'assignees', 'type', 'projects'])
const FIELD = new Set(['type', 'id', 'attributes', 'validations'])
const RULE = new Set(['description', 'matchPackageNames', 'matchFileNames', 'groupName', 'allowedVersions'])

function mustHaveOnly(keys: Set<string>, value: object, where: string) {
  const unknown = Object.keys(value).filter((key) => !keys.has(key))
  assert.deepEqual(unknown, [], where)
}

test('every issue form has what GitHub requires', () => {
  const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')
  assert.deepEqual(forms.toSorted(), ['bug.yml', 'proposal.yml'])
  for (const file of forms) {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${file}`)) as Form
    mustHaveOnly(FORM, form, file)
    assert.ok(form.name && form.description && form.body?.length, file)
    for (const field of form.body) {
      mustHaveOnly(FIELD, field, file)
      assert.match(field.type, /^(markdown|textarea|input|dropdown|checkboxes)$/)
      const { label, value, options } = field.attributes ?? {}
      if (field.type === 'markdown') assert.ok(value, `${file}: markdown without a value`)
      else assert.ok(label && /^[\w-]+$/.test(field.id ?? ''), `${file}: ${field.id} has no label or id`)
      if (field.type === 'checkboxes')
        assert.ok(
          options?.every((option) => option.label),
          file,
        )
    }
    const fields = form.body.filter(({ id }) => id !== undefined)
    // GitHub refuses a form in which two of either are the same.
    assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length, file)
    assert.equal(new Set(fields.map(({ attributes }) => attributes?.label)).size, fields.length, file)
  }
  assert.deepEqual(parse(read('.github/ISSUE_TEMPLATE/config.yml')), { blank_issues_enabled: false })
})

test('every line of CODEOWNERS names a path and owners', () => {
  const lines = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  assert.ok(lines.length > 0)
  for (const line of lines) assert.match(line, /^\S+(\s+@[\w-]+(\/[\w-]+)?)+$/)
})

test('the pull-request template names commands and documents that are there', () => {
  const template = read('.github/PULL_REQUEST_TEMPLATE.md')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const [, name = ''] of template.matchAll(/npm run ([\w:]+)/g)) assert.ok(scripts[name], name)
  for (const [, path = ''] of template.matchAll(/`([\w/]+\.md)`/g)) assert.ok(read(path).length > 0)
})

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
  for (const rule of rest.packageRules) mustHaveOnly(RULE, rule, 'packageRules')

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
