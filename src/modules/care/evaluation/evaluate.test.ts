// Years of alerts are evaluated again as fast as they are read: a late reading of one patient keeps no other request waiting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleTerms } from '../rules/rule.ts'
import { evaluate } from './evaluate.ts'
import type { ReadReading } from './load-readings.ts'
import type { Loaded } from './load-rules.ts'

const HOUR = 3_600_000_000
const START = 1_600_000_000_000_000
const ALERTS = 20_000
const MAX_CPU_SECONDS = 3

const terms: RuleTerms = {
  readingType: 'heartRate',
  field: 'value',
  unit: '/min',
  severity: 'warning',
  threshold: { above: 130 },
  clear: { atMost: 130, count: 1 },
  maxAge: 'P1D',
}
const rule = {
  ruleId: 'rule',
  versionId: 'version',
  state: 'set' as const,
  readingType: 'heartRate',
  field: 'value',
  severity: 'warning' as const,
  terms,
  changedAt: START,
  dueAt: null,
}
const readings = Array.from(
  { length: 2 * ALERTS },
  (_, nth): ReadReading => ({
    id: String(nth).padStart(8, '0'),
    at: START + nth * HOUR,
    receivedAt: START + nth * HOUR,
    measuredAt: '2026-01-01T00:00:00.000Z',
    unit: '/min',
    numbers: [nth % 2 === 0 ? 140 : 100],
  }),
)
const loadedWith = (alerts: Loaded['alerts']): Loaded => ({
  task: { patientUid: 'patient', readingType: 'heartRate', from: null, version: null },
  writes: '0',
  now: START + 2 * ALERTS * HOUR,
  from: START,
  rules: [rule],
  alerts,
  acknowledgements: [],
})

test(`${ALERTS} alerts evaluated again are the same, and announce nothing, in time that grows with their number`, async () => {
  const first = await evaluate(loadedWith([]), [], [readings])
  assert.equal(first.saved.length, ALERTS)
  assert.equal(first.events.length, 2 * ALERTS)
  const before = process.cpuUsage()
  const again = await evaluate(loadedWith(first.saved), [], [readings])
  const { user, system } = process.cpuUsage(before)
  assert.deepEqual([again.saved, again.dropped, again.events], [[], [], []])
  assert.ok(user + system < MAX_CPU_SECONDS * 1_000_000, `${(user + system) / 1_000_000} s`)
})
