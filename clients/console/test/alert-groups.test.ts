// The order of the inbox, and which alerts are new and urgent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '../../typescript/src/client.ts'
import { groupOf, newUrgent, orderOf, sectionsOf, standingOf } from '../src/screens/alerts/alert-groups.ts'

/** What decides its place. */
type Placed = Pick<Alert, 'severity' | 'state' | 'openedAt' | 'quiet'>

const alert = (alertId: string, part: Partial<Placed> = {}) =>
  ({
    alertId,
    severity: 'warning',
    state: 'open',
    openedAt: '2026-11-18T07:00:00Z',
    quiet: null,
    ...part,
  }) as Alert

const ALL = [
  alert('acknowledged', { severity: 'urgent', state: 'acknowledged' }),
  alert('notice', { severity: 'notice', openedAt: '2026-11-01T00:00:00Z' }),
  alert('newer warning', { openedAt: '2026-11-18T07:30:00Z' }),
  alert('older warning'),
  alert('newer urgent', { severity: 'urgent', openedAt: '2026-11-18T07:50:00Z' }),
  alert('urgent', { severity: 'urgent' }),
]

test('open ones first, by severity, the oldest of each first; then acknowledged', () => {
  const order = orderOf(ALL)
  const groups = new Map(ALL.map((one) => [one.alertId, groupOf(one)]))
  assert.deepEqual(sectionsOf(order, groups), [
    { group: 'open', alertIds: ['urgent', 'newer urgent', 'older warning', 'newer warning', 'notice'] },
    { group: 'acknowledged', alertIds: ['acknowledged'] },
  ])
})

test('a row that changed its group counts where it stands, and in no other group', () => {
  const sections = [
    { group: 'open' as const, alertIds: ['still', 'seen', 'gone'] },
    { group: 'acknowledged' as const, alertIds: ['seen before', 'open again'] },
  ]
  const groups = new Map([
    ['still', 'open'],
    ['new', 'open'],
    ['seen', 'acknowledged'],
    ['open again', 'open'],
    ['seen before', 'acknowledged'],
  ] as const)
  assert.deepEqual(standingOf(sections, groups), {
    open: { still: 2, moved: 1 },
    acknowledged: { still: 1, moved: 1 },
  })
})

test('what is urgent, open, not quiet and was not there before is new', () => {
  const after = [
    alert('known', { severity: 'urgent' }),
    alert('new', { severity: 'urgent' }),
    alert('late', { severity: 'urgent', quiet: 'late' }),
    alert('seen', { severity: 'urgent', state: 'acknowledged' }),
    alert('a warning'),
  ]
  assert.deepEqual(
    newUrgent([alert('known')], after).map(({ alertId }) => alertId),
    ['new'],
  )
})
