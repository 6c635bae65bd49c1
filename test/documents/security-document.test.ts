// Documents and the list of risks name the tests that keep what they promise; they are there.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ATTACKS, OWASP_RISKS } from '../../scripts/risks.ts'

const root = join(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true }).map(String),
]
  .filter((file) => file.endsWith('.md'))
  .map((file) => (existsSync(join(root, file)) ? file : join('docs', file)))

/** Each test file that a document names, with the parts of names of tests that follow it in “…”. */
const namedInDocuments = documents.flatMap((document) => {
  // Without line ends, because names of tests are wrapped.
  const prose = readFileSync(join(root, document), 'utf8').replace(/\s+/g, ' ')
  return [...prose.matchAll(/`([\w./-]+\.(?:test|lab)\.ts)`((?:[, ]*“[^”]+”)*)/g)].map(
    ([, file = '', names = '']) => ({
      document,
      file,
      names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
    }),
  )
})

const namedInRisks = [...OWASP_RISKS, ...ATTACKS].flatMap(({ risk, tests }) =>
  Object.entries(tests).map(([file, names]) => ({ document: risk, file, names })),
)

test('every test that a document or a risk names is there', () => {
  const named = [...namedInDocuments, ...namedInRisks]
  assert.ok(namedInDocuments.length > 30 && namedInRisks.length > 100)
  for (const { document, file, names } of named) {
    assert.ok(existsSync(join(root, file)), `${document}: ${file}`)
    const source = readFileSync(join(root, file), 'utf8')
    for (const name of names) assert.ok(source.includes(name), `${document}: ${file}: ${name}`)
  }
})

test('every risk of the OWASP API Security Top 10 of 2023 has tests that cover it', () => {
  assert.deepEqual(
    OWASP_RISKS.map(({ risk }) => Number(/^API(\d+)/.exec(risk)?.[1])),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  for (const { risk, tests } of OWASP_RISKS) assert.ok(Object.values(tests).flat().length > 0, risk)
})
