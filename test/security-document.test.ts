// SECURITY.md names the tests that show what it says; they are there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, 'SECURITY.md'), 'utf8')

/** Each test file, with the parts of names of tests that follow it in “…”. */
const named = [...document.matchAll(/`([\w./-]+\.(?:test|perf)\.ts)`((?:[, ]*“[^”]+”)*)/g)].map(
  ([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
  }),
)

test('every test that SECURITY.md names is there', () => {
  assert.ok(named.length > 40)
  for (const { file, names } of named) {
    assert.ok(existsSync(join(root, file)), file)
    const source = readFileSync(join(root, file), 'utf8')
    for (const name of names) assert.ok(source.includes(name), `${file}: ${name}`)
  }
})

test('every risk of the OWASP API Security Top 10 of 2023 has tests that cover it', () => {
  const rows = document.split('\n').filter((line) => /^\| API\d+ /.test(line))
  assert.deepEqual(
    rows.map((row) => Number(/API(\d+)/.exec(row)?.[1])),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  for (const row of rows) assert.match(row, /`[\w./-]+\.(?:test|perf)\.ts` “/)
})
