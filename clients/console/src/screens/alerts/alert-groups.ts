// Which alerts are shown, in which group and order.
import type { Severity } from '../../care/severity-mark.tsx'
import type { Alert, Counts } from './listed-alert.ts'

const SHOWN = ['active', 'resolved', 'retracted'] as const
/** What the address asks for: what is to be done, or what is over. */
export type Shown = (typeof SHOWN)[number]

export const shownIn = (query: URLSearchParams): Shown =>
  SHOWN.find((shown) => shown === query.get('show')) ?? 'active'

export type Group = 'open' | 'acknowledged'

export const GROUP_WORDS: Readonly<Record<Group, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
}

/** What nobody has acknowledged stands first. */
const GROUPS: readonly Group[] = ['open', 'acknowledged']
const SEVERITIES: readonly Severity[] = ['urgent', 'warning', 'notice']

export const groupOf = ({ state }: Pick<Alert, 'state'>): Group =>
  state === 'acknowledged' ? 'acknowledged' : 'open'

/** By group, then by severity, and within it the oldest first: who waits longest is next. */
export function orderOf(alerts: readonly Alert[]): string[] {
  const place = (alert: Alert) => GROUPS.indexOf(groupOf(alert))
  return alerts
    .toSorted(
      (one, other) =>
        place(one) - place(other) ||
        SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
        Date.parse(one.openedAt) - Date.parse(other.openedAt) ||
        (one.alertId < other.alertId ? -1 : 1),
    )
    .map(({ alertId }) => alertId)
}

/** How many there are of the group, also of those that are not listed. */
export const countIn = ({ open, acknowledged }: Counts, group: Group): number =>
  ({ open: open.urgent + open.warning + open.notice, acknowledged })[group]

export type Section = { group: Group; alertIds: string[] }

/** The order in sections. An alert stays in the one in which it stood when the order was made. */
export function sectionsOf(order: readonly string[], groups: ReadonlyMap<string, Group>): Section[] {
  return GROUPS.flatMap((group) => {
    const alertIds = order.filter((alertId) => (groups.get(alertId) ?? 'open') === group)
    return alertIds.length === 0 ? [] : [{ group, alertIds }]
  })
}

/** Of the alerts of each section: how many still are of its group, and how many are of the other one by now. */
export type Standing = Readonly<Record<Group, { still: number; moved: number }>>

/** Each alert counts once: where it stands, and one that stands nowhere yet in its own group. */
export function standingOf(sections: readonly Section[], groups: ReadonlyMap<string, Group>): Standing {
  const places = new Map(
    sections.flatMap(({ group, alertIds }) => alertIds.map((alertId) => [alertId, group] as const)),
  )
  const count = (section: Group, group: Group) =>
    [...groups].filter(([alertId, now]) => now === group && (places.get(alertId) ?? now) === section).length
  return {
    open: { still: count('open', 'open'), moved: count('open', 'acknowledged') },
    acknowledged: { still: count('acknowledged', 'acknowledged'), moved: count('acknowledged', 'open') },
  }
}

/** Urgent alerts that were not among the active ones before, and that are to be noticed. */
export function newUrgent(before: readonly Alert[], after: readonly Alert[]): Alert[] {
  const known = new Set(before.map(({ alertId }) => alertId))
  return after.filter(
    (alert) =>
      alert.severity === 'urgent' &&
      !known.has(alert.alertId) &&
      alert.quiet === null &&
      groupOf(alert) === 'open',
  )
}
