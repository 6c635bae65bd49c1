import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayAfter, parseRetryAfter } from './schedule.ts'

const NOW = Date.parse('2026-11-17T12:00:00Z')
const DAY_MS = 86_400_000

test('attempts are repeated after 1 s, 5 s, 30 s, 2 min, then every 10 min without end', () => {
  const exact = (failures: number) => delayAfter(failures, { random: () => 0.5 })
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 1_000, 1_000_000].map(exact),
    [1_000, 5_000, 30_000, 120_000, 600_000, 600_000, 600_000, 600_000],
  )
})

test('jitter is ten percent either way', () => {
  for (const [random, delays] of [
    [0, [900, 540_000]],
    [1, [1_100, 660_000]],
  ] as const) {
    assert.deepEqual(
      [1, 9].map((failures) => delayAfter(failures, { random: () => random })),
      delays,
    )
  }
  const chosen = new Set(Array.from({ length: 100 }, () => delayAfter(5)))
  assert.ok(chosen.size > 50)
})

test('Retry-After makes the delay longer, up to a day, and never shorter', () => {
  const after = (retryAfterMs: number | undefined) => delayAfter(2, { retryAfterMs, random: () => 0.5 })
  assert.deepEqual([undefined, 0, 4_999, 5_001, DAY_MS, DAY_MS + 1, Number.POSITIVE_INFINITY].map(after), [
    5_000,
    5_000,
    5_000,
    5_001,
    DAY_MS,
    DAY_MS,
    DAY_MS,
  ])
})

test('Retry-After is read in seconds and as a date; anything else counts as absent', () => {
  const cases: [string | undefined, number | undefined][] = [
    [undefined, undefined],
    ['0', 0],
    ['120', 120_000],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Tue, 17 Nov 2026 12:01:30 GMT', 90_000],
    ['Tuesday, 17-Nov-26 12:00:05 GMT', 5_000],
    ['Tue, 17 Nov 2026 11:00:00 GMT', 0],
    ['Tue, 17 Nov 2026 12:01:30', undefined],
    ['2026-11-17', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['soon GMT', undefined],
    ['', undefined],
  ]
  for (const [header, expected] of cases) assert.equal(parseRetryAfter(header, NOW), expected, header)
})
