import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GapFold } from './gaps.ts'
import type { Outage } from './span.ts'

const MINUTE = 60_000_000
const HOUR = 60 * MINUTE
const SET = Date.parse('2026-11-17T08:00:00Z') * 1_000

/** For how long no reading may come after a rule was set, in hours, where it expects one within two hours. */
function waits(...outages: Outage[]): number {
  const { dueAt } = new GapFold(2 * HOUR, { setAt: SET }, outages).finish(SET)
  return ((dueAt ?? 0) - SET) / HOUR
}

const away = (from: number, to: number): Outage => ({ began: SET + from * HOUR, ended: SET + to * HOUR })

test('the time in which Rounds was away does not count, and devices get half an hour to catch up', () => {
  assert.equal(waits(), 2)
  assert.equal(waits(away(0.5, 1)), 3)
  assert.equal(waits(away(-1, 1)), 3.5, 'the part before the rule was set does not count')
  assert.equal(waits(away(0.5, 1), away(1.5, 2)), 3.5, 'half an hour for all of them')
  assert.equal(waits(away(-2, -1), away(2, 3)), 2, 'neither before nor after')
})
