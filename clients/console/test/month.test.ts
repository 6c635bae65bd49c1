// The last 30 days of a card, from a real server: what is lowest and highest, when, and how many requests that takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createRoundsClient, type Reading } from '../../typescript/src/client.ts'
import { loadMonth, type MonthRequest } from '../src/screens/today/month.ts'
import './words.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ZONE = 'Europe/Berlin'
const NOW = Date.parse('2026-11-16T12:00:00Z')
const { signal } = new AbortController()

const server = await startRounds()
let patients = 0

/** A patient with these readings, and a client that counts what it asks for. */
async function patientWith(readingType: string, readings: Omit<Reading, 'patientUid' | 'readingType'>[]) {
  const patientUid = `month-${patients++}`
  const asked: string[] = []
  const rounds = createRoundsClient({
    url: server.url,
    token: await server.token({ patientUid }),
    fetch(url, init) {
      asked.push(new URL(url).pathname.split('/').at(-1) ?? '')
      return fetch(url, init)
    },
  })
  const all = readings.map((one) => ({ patientUid, readingType, ...one }) as Reading)
  for (let from = 0; from < all.length; from += 1_000) await rounds.addReadings(all.slice(from, from + 1_000))
  asked.length = 0
  const request: MonthRequest = {
    patientUid,
    readingType,
    fields: ['value'],
    units: ['mmol/L', 'mg/dL'],
    unit: 'mmol/L',
    zone: ZONE,
    nowMs: NOW,
  }
  return { rounds, asked, request }
}

const namesOf = ({ extremes }: Awaited<ReturnType<typeof loadMonth>>) =>
  extremes.map(({ kind, value, atMs, isDayOnly }) => [
    kind,
    Number(value.toFixed(3)),
    new Date(atMs).toISOString(),
    isDayOnly,
  ])

test('the lowest of a sensor is found with its minute, and is not looked for again', async () => {
  const sensor = Array.from({ length: 2_000 }, (_, index) => ({
    value: 6 + (index % 7) / 10,
    unit: 'mmol/L',
    timestamp: NOW - 10 * MINUTE * (index + 1),
  }))
  const low = { value: 2.1, unit: 'mmol/L', timestamp: Date.parse('2026-11-14T02:12:00Z') }
  const high = { value: 360, unit: 'mg/dL', timestamp: Date.parse('2026-11-10T18:01:00Z') }
  const { rounds, asked, request } = await patientWith('interstitialGlucose', [...sensor, low, high])
  const month = await loadMonth(rounds, request, { before: undefined, signal })
  assert.deepEqual(namesOf(month), [
    ['lowest', 2.1, '2026-11-14T02:12:00.000Z', false],
    ['highest', 19.983, '2026-11-10T18:01:00.000Z', false],
  ])
  assert.deepEqual([month.count, month.points, month.days.length], [2_002, undefined, 30])
  assert.deepEqual(asked, ['statistics', 'get', 'get'])
  asked.length = 0
  const again = await loadMonth(rounds, request, { before: month, signal })
  assert.deepEqual(namesOf(again), namesOf(month))
  assert.deepEqual(asked, ['statistics'])
})

test('few readings come as they are, of equal ones the first is named, and days count in the zone', async () => {
  const stick = (instant: string, value: number, unit = 'mmol/L') => ({
    value,
    unit,
    timestamp: Date.parse(instant),
  })
  const { rounds, asked, request } = await patientWith('bloodGlucose', [
    // Before the 30 days: they begin at midnight in Berlin.
    stick('2026-10-17T21:59:59Z', 1.5),
    stick('2026-10-17T22:00:00Z', 5),
    stick('2026-11-12T07:00:00Z', 4),
    stick('2026-11-12T09:00:00Z', 4),
    stick('2026-11-13T07:00:00Z', 4),
    stick('2026-11-15T07:00:00Z', 180, 'mg/dL'),
  ])
  const month = await loadMonth(rounds, request, { before: undefined, signal })
  assert.deepEqual(namesOf(month), [
    ['lowest', 4, '2026-11-12T07:00:00.000Z', false],
    ['highest', 9.991, '2026-11-15T07:00:00.000Z', false],
  ])
  assert.equal(month.points?.length, 5)
  assert.deepEqual(asked, ['statistics', 'get'])
})

test('a day with more readings than one page names the day alone, in a bounded number of requests', async () => {
  const many = Array.from({ length: 1_500 }, (_, index) => ({
    value: 60 + (index % 50),
    timestamp: NOW - 30_000 * (index + 1) - DAY,
  }))
  const { rounds, asked, request } = await patientWith('heartRate', many)
  const pulse = { ...request, units: ['/min'], unit: undefined }
  const month = await loadMonth(rounds, pulse, { before: undefined, signal })
  assert.deepEqual(
    month.extremes.map(({ kind, value, isDayOnly }) => [kind, value, isDayOnly]),
    [
      ['lowest', 60, true],
      ['highest', 109, true],
    ],
  )
  assert.deepEqual(asked, ['statistics', 'get'])
})

test('nothing in 30 days is nothing', async () => {
  const { rounds, asked, request } = await patientWith('bloodGlucose', [])
  const month = await loadMonth(rounds, request, { before: undefined, signal })
  assert.deepEqual([month.count, month.extremes, month.points], [0, [], undefined])
  assert.deepEqual(asked, ['statistics'])
})
