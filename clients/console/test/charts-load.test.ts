// What the charts ask a real server for, and that the pieces of a long range are put together exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import { createRoundsClient } from '../../typescript/src/client.ts'
import { type Detail, loadSeries } from '../src/screens/charts/load-series.ts'
import type { Series } from '../src/screens/charts/series.ts'
import { loadStatistics } from '../src/statistics/load-statistics.ts'
import './words.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ZONE = 'Europe/Berlin'
const START = Date.parse('2026-03-20T23:00:00Z') // midnight in Berlin; clocks change on 29 March
const WIDE: Detail = { room: 400, kind: 'line' }
const { signal } = new AbortController()

const server = await startRounds()
const patientUid = 'p'
const token = await server.token({ patientUid })

/** A client that counts what it asks for. */
function client() {
  const asked: string[] = []
  const rounds = createRoundsClient({
    url: server.url,
    token,
    fetch(url, init) {
      asked.push(new URL(url).pathname.split('/').at(-1) ?? '')
      return fetch(url, init)
    },
  })
  return { rounds, asked }
}

/** One each so many seconds from START on. */
function seed(readingType: string, count: number, details: string, everyS = 60) {
  return runSql(
    server.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp($2::bigint + $5::bigint * n), gen_random_uuid(), $3, $2::bigint + $5::bigint * n, ${details}, 'test'
     from generate_series(0, $4::integer - 1) n`,
    [patientUid, START / 1_000, readingType, count, everyS],
  )
}

const request = (readingType: string, view: { fromMs: number; toMs: number }, known?: Series) => ({
  patientUid,
  readingType,
  zone: ZONE,
  view,
  detail: WIDE,
  known,
})

test('a range with more readings than one request may summarise is put together from pieces, exactly', async () => {
  // More than a year of a sensor, which one request summarises.
  const count = 120_000
  await seed(
    'bloodPressure',
    count,
    `json_build_object('systolic', 110 + n % 37, 'diastolic', 60 + n % 23, 'pulse', 50 + n % 41)`,
    30,
  )
  const { rounds, asked } = client()
  const range = { fromMs: START - DAY, toMs: START + 43 * DAY }
  const { buckets, units } = await loadStatistics(
    rounds,
    { patientUid, readingType: 'bloodPressure', range, bucket: 'day', zone: ZONE },
    signal,
  )
  assert.ok(asked.length > 1, 'one request was enough, so nothing was put together')
  assert.deepEqual(units, { systolic: 'mm[Hg]', diastolic: 'mm[Hg]', pulse: '/min' })
  const expected = await runSql<{ start: string; count: number; mean: number; min: number; max: number }>(
    server.ownerUrl,
    `select extract(epoch from date_trunc('day', measured_at, $2))::bigint::text as start, count(*)::integer as count,
       avg((details ->> 'systolic')::numeric)::float8 as mean, min((details ->> 'systolic')::numeric)::float8 as min,
       max((details ->> 'systolic')::numeric)::float8 as max
     from casesheet.readings where patient_uid = $1 and reading_type = 'bloodPressure' group by 1 order by 1::bigint`,
    [patientUid, ZONE],
  )
  const full = buckets.filter((bucket) => bucket.count > 0)
  assert.deepEqual(
    full.map(({ startMs, count: found, fields }) => [
      startMs,
      found,
      fields['systolic']?.min,
      fields['systolic']?.max,
    ]),
    expected.map(({ start, count: found, min, max }) => [Number(start) * 1_000, found, min, max]),
  )
  for (const [index, { fields }] of full.entries()) {
    assert.ok(Math.abs((fields['systolic']?.mean ?? 0) - (expected[index]?.mean ?? 0)) < 1e-9)
  }
  assert.equal(
    full.reduce((sum, bucket) => sum + bucket.count, 0),
    count,
  )
  // The day on which clocks are put forward has 23 hours.
  assert.ok(full.some((bucket) => bucket.count === 23 * 120))
  // Buckets follow each other without a hole.
  for (const [index, { endMs }] of buckets.slice(0, -1).entries())
    assert.equal(buckets[index + 1]?.startMs, endMs)
})

test('few readings come as they are, many as statistics, and what is known saves a request', async () => {
  await seed('heartRate', 30_000, `json_build_object('value', 60 + n % 40)`)
  const { rounds, asked } = client()
  const month = { fromMs: START - 5 * DAY, toMs: START + 25 * DAY }
  const many = await loadSeries(rounds, request('heartRate', month), signal)
  assert.equal(many.kind, 'statistics')
  assert.deepEqual(asked.splice(0), ['statistics'])

  // Half a day has 720: known to be few, so readings are asked for at once.
  const halfDay = { fromMs: START + 5 * DAY, toMs: START + 5.5 * DAY }
  const few = await loadSeries(rounds, request('heartRate', halfDay, many), signal)
  assert.equal(few.kind, 'readings')
  assert.deepEqual(asked.splice(0), ['get', 'get'])
  const inView =
    few.kind === 'readings'
      ? few.readings.filter(({ atMs }) => atMs >= halfDay.fromMs && atMs < halfDay.toMs)
      : []
  assert.equal(inView.length, 720)

  // Where nothing is known, statistics say how many there are.
  const unknown = await loadSeries(rounds, request('heartRate', halfDay), signal)
  assert.equal(unknown.kind, 'readings')
  assert.deepEqual(asked.splice(0), ['statistics', 'get', 'get'])

  const nothing = await loadSeries(rounds, request('bodyWeight', month), signal)
  assert.deepEqual(nothing.kind === 'readings' && nothing.readings, [])
})

test('readings too large to be loaded one by one come as statistics, in a bounded number of requests', async () => {
  await seed('acme.large', 300, `json_build_object('value', n, 'text', repeat(md5(n::text), 1800))`)
  const { rounds, asked } = client()
  const view = { fromMs: START, toMs: START + DAY }
  const series = await loadSeries(rounds, request('acme.large', view), signal)
  assert.equal(series.kind, 'statistics')
  assert.ok(asked.length <= 90, asked.join())
  const total = series.kind === 'statistics' ? series.buckets.reduce((sum, { count }) => sum + count, 0) : 0
  assert.equal(total, 300)
})

test('an aborted load asks for no more', async () => {
  const { rounds, asked } = client()
  const leaving = new AbortController()
  const loading = loadSeries(
    rounds,
    request('heartRate', { fromMs: START, toMs: START + DAY / 2 }),
    leaving.signal,
  )
  leaving.abort()
  await assert.rejects(loading)
  const before = asked.length
  assert.ok(before <= 1)
})
