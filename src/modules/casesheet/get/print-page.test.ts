// A page as bytes is what its readings are as texts, whatever they hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { printLines, printList } from './print-page.ts'
import {
  FIELD_END,
  inOneLine,
  lastReadingIn,
  printReading,
  READING_END,
  readingsIn,
} from './print-readings.ts'

const instant = fc
  .tuple(
    fc.constantFrom('1970-01-01 00:00:00', '2026-11-18 23:59:59', '9999-12-31 23:59:59'),
    fc.constantFrom('', '.1', '.12', '.123', '.1234', '.12345', '.123456', '.000001'),
  )
  .map(([seconds, fraction]) => `${seconds}${fraction}+00`)
const details = fc.oneof(
  fc.constant('{}'),
  fc.constant('{"value":72}'),
  fc.constant('{"a":1,\r\n\t"b":"’😀 \\u001e"}'),
  fc.record({ note: fc.string({ unit: 'grapheme', maxLength: 40 }) }).map((note) => JSON.stringify(note)),
)
const reading = fc
  .tuple(
    fc.constantFrom('symptom', 'a', 'acme.long-type_name.0'),
    fc.constantFrom('0', '1762000000000', '1762000000.123', '1e+20'),
    fc.uuid(),
    instant,
    instant,
    fc.option(instant, { nil: undefined }),
    details,
  )
  .map((fields) => fields.filter((field) => field !== undefined).join(FIELD_END))
const patientUids = fc.oneof(
  fc.constantFrom('patient-1', 'ह"\\\u2028'),
  fc.string({ unit: 'binary', maxLength: 128 }),
)

test('a page as bytes is what its readings are as texts', () => {
  const pages = fc.tuple(fc.array(reading, { maxLength: 6 }), fc.boolean(), patientUids)
  const property = fc.property(pages, ([readings, isCut, patientUid]) => {
    const text = readings.join(READING_END)
    const count = isCut ? Math.max(0, readings.length - 1) : readings.length
    const patient = JSON.stringify(patientUid)
    const texts = readingsIn(text, count).map((one) => printReading(one, patient))
    const around = { before: '\ufeff[', after: ']’' }
    const list = printList({ text, count }, patientUid, around).toString()
    assert.equal(list, `\ufeff[${texts.join()}]’`)
    const lines = printLines({ text, count }, patientUid, around).toString()
    assert.equal(lines, `\ufeff[${texts.map((one) => `${inOneLine(one)}\n`).join('')}]’`)
    if (count > 0) assert.deepEqual(lastReadingIn(text, count), readingsIn(text, count).at(-1))
  })
  fc.assert(property, { numRuns: 500, seed: 20261118 })
})

test('an instant that is not in UTC is a fault, and is not printed', () => {
  const utc = '2026-01-01 00:00:00+00'
  for (const wrong of ['2026-01-01 00:00:00+01', '2026-01-01 00:00:00.5+05:30', '2026-01-01']) {
    for (const instants of [
      [utc, wrong],
      [wrong, utc],
    ]) {
      const text = ['a', '1', crypto.randomUUID(), ...instants, '{}'].join(FIELD_END)
      assert.throws(() => printList({ text, count: 1 }, 'p', { before: '', after: '' }), /instant in UTC/)
    }
  }
})
