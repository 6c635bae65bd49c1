import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { END_OF_9999, instantOf, microsecondsOf } from './epoch-time.ts'

test('numbers finer than a millisecond are printed to the microsecond, rounded', () => {
  const printed: [number, string][] = [
    [1.5, '1970-01-01T00:00:01.500Z'],
    [0.000_001, '1970-01-01T00:00:00.000001Z'],
    [0.000_000_4, '1970-01-01T00:00:00.000Z'],
    [0.999_999_9, '1970-01-01T00:00:01.000Z'],
    [1_500_000_000.123_456, '2017-07-14T02:40:00.123456Z'],
    [1_762_000_000_500.75, '2025-11-01T12:26:40.500750Z'],
    // The instant is in the key of a reading, so these may never change: halves of a microsecond go up, as doubles see them.
    [0.000_000_5, '1970-01-01T00:00:00.000001Z'],
    [1.000_001_5, '1970-01-01T00:00:01.000001Z'],
    [1_762_000_000 + 0.000_000_5, '2025-11-01T12:26:40.000Z'],
    [1_762_000_000 + 0.000_000_7, '2025-11-01T12:26:40.000001Z'],
    [1_762_000_000.123_456_7, '2025-11-01T12:26:40.123457Z'],
    [1_762_000_000_123 + 0.4567, '2025-11-01T12:26:40.123457Z'],
    [99_999_999_999 + 0.9999, '5138-11-16T09:46:39.999891Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
  ]
  for (const [number, instant] of printed) assert.equal(instantOf(number), instant)
})

test('later numbers never become earlier instants', () => {
  const time = fc.oneof(
    fc.double({ min: 0, max: 99_999_999_999, noNaN: true }),
    fc.double({ min: 1e11, max: END_OF_9999, noNaN: true }),
  )
  const microsecondsIn = (text: string) => BigInt(Date.parse(text)) * 1_000n + BigInt(text.slice(23, -1) || 0)
  const property = fc.property(time, time, (a, b) => {
    fc.pre(a < 1e11 === b < 1e11 && a <= b)
    assert.ok(microsecondsIn(instantOf(a)) <= microsecondsIn(instantOf(b)))
    assert.equal(microsecondsOf(a), microsecondsIn(instantOf(a)))
  })
  fc.assert(property, { numRuns: 5_000 })
})

test('microseconds are those of the printed instant, also where a double could not count them', () => {
  const printed: [number, bigint][] = [
    [0, 0n],
    [0.000_000_4, 0n],
    [0.999_999_9, 1_000_000n],
    [1_762_000_000 + 0.000_000_5, 1_762_000_000_000_000n],
    [1_762_000_000_123 + 0.999_6, 1_762_000_000_124_000n],
    [1_500_000_000.123_456, 1_500_000_000_123_456n],
    [253_402_300_799_998 + 31 / 32, 253_402_300_799_998_969n],
    [END_OF_9999, 253_402_300_799_999_000n],
  ]
  for (const [number, microseconds] of printed) assert.equal(microsecondsOf(number), microseconds)
})
