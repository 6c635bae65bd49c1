// Statistics of random readings around changes of clocks, against those worked out by hand along the local clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../../test/support/harness.ts'
import { type Bucket, summarise, walkBuckets } from '../../../../test/support/local-calendar.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { askStatistics } from '../../../../test/support/statistics.ts'

const rounds = await startRounds()
const HOUR = 3_600_000

/** When clocks are put forward or back there, in UTC. */
const CHANGES: Record<string, string[]> = {
  UTC: ['2025-01-01T00:00Z'],
  'Europe/Berlin': ['2025-03-30T01:00Z', '2025-10-26T01:00Z'],
  'America/New_York': ['2025-03-09T07:00Z', '2025-11-02T06:00Z'],
  'Australia/Lord_Howe': ['2025-04-05T15:00Z', '2025-10-04T15:30Z'],
  'America/Santiago': ['2025-04-06T03:00Z', '2025-09-07T04:00Z'],
  'Asia/Beirut': ['2025-03-29T22:00Z', '2025-10-25T21:00Z'],
  'America/Havana': ['2025-03-09T05:00Z', '2025-11-02T05:00Z'],
  'Pacific/Chatham': ['2025-04-05T14:00Z', '2025-09-27T14:00Z'],
  'Asia/Pyongyang': ['2015-08-14T15:00Z', '2018-05-04T15:00Z'],
  'Pacific/Apia': ['2011-12-30T10:00Z', '2011-09-24T14:00Z'],
  'Antarctica/Troll': ['2025-03-30T01:00Z', '2025-10-26T01:00Z'],
  'Africa/Casablanca': ['2025-02-23T02:00Z', '2025-04-06T02:00Z'],
}
const LENGTH: Record<Bucket, number> = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR, month: 720 * HOUR }

const request = fc
  .record({
    change: fc.constantFrom(
      ...Object.entries(CHANGES).flatMap(([zone, times]) => times.map((at) => ({ zone, at }))),
    ),
    bucket: fc.constantFrom<Bucket>('hour', 'day', 'week', 'month'),
    before: fc.double({ min: 0, max: 4, noNaN: true }),
    after: fc.double({ min: 0, max: 4, noNaN: true }),
    readings: fc.array(
      fc.record({
        // Where in the range, or beside it; many on a start or beside one.
        place: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
        snap: fc.constantFrom('no', 'start', 'before start', 'from', 'to'),
        value: fc.oneof(fc.double({ min: 30, max: 45, noNaN: true }), fc.integer({ min: 35, max: 38 })),
        unit: fc.constantFrom(undefined, 'Cel', '[degF]'),
      }),
      { maxLength: 60 },
    ),
    isInCatalogue: fc.boolean(),
  })
  .map(({ change: { zone, at }, bucket, before, after, ...rest }) => ({
    ...rest,
    timeZone: zone,
    bucket,
    from: Math.round(Date.parse(at) - before * LENGTH[bucket]),
    to: Math.round(Date.parse(at) + after * LENGTH[bucket]),
  }))

test('whatever the zone, the bucket and the readings, statistics are those worked out by hand', async () => {
  const property = fc.asyncProperty(
    request,
    async ({ timeZone, bucket, from, to, readings, isInCatalogue }) => {
      const bounds = walkBuckets(timeZone, bucket, from, to)
      const { add, get, patientUid, token: own } = await newPatient(rounds)
      const readingType = isInCatalogue ? 'bodyTemperature' : 'acme.any'
      const unitOf = (unit: string | undefined) =>
        isInCatalogue ? { unit: unit ?? 'Cel' } : unit ? { unit } : {}
      const sent = readings.map(({ place, snap, value, unit }, sequence) => {
        const at = Math.round(from + place * (to - from))
        const nearest = bounds.findLast(({ startMs }) => startMs <= at)?.startMs ?? from
        const timestamp = { no: at, start: nearest, 'before start': nearest - 1, from, to }[snap]
        const inUnit = unit === '[degF]' ? value * 1.8 + 32 : value
        return { patientUid, readingType, timestamp, value: inUnit, sequence, ...unitOf(unit) }
      })
      if (sent.length > 0) assert.equal((await add(sent)).status, 200)
      const { json, text } = await askStatistics(
        rounds,
        { readingType, bucket, timeZone, from, to },
        { token: own },
      )
      assert.equal(json.code, 'Ok', text)

      const stored = (await get({ from, to })).json.data
      const expected = bounds.map(({ startMs, endMs }) => {
        const within = stored.filter(
          ({ timestamp }) => Number(timestamp) >= startMs && Number(timestamp) < endMs,
        )
        const measured = within.map(({ timestamp, value, unit }) => ({
          second: Math.floor(Number(timestamp) / 1_000),
          value: isInCatalogue && unit === '[degF]' ? (Number(value) - 32) / 1.8 : Number(value),
        }))
        const values = measured
          .filter((one, nth) => !measured.slice(0, nth).some((other) => isSame(one, other)))
          .map(({ value }) => value)
        return {
          start: instant(startMs),
          end: instant(endMs),
          // Of another type the number of its place in the list is a field too, which tells readings apart.
          count: isInCatalogue ? values.length : within.length,
          value: summaryOf(values),
        }
      })
      const actual = json.data.map(({ start, end, count, fields }) => ({
        start,
        end,
        count,
        value: rounded(fields['value']),
      }))
      assert.deepEqual(actual, expected)
      if (!isInCatalogue)
        assert.equal(
          json.data.reduce((sum, { count }) => sum + count, 0),
          stored.length,
        )
    },
  )
  await fc.assert(property, { numRuns: 150, seed: 20261115 })
})

type InSecond = { second: number; value: number }
/** One measurement, sent twice: equal but for the last digits, which the conversion changes. */
const isSame = (a: InSecond, b: InSecond) =>
  a.second === b.second && Math.abs(a.value - b.value) < 1e-7 * Math.abs(a.value)

const instant = (ms: number) => new Date(ms).toISOString()
const summaryOf = (values: number[]) => (values.length > 0 ? rounded(summarise(values)) : undefined)

/** To ten digits: sums differ in the last ones by the order in which they were made. */
function rounded(summary: object | undefined) {
  if (!summary) return undefined
  return Object.fromEntries(
    Object.entries(summary).map(([name, value]) => [name, Number(Number(value).toPrecision(10))]),
  )
}
