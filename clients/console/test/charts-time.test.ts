// The time axis of the charts: ranges, their place in the address, zooming, and ticks where clocks change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticksFor } from '../src/chart/ticks.ts'
import { instantsOf, localMs, startOfDay } from '../src/format/zone-calendar.ts'
import {
  addressOfRange,
  type ChosenRange,
  moved,
  type Preset,
  rangeInAddress,
  rangeOf,
  withinBounds,
  zoomed,
} from '../src/screens/charts/time-range.ts'
import './words.ts'

const at = (text: string) => Date.parse(text)
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
const BERLIN = 'Europe/Berlin'

test('an hour that clocks skip has no instant, and one that comes twice has two', () => {
  assert.deepEqual(instantsOf(at('2026-03-29T02:30:00Z'), BERLIN), [])
  assert.deepEqual(instantsOf(at('2026-10-25T02:30:00Z'), BERLIN).map(iso), [
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
  ])
  assert.equal(iso(localMs(at('1969-12-31T23:59:59.500Z'), 'UTC')), '1969-12-31T23:59:59.500Z')
})

test('a day begins when the local clock first shows its date', () => {
  assert.equal(iso(startOfDay(at('2026-10-25T12:00:00Z'), BERLIN)), '2026-10-24T22:00:00Z')
  assert.equal(iso(startOfDay(at('2026-10-25T12:00:00Z'), BERLIN, 1)), '2026-10-25T23:00:00Z')
  // Midnight is skipped in Beirut on 29 March 2026, and comes twice in Havana on 1 November 2026.
  assert.equal(iso(startOfDay(at('2026-03-29T12:00:00Z'), 'Asia/Beirut')), '2026-03-28T22:00:00Z')
  assert.equal(iso(localMs(at('2026-03-28T22:00:00Z'), 'Asia/Beirut')), '2026-03-29T01:00:00Z')
  assert.equal(iso(startOfDay(at('2026-11-01T12:00:00Z'), 'America/Havana')), '2026-11-01T04:00:00Z')
  // Samoa had no 30 December 2011.
  assert.equal(iso(startOfDay(at('2011-12-29T12:00:00Z'), 'Pacific/Apia', 1)), '2011-12-30T10:00:00Z')
})

test('presets are whole hours or days of the zone, up to the end of the present one', () => {
  const now = at('2026-10-26T09:17:00Z')
  const shown = (chosen: ChosenRange, zone = BERLIN, atMs = now) => {
    const { fromMs, toMs } = rangeOf(chosen, atMs, zone)
    return `${iso(fromMs)} ${iso(toMs)}`
  }
  const preset = (name: Preset, zone = BERLIN, atMs = now) => shown({ preset: name }, zone, atMs)
  assert.equal(preset('day'), '2026-10-25T10:00:00Z 2026-10-26T10:00:00Z')
  assert.equal(preset('day', 'Asia/Kolkata'), '2026-10-25T09:30:00Z 2026-10-26T09:30:00Z')
  assert.equal(preset('week'), '2026-10-19T22:00:00Z 2026-10-26T23:00:00Z')
  assert.equal(preset('month'), '2026-09-26T22:00:00Z 2026-10-26T23:00:00Z')
  assert.equal(preset('year'), '2025-10-25T22:00:00Z 2026-10-26T23:00:00Z')
  // On the day of 25 hours, at noon, and on that of 23.
  const [long, short] = [at('2026-10-25T11:00:00Z'), at('2026-03-29T10:00:00Z')]
  assert.equal(preset('week', BERLIN, long), '2026-10-18T22:00:00Z 2026-10-25T23:00:00Z')
  assert.equal(preset('14-days', BERLIN, short), '2026-03-15T23:00:00Z 2026-03-29T22:00:00Z')
  assert.equal(preset('90-days', BERLIN, short), '2025-12-29T23:00:00Z 2026-03-29T22:00:00Z')
  // The month before, by the calendar of the zone: March has an hour less, October one more.
  assert.equal(
    preset('last-month', BERLIN, at('2026-04-01T00:00:00Z')),
    '2026-02-28T23:00:00Z 2026-03-31T22:00:00Z',
  )
  assert.equal(
    preset('last-month', BERLIN, at('2026-11-30T22:59:59Z')),
    '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z',
  )
  assert.equal(
    preset('last-month', 'America/New_York', at('2027-01-01T03:00:00Z')),
    '2026-11-01T04:00:00Z 2026-12-01T05:00:00Z',
  )
  // Since a date: up to the end of today, and at least that day.
  assert.equal(shown({ since: '2026-10-25' }), '2026-10-24T22:00:00Z 2026-10-26T23:00:00Z')
  assert.equal(
    shown({ since: '2026-03-29' }, 'Asia/Beirut', short),
    '2026-03-28T22:00:00Z 2026-03-29T21:00:00Z',
  )
  assert.equal(shown({ since: '2026-12-24' }), '2026-12-23T23:00:00Z 2026-12-24T23:00:00Z')
})

test('a range comes back from its address, and what is no range becomes a month', () => {
  const query = (fields: Record<string, string | undefined>) =>
    new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  for (const chosen of [
    { preset: 'week' as const },
    { preset: '14-days' as const },
    { preset: 'last-month' as const },
    { since: '2026-10-03' },
    { fromMs: at('2026-01-01T10:00:01Z'), toMs: at('2026-02-01T00:00:00Z') },
  ]) {
    assert.deepEqual(rangeInAddress(query(addressOfRange(chosen))), chosen)
  }
  assert.deepEqual(rangeInAddress(query({ from: '1762000000', to: '1762086400000' })), {
    fromMs: 1_762_000_000_000,
    toMs: 1_762_086_400_000,
  })
  for (const wrong of [
    { range: 'century' },
    { range: 'since-2026-02-31' },
    { range: 'since-9999-01-01' },
    { range: 'since-' },
    { from: '2026-01-01' },
    { from: '2026-02-01', to: '2026-01-01' },
    { from: 'x', to: '9'.repeat(400) },
  ]) {
    assert.deepEqual(rangeInAddress(query(wrong)), { preset: 'month' })
  }
})

test('what is under the pointer stays there while zooming, and no zoom leaves the times that readings can have', () => {
  const range = { fromMs: 1e12, toMs: 1e12 + 1e9 }
  const pointer = 1e12 + 25e7
  const closer = zoomed(range, 0.5, pointer)
  assert.equal((pointer - closer.fromMs) / (closer.toMs - closer.fromMs), 0.25)
  assert.deepEqual(zoomed(closer, 2, pointer), range)
  assert.deepEqual(moved(moved(range, 0.2), -0.2), range)
  const closest = zoomed(range, 1e-12, pointer)
  assert.equal(closest.toMs - closest.fromMs, 60_000)
  const widest = zoomed(range, 1e12, pointer)
  assert.ok(widest.fromMs >= 0 && widest.toMs > range.toMs)
  assert.deepEqual(withinBounds({ fromMs: -5e9, toMs: -4e9 }), { fromMs: 0, toMs: 1e9 })
})

test('ticks stand at round local times across both changes of clocks', () => {
  const ticks = (from: string, to: string, maxTicks: number, zone = BERLIN) =>
    ticksFor({ fromMs: at(from), toMs: at(to), zone, locale: 'en-GB', maxTicks }).map(
      ({ atMs, label }) => `${iso(atMs)} ${label}`,
    )
  // Put back on 25 October 2026: the day has 25 hours, and six-hour ticks are seven hours apart once.
  assert.deepEqual(ticks('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 5), [
    '2026-10-24T22:00:00Z 25 Oct',
    '2026-10-25T05:00:00Z 06:00',
    '2026-10-25T11:00:00Z 12:00',
    '2026-10-25T17:00:00Z 18:00',
    '2026-10-25T23:00:00Z 26 Oct',
  ])
  // The hour that comes twice is labelled twice.
  assert.deepEqual(ticks('2026-10-24T23:30:00Z', '2026-10-25T02:30:00Z', 4), [
    '2026-10-25T00:00:00Z 02:00',
    '2026-10-25T01:00:00Z 02:00',
    '2026-10-25T02:00:00Z 03:00',
  ])
  // Put forward on 29 March 2026: there is no 02:00.
  assert.deepEqual(ticks('2026-03-28T23:30:00Z', '2026-03-29T02:30:00Z', 4), [
    '2026-03-29T00:00:00Z 01:00',
    '2026-03-29T01:00:00Z 03:00',
    '2026-03-29T02:00:00Z 04:00',
  ])
  assert.deepEqual(ticks('2026-10-22T22:00:00Z', '2026-10-27T23:00:00Z', 7), [
    '2026-10-22T22:00:00Z 23 Oct',
    '2026-10-23T22:00:00Z 24 Oct',
    '2026-10-24T22:00:00Z 25 Oct',
    '2026-10-25T23:00:00Z 26 Oct',
    '2026-10-26T23:00:00Z 27 Oct',
    '2026-10-27T23:00:00Z 28 Oct',
  ])
  assert.deepEqual(ticks('2026-11-15T00:00:00Z', '2027-02-15T00:00:00Z', 4, 'UTC'), [
    '2026-12-01T00:00:00Z Dec',
    '2027-01-01T00:00:00Z 2027',
    '2027-02-01T00:00:00Z Feb',
  ])
})

test('no range has more ticks than fit, nor none', () => {
  for (let spanMs = 60_000; spanMs < 50 * 365 * 86_400_000; spanMs *= 1.37) {
    for (const maxTicks of [3, 6, 12]) {
      const fromMs = at('2026-10-20T03:12:45Z') - spanMs / 2
      const found = ticksFor({
        fromMs,
        toMs: fromMs + spanMs,
        zone: 'Australia/Lord_Howe',
        locale: 'en-GB',
        maxTicks,
      })
      assert.ok(
        found.length >= 1 && found.length <= maxTicks + 2,
        `${found.length} of ${maxTicks} in ${spanMs}`,
      )
    }
  }
})
