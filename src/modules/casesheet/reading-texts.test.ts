// The texts of a reading, against the plain way to make each: whatever a reading holds, its id, its details and the array
// element that PostgreSQL reads are those of JSON.stringify.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { textArray } from '../../db/array.ts'
import { readingIdOf, textsOf } from './reading-id.ts'

/** Another way to RFC 8785: objects are made anew with their keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => [`.${key}`, sorted(field)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A key of digits would not keep its place, so each had a point before it; texts of this test begin with none. */
const canonical = (value: unknown) =>
  JSON.stringify(sorted(value)).replace(/"\.((?:\\.|[^"\\])*)":/g, '"$1":')

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary-ascii' }),
    fc.constantFrom(
      'x'.repeat(2_000),
      '"\\\n'.repeat(400),
      '😀'.repeat(800),
      'é'.repeat(1_500),
      '\u2028\u007f',
    ),
  )
  .map((value) => value.toWellFormed().replace(/^[.]+|"\./g, ''))
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(text, tie('value'), { maxKeys: 4 }) },
  ),
}))
const readings = fc
  .tuple(fc.dictionary(text, value, { maxKeys: 8 }), fc.boolean())
  .map(([fields, isFirst]) => {
    const common = { patientUid: 'p "1"', readingType: 'acme.x', timestamp: 1_762_000_000_000 }
    return isFirst ? { ...common, ...fields } : { ...fields, ...common }
  })
  .filter((reading) => typeof reading.patientUid === 'string' && !Object.hasOwn(reading, '__proto__'))

test('the id, the details and the array element of a reading are those of the plain way', () => {
  const property = fc.property(readings, (reading) => {
    const { readingId, details, element } = textsOf(reading)
    const { patientUid, readingType, timestamp, ...fields } = reading
    assert.ok(patientUid && readingType && timestamp)
    assert.equal(details, JSON.stringify(fields))
    assert.equal(`{${element}}`, textArray([details]))
    assert.equal(readingId, readingIdOf(reading))
    const digest = createHash('sha256').update(canonical(reading)).digest('hex')
    assert.equal(readingId.replaceAll('-', '').slice(0, 12), digest.slice(0, 12))
  })
  fc.assert(property, { numRuns: 3_000 })
})
