// An alert in words: since when, who acknowledged it, why it was not announced, and what became of it.
import type { AlertEvent } from '../../../../typescript/src/client.ts'
import { SEVERITY_WORDS } from '../../care/severity-mark.tsx'
import type { NamedDoctor } from '../../directory/doctor-names.ts'
import { countText, numberText } from '../../format/numbers.ts'
import { momentText, sinceText } from '../../format/times.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../format/zone-calendar.ts'
import type { Alert } from './listed-alert.ts'

export const nameOfPatient = ({ sharedAs, patientUid }: Pick<Alert, 'sharedAs' | 'patientUid'>): string =>
  sharedAs ?? patientUid

/** "38 min", "5 h", "3 days": how long it has been so. */
export function lastingText(ms: number): string {
  if (ms < MINUTE_MS) return 'under 1 min'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return countText(Math.floor(ms / DAY_MS), 'day')
}

export type TextOptions = {
  zone: string
  now: number
  /** The reader, who is called "You". */
  subject: string
  nameOfDoctor: (doctorId: string) => NamedDoctor
}

type Actor = { by: string | null; doctorId: string | null }

/** At the beginning of a sentence. */
export function actorOf({ by, doctorId }: Actor, { subject, nameOfDoctor }: TextOptions): string {
  if (by === null) return 'Rounds'
  if (by === subject) return 'You'
  return doctorId === null ? by : nameOfDoctor(doctorId).name
}

/** "since 07:42"; of one that is over "yesterday 07:42 to 09:10"; of one that never was, when it was taken to begin. */
export function spanText(
  { since, until, state }: Pick<Alert, 'since' | 'until' | 'state'>,
  { zone, now }: TextOptions,
): string {
  const from = sinceText(since, now, zone)
  if (state === 'retracted') return from
  return until === null ? `since ${from}` : `${from} to ${sinceText(until, now, zone)}`
}

const RETRACTED = 'Retracted: as is known now, the rule never held.'

/** What was done with it, or why it is quiet: one line of a row. Nothing where there is nothing to say. */
export function stateText(alert: Alert, options: TextOptions): string {
  const { zone, now } = options
  const { state, acknowledged, resolvedAt } = alert
  // The last: a note that follows is that of who acknowledged it.
  const seen =
    acknowledged === null
      ? ''
      : `Acknowledged by ${withinOf(acknowledged, options)} ${momentText(acknowledged.at, now, zone)}`
  if (state === 'retracted') return `${RETRACTED} ${seen}`.trim()
  if (state === 'resolved' && resolvedAt !== null)
    return `Resolved ${momentText(resolvedAt, now, zone)}${seen === '' ? '' : `. ${seen}`}`
  return seen === '' ? QUIET[alert.quiet ?? 'none'] : seen
}

/** Within a sentence. */
function withinOf(actor: Actor, options: TextOptions): string {
  const name = actorOf(actor, options)
  return name === 'You' ? 'you' : name
}

const QUIET = {
  none: '',
  late: 'Recorded without a notification: the readings came late.',
  inhibited: 'Not announced: a more severe alert for the same value is active.',
} as const

/** "23 mmol/L at"; of a reading without a number nothing. */
export function readingValueText({ value, unit }: Alert['readings'][number]): string {
  if (value === null) return ''
  return `${numberText(value)} ${unit === null ? '' : unitSign(unit)}`.trim().concat(' at')
}

/** What is read out at once. */
export function announcementOf(alerts: readonly Alert[]): string {
  const [first] = alerts
  if (!first) return ''
  const texts = alerts.map((alert) => `${nameOfPatient(alert)}: ${alert.why}`)
  const what = alerts.length === 1 ? 'New urgent alert' : countText(alerts.length, 'new urgent alert')
  return `${what}. ${texts.join(' ')}`
}

/** "Urgent alert of Mia Example". */
export const titleOf = (alert: Alert) => `${SEVERITY_WORDS[alert.severity]} alert of ${nameOfPatient(alert)}`

const EVENTS: Readonly<Record<AlertEvent['event'], (actor: string) => string>> = {
  recorded: () => 'It was recorded without a notification',
  opened: () => 'It opened',
  reopened: () => 'It holds again, and was announced again',
  acknowledged: (actor) => `${actor} acknowledged it`,
  resolved: () => 'It was resolved',
  retracted: () => 'It was retracted',
}

/** One step of its history: "You acknowledged it". */
export const eventText = (event: AlertEvent, options: TextOptions): string =>
  EVENTS[event.event](actorOf(event, options))

/** The rule with what the alert says of it. */
export const ruleOf = ({ rule, readingType, field }: Alert) => ({ ...rule, readingType, field })
