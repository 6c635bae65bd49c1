// Buckets on the days when clocks are put forward or back, against what is known of those days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import type { Bucket } from '../../../../test/support/local-calendar.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { askStatistics } from '../../../../test/support/statistics.ts'

const rounds = await startRounds()
const MINUTE = 60_000

/** Around a change of clocks: the local starts of the buckets that hold the instants given, and how many minutes they last. */
const KNOWN: [zone: string, bucket: Bucket, from: string, to: string, expected: Record<string, number>][] = [
  [
    'Europe/Berlin',
    'day',
    '2025-03-30T00:00Z',
    '2025-03-30T00:00Z',
    { '2025-03-30T00:00:00+01:00': 23 * 60 },
  ],
  [
    'Europe/Berlin',
    'day',
    '2025-10-26T00:00Z',
    '2025-10-26T00:00Z',
    { '2025-10-26T00:00:00+02:00': 25 * 60 },
  ],
  // Half an hour: 24.5 hours and 23.5.
  [
    'Australia/Lord_Howe',
    'day',
    '2025-04-05T14:00Z',
    '2025-04-05T14:00Z',
    { '2025-04-06T00:00:00+11:00': 24.5 * 60 },
  ],
  [
    'Australia/Lord_Howe',
    'day',
    '2025-10-04T14:00Z',
    '2025-10-04T14:00Z',
    { '2025-10-05T00:00:00+10:30': 23.5 * 60 },
  ],
  [
    'Australia/Lord_Howe',
    'hour',
    '2025-04-05T14:00Z',
    '2025-04-05T16:00Z',
    { '2025-04-06T01:00:00+11:00': 60, '2025-04-06T01:30:00+10:30': 30, '2025-04-06T02:00:00+10:30': 60 },
  ],
  [
    'Australia/Lord_Howe',
    'hour',
    '2025-10-04T15:00Z',
    '2025-10-04T16:30Z',
    { '2025-10-05T01:00:00+10:30': 60, '2025-10-05T02:30:00+11:00': 30, '2025-10-05T03:00:00+11:00': 60 },
  ],
  // The same hour of the clock, twice.
  [
    'Europe/Berlin',
    'hour',
    '2025-10-26T00:30Z',
    '2025-10-26T01:30Z',
    { '2025-10-26T02:00:00+02:00': 60, '2025-10-26T02:00:00+01:00': 60 },
  ],
  // No midnight: the day begins at 01:00.
  [
    'America/Santiago',
    'day',
    '2025-09-07T12:00Z',
    '2025-09-07T12:00Z',
    { '2025-09-07T01:00:00-03:00': 23 * 60 },
  ],
  ['Asia/Beirut', 'day', '2025-03-30T12:00Z', '2025-03-30T12:00Z', { '2025-03-30T01:00:00+03:00': 23 * 60 }],
  // The last hour of the day twice.
  [
    'America/Santiago',
    'day',
    '2025-04-05T12:00Z',
    '2025-04-05T12:00Z',
    { '2025-04-05T00:00:00-03:00': 25 * 60 },
  ],
  ['Asia/Beirut', 'day', '2025-10-25T12:00Z', '2025-10-25T12:00Z', { '2025-10-25T00:00:00+03:00': 25 * 60 }],
  // Midnight twice: the day begins with the first.
  [
    'America/Havana',
    'day',
    '2025-11-02T12:00Z',
    '2025-11-02T12:00Z',
    { '2025-11-02T00:00:00-04:00': 25 * 60 },
  ],
  [
    'Atlantic/Azores',
    'day',
    '2025-10-26T12:00Z',
    '2025-10-26T12:00Z',
    { '2025-10-26T00:00:00+00:00': 25 * 60 },
  ],
  [
    'America/Havana',
    'week',
    '2026-11-01T04:30Z',
    '2026-11-01T04:30Z',
    { '2026-10-26T00:00:00-04:00': 7 * 24 * 60 + 60 },
  ],
  [
    'America/Havana',
    'month',
    '2020-11-01T04:30Z',
    '2020-11-01T04:30Z',
    { '2020-11-01T00:00:00-04:00': 30 * 24 * 60 + 60 },
  ],
  // At one minute past midnight back to 23:01: the date is there for a minute, gone for an hour, and counts from the first.
  [
    'America/St_Johns',
    'day',
    '2006-10-29T02:30:30Z',
    '2006-10-29T03:00Z',
    { '2006-10-29T00:00:00-02:30': 25 * 60 },
  ],
  // A date that nobody had there.
  [
    'Pacific/Apia',
    'day',
    '2011-12-30T09:00Z',
    '2011-12-30T11:00Z',
    { '2011-12-29T00:00:00-10:00': 24 * 60, '2011-12-31T00:00:00+14:00': 24 * 60 },
  ],
  ['Asia/Kathmandu', 'hour', '2025-01-01T00:00Z', '2025-01-01T00:00Z', { '2025-01-01T05:00:00+05:45': 60 }],
  ['UTC', 'week', '2026-01-01T00:00Z', '2026-01-01T00:00Z', { '2025-12-29T00:00:00+00:00': 7 * 24 * 60 }],
]
const { token } = await newPatient(rounds)
for (const [timeZone, bucket, from, to, expected] of KNOWN) {
  test(`${bucket}s in ${timeZone} around ${from}`, async () => {
    const range = { from: Date.parse(from), to: Date.parse(to) }
    const { json, text } = await askStatistics(
      rounds,
      { readingType: 'any', bucket, timeZone, ...range },
      { token },
    )
    assert.equal(json.code, 'Ok', text)
    const minutes = json.data.map(({ localStart, start, end }) => [
      localStart,
      (Date.parse(end) - Date.parse(start)) / MINUTE,
    ])
    assert.deepEqual(Object.fromEntries(minutes), expected)
    for (const { start, localStart } of json.data) assert.equal(Date.parse(localStart), Date.parse(start))
  })
}
