// A table of the catalogue for people stands in the documents; it is made of the catalogue, so that it cannot drift.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  CATALOGUE,
  type CatalogueType,
  type Limits,
  type Quantity,
} from '../src/modules/casesheet/catalogue/catalogue.ts'

const docs = join(import.meta.dirname, '../docs')
const lines = readdirSync(docs)
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => readFileSync(join(docs, file), 'utf8').split('\n'))
  .map((line) => line.replaceAll(/ +/g, ' '))

/** The limits of each number; by name, where there are several. Those of optional ones follow from the others. */
function limitsText({ quantities }: CatalogueType, limitsOf: (quantity: Quantity) => Limits | undefined) {
  const required = Object.entries(quantities).filter(([, { isOptional }]) => !isOptional)
  const texts = required.flatMap(([field, quantity]) => {
    const limits = limitsOf(quantity)
    if (!limits) return []
    const text = limits.map((limit) => limit.toLocaleString('en')).join('–')
    return [required.length > 1 ? `${field} ${text}` : text]
  })
  return texts.join(', ') || '–'
}

function rowOf(name: string, type: CatalogueType): string {
  const { units, loinc, quantities, notes = {} } = type
  const numbers = Object.entries(quantities).map(([field, { isOptional }]) =>
    isOptional ? `${field}?` : field,
  )
  const cells = [
    name,
    [...numbers, ...Object.keys(notes).map((field) => `${field}?`)].join(', '),
    units.map((unit) => `\`${unit}\``).join(', '),
    loinc.join(', ') || '–',
    limitsText(type, ({ possible }) => possible),
    limitsText(type, ({ usual }) => usual),
  ]
  return `| ${cells.join(' | ')} |`
}

const wanted = Object.entries(CATALOGUE).map(([name, type]) => rowOf(name, type))

test('the documents have a row for each type of the catalogue, and for no other', () => {
  const start = lines.findIndex((line) => line.startsWith('| readingType | fields '))
  assert.notEqual(start, -1, 'no table of the catalogue')
  const table = lines.slice(start + 3, start + 3 + wanted.length + 1)
  assert.deepEqual(table, [...wanted, ''], `the table should be:\n${wanted.join('\n')}`)
})
