// Dates of FHIR, worked out by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateConditionFrom, datesHold } from './date-search.ts'
import { dateOf, epochTimeFrom } from './effective-time.ts'
import { dateFrom } from './fhir-date.ts'

/** A text, and the first and last microsecond that it stands for. */
const SPANS: [text: string, first: string, last: string][] = [
  ['2025', '2025-01-01T00:00:00.000000Z', '2025-12-31T23:59:59.999999Z'],
  ['2024-02', '2024-02-01T00:00:00.000000Z', '2024-02-29T23:59:59.999999Z'],
  ['2025-02', '2025-02-01T00:00:00.000000Z', '2025-02-28T23:59:59.999999Z'],
  ['2025-12', '2025-12-01T00:00:00.000000Z', '2025-12-31T23:59:59.999999Z'],
  ['2025-11-01', '2025-11-01T00:00:00.000000Z', '2025-11-01T23:59:59.999999Z'],
  ['2025-11-01T12:26', '2025-11-01T12:26:00.000000Z', '2025-11-01T12:26:59.999999Z'],
  ['2025-11-01T12:26Z', '2025-11-01T12:26:00.000000Z', '2025-11-01T12:26:59.999999Z'],
  ['2025-11-01T12:26:40', '2025-11-01T12:26:40.000000Z', '2025-11-01T12:26:40.999999Z'],
  ['2025-11-01T12:26:40Z', '2025-11-01T12:26:40.000000Z', '2025-11-01T12:26:40.999999Z'],
  ['2025-11-01T12:26:40.5Z', '2025-11-01T12:26:40.500000Z', '2025-11-01T12:26:40.599999Z'],
  ['2025-11-01T12:26:40.500Z', '2025-11-01T12:26:40.500000Z', '2025-11-01T12:26:40.500999Z'],
  ['2025-11-01T12:26:40.500250Z', '2025-11-01T12:26:40.500250Z', '2025-11-01T12:26:40.500250Z'],
  ['2025-11-01T01:00:00+05:30', '2025-10-31T19:30:00.000000Z', '2025-10-31T19:30:00.999999Z'],
  ['2025-12-31T23:00:00-02:00', '2026-01-01T01:00:00.000000Z', '2026-01-01T01:00:00.999999Z'],
  ['2025-11-01T00:00:00+14:00', '2025-10-31T10:00:00.000000Z', '2025-10-31T10:00:00.999999Z'],
  ['1969-12-31', '1969-12-31T00:00:00.000000Z', '1969-12-31T23:59:59.999999Z'],
  ['0001', '0001-01-01T00:00:00.000000Z', '0001-12-31T23:59:59.999999Z'],
  ['9999', '9999-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
]

function microseconds(instant: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.*)\.(\d{6})Z$/.exec(instant) ?? []
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction)
}

for (const [text, first, last] of SPANS) {
  test(`${text} is from ${first} to ${last}`, () => {
    const span = dateFrom(text)
    assert.deepEqual([span?.from, span && span.until - 1n], [microseconds(first), microseconds(last)])
  })
}

const NO_DATES = [
  '',
  '25',
  '2025-',
  '2025-1',
  '2025-13',
  '2025-00',
  '2025-02-29',
  '2025-04-31',
  '2025-11-01T',
  '2025-11-01T12',
  '2025-11-01T24:00',
  '2025-11-01T12:60',
  '2025-11-01T12:26:60Z',
  '2025-11-01T12:26:40.Z',
  '2025-11-01T12:26:40.1234567Z',
  '2025-11-01T12:26:40+5:30',
  '2025-11-01T12:26:40+0530',
  '2025-11-01T12:26:40+14:01',
  '2025-11-01T12:26:40+05:60',
  '2025-11-01 12:26:40Z',
  '2025-11-01t12:26:40z',
  '0000',
  '+2025',
  '２０２５',
  '2025-11-01\n',
]
test('what is no date is refused', () => {
  for (const text of NO_DATES) assert.equal(dateFrom(text), undefined, text)
})

/** The number that was sent, and how its time is written. */
const TIMES: [epochTime: number, text: string, isPlain: boolean][] = [
  [1_762_000_000, '2025-11-01T12:26:40Z', true],
  [1_762_000_000_000, '2025-11-01T12:26:40.000Z', true],
  [1_762_000_000_250, '2025-11-01T12:26:40.250Z', true],
  [1_762_000_000_250.125, '2025-11-01T12:26:40.250125Z', true],
  [1_762_000_000.5, '2025-11-01T12:26:40.500Z', false],
  [0, '1970-01-01T00:00:00Z', true],
  [86_400.123, '1970-01-02T00:00:00.123Z', true],
  [99_999_999_999, '5138-11-16T09:46:39Z', true],
  [100_000_000_000, '1973-03-03T09:46:40.000Z', true],
  [253_402_300_799_999, '9999-12-31T23:59:59.999Z', true],
  // Finer than a microsecond: the time is rounded, and the number kept.
  [1_762_000_000_000.000_244_140_625, '2025-11-01T12:26:40.000Z', false],
]
for (const [epochTime, text, isPlain] of TIMES) {
  test(`${epochTime} is ${text}${isPlain ? '' : ', with the number beside it'}`, () => {
    const written = dateOf(epochTime)
    assert.equal(written.text, text)
    assert.deepEqual(
      written.extension,
      isPlain ? undefined : [{ url: 'urn:rounds:sent-timestamp', valueDecimal: epochTime }],
    )
    if (isPlain) assert.equal(epochTimeFrom(text), epochTime)
  })
}

test('a time at an offset is the same instant', () => {
  assert.equal(dateOf(1_762_000_000, '+05:30').text, '2025-11-01T17:56:40+05:30')
  assert.equal(dateOf(1_762_000_000, '-12:45').text, '2025-10-31T23:41:40-12:45')
  assert.equal(epochTimeFrom('2025-11-01T17:56:40+05:30'), 1_762_000_000)
})

test('a time without an offset, or not to the second, is no time of a reading; nor is one before 1970', () => {
  for (const text of ['2025-11-01', '2025-11-01T12:26Z', '2025-11-01T12:26:40', '1969-12-31T23:59:59Z']) {
    assert.equal(epochTimeFrom(text), undefined, text)
  }
})

test('ap reaches a tenth of the time from now beyond a date, on both sides', () => {
  // From 2025-03-01 to 2025-06-09 it is 100 days: ten days before the first of March, and ten behind its end.
  const condition = dateConditionFrom('ap2025-03-01', Date.parse('2025-06-09T00:00:00Z'))
  assert.ok(condition)
  const holds = (instant: string) => {
    const time = BigInt(Date.parse(instant)) * 1_000n
    return datesHold([[condition]], { start: time, end: time })
  }
  assert.deepEqual(
    [
      '2025-02-18T23:59:59.999Z',
      '2025-02-19T00:00:00Z',
      '2025-03-11T23:59:59.999Z',
      '2025-03-12T00:00:00Z',
    ].map(holds),
    [false, true, true, false],
  )
})
