// Which alerts are shown, in which group and order.
import type { Severity } from '../../care/severity-mark.tsx'
import type { Alert, Counts } from './listed-alert.ts'

const SHOWN = ['active', 'resolved', 'retracted'] as const
/** What the address asks for: what is to be done, or what is over. */
export type Shown = (typeof SHOWN)[number]

export const shownIn = (query: URLSearchParams): Shown =>
  SHOWN.find((shown) => shown === query.get('show')) ?? 'active'

export type Group = 'open' | 'acknowledged' | 'snoozed'

export const GROUP_WORDS: Readonly<Record<Group, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
}

/** What nobody has acknowledged stands first, also where it is put off. */
const GROUPS: readonly Group[] = ['open', 'snoozed', 'acknowledged']
const SEVERITIES: readonly Severity[] = ['urgent', 'warning', 'notice']

export const isSnoozed = ({ snoozed }: Pick<Alert, 'snoozed'>, now: number) =>
  snoozed !== null && Date.parse(snoozed.until) > now

export function groupOf(alert: Alert, now: number): Group {
  if (alert.state === 'acknowledged') return 'acknowledged'
  return isSnoozed(alert, now) ? 'snoozed' : 'open'
}

/** By group, then by severity, and within it the oldest first: who waits longest is next. */
export function orderOf(alerts: readonly Alert[], now: number): string[] {
  const place = (alert: Alert) => GROUPS.indexOf(groupOf(alert, now))
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
export const countIn = ({ open, acknowledged, snoozed }: Counts, group: Group): number =>
  ({ open: open.urgent + open.warning + open.notice, acknowledged, snoozed })[group]

export type Section = { group: Group; alertIds: string[] }

/** The order in sections. An alert stays in the one in which it stood when the order was made. */
export function sectionsOf(order: readonly string[], groups: ReadonlyMap<string, Group>): Section[] {
  return GROUPS.flatMap((group) => {
    const alertIds = order.filter((alertId) => (groups.get(alertId) ?? 'open') === group)
    return alertIds.length === 0 ? [] : [{ group, alertIds }]
  })
}

/** Of the alerts of each section: how many still are of its group, and how many are of which other one by now. */
export type Standing = Readonly<
  Record<Group, { still: number; moved: readonly (readonly [group: Group, count: number])[] }>
>

/** Each alert counts once: where it stands, and one that stands nowhere yet in its own group. */
export function standingOf(sections: readonly Section[], groups: ReadonlyMap<string, Group>): Standing {
  const places = new Map(
    sections.flatMap(({ group, alertIds }) => alertIds.map((alertId) => [alertId, group] as const)),
  )
  const count = (section: Group, group: Group) =>
    [...groups].filter(([alertId, now]) => now === group && (places.get(alertId) ?? now) === section).length
  const of = (section: Group) => ({
    still: count(section, section),
    moved: GROUPS.filter((group) => group !== section)
      .map((group) => [group, count(section, group)] as const)
      .filter(([, moved]) => moved > 0),
  })
  return { open: of('open'), snoozed: of('snoozed'), acknowledged: of('acknowledged') }
}

/** Urgent alerts that were not among the active ones before, and that are to be noticed. */
export function newUrgent(before: readonly Alert[], after: readonly Alert[], now: number): Alert[] {
  const known = new Set(before.map(({ alertId }) => alertId))
  return after.filter(
    (alert) =>
      alert.severity === 'urgent' &&
      !known.has(alert.alertId) &&
      alert.quiet === null &&
      groupOf(alert, now) === 'open',
  )
}
