// Which time zones there are, and how many buckets a range may have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { askStatistics, type StatisticsQuery } from '../../../../test/support/statistics.ts'

const rounds = await startRounds()
const HOUR = 3_600
const DAY = 24 * HOUR
const { token } = await newPatient(rounds)
const ask = (query: StatisticsQuery) =>
  askStatistics(rounds, { readingType: 'heartRate', from: 0, to: DAY, ...query }, { token })

const NO_ZONES = [
  '',
  ' ',
  'Nowhere/City',
  'Europe/Berlin ',
  '+02:00',
  'UTC+2',
  'CET',
  'EST5EDT',
  'localtime',
  'posixrules',
  'Europe/../UTC',
  'posix/Europe/Berlin',
  "x'; drop table casesheet.readings",
  'a'.repeat(65),
]
for (const timeZone of NO_ZONES) {
  test(`not a time zone: ${JSON.stringify(timeZone.slice(0, 40))}`, async () => {
    const answer = await ask({ timeZone })
    assertRefused(answer, 400, 'ValidationFailed')
    assert.equal(answer.json.errors[0]?.pointer, '/timeZone')
  })
}

test('every time zone that Intl lists with an area is one', async () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))
  assert.ok(zones.length > 400)
  for (const timeZone of [...zones, 'UTC', 'Etc/GMT+12', 'US/Pacific', 'europe/berlin']) {
    const { status, text } = await ask({ timeZone, bucket: 'month' })
    assert.equal(status, 200, `${timeZone}: ${text}`)
  }
})

test('at most 5,000 buckets are answered; beyond that the smallest that fits is named', async () => {
  const to = (seconds: number) => ({ from: 0, to: seconds })
  const few: [StatisticsQuery, number][] = [
    [{ bucket: 'hour', ...to(5_000 * HOUR - 1) }, 5_000],
    [{ ...to(5_000 * DAY - 1) }, 5_000],
    [{ bucket: 'hour', timeZone: 'Asia/Kolkata', from: 1_800, to: 5_000 * HOUR + 1_799 }, 5_000],
    [{ bucket: 'month', timeZone: 'America/Santiago', from: 0, to: 4_998 * 30 * DAY }, 4_928],
  ]
  for (const [query, count] of few) {
    const { status, json, text } = await ask(query)
    assert.equal(status, 200, text)
    assert.equal(json.data.length, count, JSON.stringify(query))
  }
  const many: [StatisticsQuery, string, RegExp][] = [
    [{ bucket: 'hour', ...to(5_000 * HOUR) }, '/bucket', /^must be day or larger .* 5000 buckets/],
    [{ bucket: 'hour', ...to(5_000 * DAY) }, '/bucket', /^must be week or larger/],
    [{ bucket: 'day', ...to(5_000 * DAY) }, '/bucket', /^must be week or larger/],
    [{ bucket: 'day', timeZone: 'Asia/Tokyo', from: 15 * HOUR - 1, to: 5_000 * DAY }, '/bucket', /week/],
    [{ bucket: 'week', ...to(5_000 * 7 * DAY) }, '/bucket', /^must be month or larger/],
    [{ bucket: 'hour', ...to(253_402_300_799_999) }, '/to', /^must be nearer to from/],
    [{ bucket: 'month', ...to(253_402_300_799_999) }, '/to', /^must be nearer to from/],
  ]
  for (const [query, pointer, message] of many) {
    const answer = await ask(query)
    assertRefused(answer, 400, 'ValidationFailed')
    assert.equal(answer.json.errors[0]?.pointer, pointer, JSON.stringify(query))
    assert.match(answer.json.errors[0]?.message ?? '', message)
  }
})

test('the last bucket there is ends with the year 9999', async () => {
  const { json } = await ask({ from: 253_402_300_799_999, to: 253_402_300_799_999, bucket: 'month' })
  assert.deepEqual(
    json.data.map(({ start, end }) => [start, end]),
    [['9999-12-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']],
  )
})
