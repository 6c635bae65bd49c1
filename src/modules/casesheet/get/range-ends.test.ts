// Ends of ranges, cursors and stored times are all compared in whole microseconds, whatever fraction was sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientWithReadings, sequencesOf } from '../../../../test/support/patient.ts'

const rounds = await startRounds()

// A double near 1,762,000,000 counts in steps of 2^-22 s, about a quarter of a microsecond: several share a microsecond.
const STEP = 2 ** -22
const IN_SECONDS = Array.from({ length: 14 }, (_, index) => 1_762_000_000 + index * STEP)
// Doubles near 1,762,000,000,000 count in steps of 2^-12 ms. The last ones round up to the next millisecond.
const IN_MILLISECONDS = [0, 0.000_25, 0.000_5, 0.000_75, 0.001, 0.999_5, 0.999_6, 0.999_75, 1].map(
  (fraction) => 1_762_000_000_000 + fraction,
)
const IN_THE_LAST_MICROSECOND = 1_762_000_000_000 + 0.999_75
const LATE = [253_402_300_799_998 + 31 / 32, 253_402_300_799_999]
const TIMES = [...IN_SECONDS, ...IN_MILLISECONDS, 1_762_000_000.001, ...LATE]

/** RFC 3339 with six digits, so that texts compare like instants. */
const comparable = (measuredAt: unknown) => String(measuredAt).replace(/(?<=\.\d{3})Z$/, '000Z')

test('whatever the ends, a range holds the instants between them, and its pages hold the same', async () => {
  const { get } = await patientWithReadings(rounds, TIMES)
  const all = (await get()).json.data
  assert.equal(all.length, TIMES.length)
  const instantAt = new Map(all.map(({ timestamp, measuredAt }) => [timestamp, comparable(measuredAt)]))
  assert.ok(new Set(instantAt.values()).size < TIMES.length, 'some share a microsecond')
  const property = fc.asyncProperty(
    fc.constantFrom(...TIMES),
    fc.constantFrom(...TIMES),
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
    async (from, to, limit, order) => {
      const [begin = '', end = ''] = [instantAt.get(from), instantAt.get(to)]
      const range = { from, to, order }
      const whole = await get(range)
      if (begin > end) return assert.deepEqual([whole.status, whole.json.code], [400, 'InvalidRange'])
      const expected = all.filter(({ measuredAt }) => {
        const instant = comparable(measuredAt)
        return instant >= begin && instant <= end
      })
      if (order === 'desc') expected.reverse()
      assert.deepEqual(sequencesOf(whole.json.data), sequencesOf(expected))
      const seen: unknown[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, text, json } = await get({ ...range, limit, ...(cursor ? { cursor } : {}) })
        assert.equal(status, 200, text)
        seen.push(...sequencesOf(json.data))
        cursor = json.nextCursor
      }
      assert.deepEqual(seen, sequencesOf(expected))
    },
  )
  await fc.assert(property, {
    numRuns: 120,
    seed: 20261115,
    examples: [
      // Equal in microseconds, though the first number is the larger one.
      [1_762_000_000 + 2 * STEP, 1_762_000_000 + STEP, 1, 'asc'],
      [IN_THE_LAST_MICROSECOND, 1_762_000_000_001, 1, 'desc'],
      [IN_THE_LAST_MICROSECOND, 1_762_000_000.001, 1, 'asc'],
    ],
  })
})

test('statistics take a range whose ends are the same microsecond', async () => {
  const { token } = await patientWithReadings(rounds, IN_SECONDS)
  const path = '/casesheet/readings/statistics?readingType=acme.step'
  const same = await rounds.call(`${path}&from=1762000000.0000005&to=1762000000.0000002`, { token })
  assert.equal(same.status, 200, same.text)
  const reversed = await rounds.call(`${path}&from=1762000000.000002&to=1762000000.000001`, { token })
  assert.deepEqual([reversed.status, reversed.json.code], [400, 'InvalidRange'])
})

test('the number of buckets is that of the rounded ends', async () => {
  const { token } = await patientWithReadings(rounds, [])
  const path = '/casesheet/readings/statistics?readingType=acme.step&bucket=hour&from=0'
  const last = 5_000 * 3_600
  const within = await rounds.call(`${path}&to=${last - 0.000_001}`, { token })
  assert.deepEqual([within.status, within.json.data?.length], [200, 5_000])
  // This rounds up to the full hour, where a 5,001st bucket begins.
  const beyond = await rounds.call(`${path}&to=${last - 0.000_000_3}`, { token })
  assert.deepEqual([beyond.status, beyond.json.code], [400, 'ValidationFailed'])
})
