import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantsOf, lastDays, rangeIn } from '../src/screens/export/chosen-range.ts'
import './words.ts'

const ZONE = 'Europe/Berlin'
const NOW = Date.parse('2026-11-15T23:30:00Z')
const iso = (at: number | undefined) => at && new Date(at).toISOString()

test('a range is of whole days of the zone, both ends included', () => {
  const { from, to } = instantsOf({ from: '2026-10-24', to: '2026-10-25' }, ZONE)
  // The clocks went back on the 25th: that day has 25 hours.
  assert.deepEqual([iso(from), iso(to)], ['2026-10-23T22:00:00.000Z', '2026-10-25T22:59:59.999Z'])
})

test('the last days end with the day that it is in the zone', () => {
  assert.deepEqual(lastDays(2, NOW, ZONE), { from: '2026-11-15', to: '2026-11-16' })
  assert.deepEqual(lastDays(2, NOW, 'UTC'), { from: '2026-11-14', to: '2026-11-15' })
  // Half an hour after the night in which the clocks went forward.
  assert.deepEqual(lastDays(2, Date.parse('2026-03-29T22:30:00Z'), ZONE), {
    from: '2026-03-29',
    to: '2026-03-30',
  })
})

test('the range is in the address, and anything else there means the last 30 days', () => {
  const inAddress = (text: string) => rangeIn(new URLSearchParams(text), NOW, 'UTC')
  assert.deepEqual(inAddress('from=2026-01-01&to=2026-02-01'), { from: '2026-01-01', to: '2026-02-01' })
  assert.deepEqual(inAddress('from=2026-01-01'), { from: '2026-01-01', to: '' })
  assert.deepEqual(inAddress('range=all'), { from: '', to: '' })
  assert.deepEqual(inAddress('from=<b>&to=x'), { from: '2026-10-17', to: '2026-11-15' })
  assert.deepEqual(instantsOf({ from: '', to: '' }, ZONE), { from: undefined, to: undefined })
})

test('days that no calendar has are no range', () => {
  const query = new URLSearchParams('from=2026-99-99&to=2026-02-01')
  assert.deepEqual(rangeIn(query, NOW, ZONE), { from: '', to: '2026-02-01' })
  assert.deepEqual(instantsOf({ from: '2026-99-99', to: '0000-00-00' }, ZONE), {
    from: undefined,
    to: undefined,
  })
})
