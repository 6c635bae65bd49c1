// SECURITY.md names the tests that show what it says; they are there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, 'SECURITY.md'), 'utf8')
/** Without line ends, because names of tests are wrapped. */
const prose = document.replace(/\s+/g, ' ')

/** Each test file, with the parts of names of tests that follow it in “…”. */
const named = [...prose.matchAll(/`([\w./-]+\.(?:test|perf)\.ts)`((?:[, ]*“[^”]+”)*)/g)].map(
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
  const sections = document.split(/^(?=##)/m).filter((section) => section.startsWith('### API'))
  assert.deepEqual(
    sections.map((section) => Number(/API(\d+)/.exec(section)?.[1])),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  for (const section of sections) assert.match(section, /^- `[\w./-]+\.(?:test|perf)\.ts` “/m)
})
