// The order of the inbox, and which alerts are new and urgent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '../../typescript/src/client.ts'
import { groupOf, newUrgent, orderOf, sectionsOf, standingOf } from '../src/screens/alerts/alert-groups.ts'

const NOW = Date.parse('2026-11-18T08:00:00Z')

/** What decides its place. */
type Placed = Pick<Alert, 'severity' | 'state' | 'openedAt' | 'quiet' | 'snoozed'>

const alert = (alertId: string, part: Partial<Placed> = {}) =>
  ({
    alertId,
    severity: 'warning',
    state: 'open',
    openedAt: '2026-11-18T07:00:00Z',
    quiet: null,
    snoozed: null,
    ...part,
  }) as Alert

const until = (time: string) => ({ until: `2026-11-18T${time}Z`, by: 'dr-invented', doctorId: 'invented' })

const ALL = [
  alert('snoozed urgent', { severity: 'urgent', snoozed: until('09:00:00') }),
  alert('acknowledged and snoozed', { state: 'acknowledged', snoozed: until('09:00:00') }),
  alert('notice', { severity: 'notice', openedAt: '2026-11-01T00:00:00Z' }),
  alert('newer warning', { openedAt: '2026-11-18T07:30:00Z' }),
  alert('older warning'),
  alert('snooze over', { severity: 'urgent', snoozed: until('07:59:59'), openedAt: '2026-11-18T07:50:00Z' }),
  alert('urgent', { severity: 'urgent' }),
]

test('open ones first, by severity, the oldest of each first; then snoozed, then acknowledged', () => {
  const order = orderOf(ALL, NOW)
  const groups = new Map(ALL.map((one) => [one.alertId, groupOf(one, NOW)]))
  assert.deepEqual(sectionsOf(order, groups), [
    { group: 'open', alertIds: ['urgent', 'snooze over', 'older warning', 'newer warning', 'notice'] },
    { group: 'snoozed', alertIds: ['snoozed urgent'] },
    { group: 'acknowledged', alertIds: ['acknowledged and snoozed'] },
  ])
})

test('a row that changed its group counts where it stands, and in no other group', () => {
  const sections = [
    { group: 'open' as const, alertIds: ['still', 'seen', 'put off', 'gone'] },
    { group: 'acknowledged' as const, alertIds: ['seen before'] },
  ]
  const groups = new Map([
    ['still', 'open'],
    ['new', 'open'],
    ['seen', 'acknowledged'],
    ['put off', 'snoozed'],
    ['seen before', 'acknowledged'],
  ] as const)
  assert.deepEqual(standingOf(sections, groups), {
    open: {
      still: 2,
      moved: [
        ['snoozed', 1],
        ['acknowledged', 1],
      ],
    },
    snoozed: { still: 0, moved: [] },
    acknowledged: { still: 1, moved: [] },
  })
})

test('what is urgent, open, not quiet and was not there before is new', () => {
  const after = [
    alert('known', { severity: 'urgent' }),
    alert('new', { severity: 'urgent' }),
    alert('late', { severity: 'urgent', quiet: 'late' }),
    alert('seen', { severity: 'urgent', state: 'acknowledged' }),
    alert('put off', { severity: 'urgent', snoozed: until('09:00:00') }),
    alert('a warning'),
  ]
  assert.deepEqual(
    newUrgent([alert('known')], after, NOW).map(({ alertId }) => alertId),
    ['new'],
  )
})
