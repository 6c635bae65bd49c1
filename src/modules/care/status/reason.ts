// What a patient is listed for, and the order of the list.
import type { Alert, Evidence, Field, Lack, Part, Target } from './facts.ts'

export const QUEUES = ['actNow', 'thisWeek', 'silent', 'seen', 'fine', 'notJudged'] as const
export type Queue = (typeof QUEUES)[number]

/** The classes of reasons in the order of the list, and the queue to which each leads while it is unseen. */
const QUEUE_OF = {
  severe: 'actNow', // a severe symptom
  value: 'actNow', // a value beyond an act limit, or beyond the bound of an urgent rule
  change: 'actNow', // an urgent alert on a change
  missing: 'actNow', // an urgent alert on missing readings
  lateSevere: 'thisWeek', // a severe symptom that nobody looked at in time
  late: 'thisWeek', // anything else urgent that nobody looked at in time
  lookAgain: 'thisWeek', // the date has come
  warning: 'thisWeek', // an alert of a warning
  moderate: 'thisWeek', // a moderate symptom
  lows: 'thisWeek', // too much below, or far below
  offTarget: 'thisWeek', // another goal missed, or a mean beyond the target
  fall: 'thisWeek', // less time in range than in the fortnight before
  sharingEnds: 'thisWeek', // the patient's grant ends soon
  clock: 'thisWeek', // a reading with an impossible time
  silent: 'silent', // no reading for longer than expected
  pending: 'seen', // a look-again date to come
} as const satisfies Record<string, Queue>
export type Class = keyof typeof QUEUE_OF
const CLASSES = Object.keys(QUEUE_OF)

/** What the screen says it with: a late value is worded as a value. */
export type Code =
  | 'severe'
  | 'moderate'
  | 'value'
  | 'alert'
  | 'goal'
  | 'mean'
  | 'fall'
  | 'lookAgain'
  | 'silent'
  | 'clock'
  | 'sharingEnds'

export type Reason = Partial<Evidence> & {
  code: Code
  class: Class
  isSeen: boolean
  /** How many times its limit: 1 where there is no number. */
  beyond: number
  /** Orders what is equally far beyond: when it arrived, or began. */
  since: number
  /** What a look that shows it sends back; none for single readings, which are seen by position. */
  key?: string
  target?: Target
  field?: Field
  value?: number
  /** That of the target's author. */
  limit?: number
  part?: Part
  /** The window of a mean or goal. */
  days?: number
  severity?: string
  alertId?: string
  label?: string
  endedAt?: number
  /** Urgent, but nobody looked in time. */
  isLate?: boolean
  /** Alerts on the same reading. */
  alerts?: Pick<Alert, 'alertId' | 'label'>[]
}

/** `saw`: what a look at this answer sends back. */
export type Status = { queue: Queue; reasons: Reason[]; lacks: Lack[]; saw: string[]; lookAgainAt?: number }

export const queueOf = (reason: Reason): Queue => (reason.isSeen ? 'seen' : QUEUE_OF[reason.class])
const queueRank = (queue: Queue) => QUEUES.indexOf(queue)
const classRank = (reason: Reason) => CLASSES.indexOf(reason.class)

/** By class, then the farthest beyond its limit, then the oldest. */
const byUrgency = (a: Reason, b: Reason) =>
  classRank(a) - classRank(b) || b.beyond - a.beyond || a.since - b.since

/** The reasons of a patient: what decides the queue comes first. */
export const reasonOrder = (a: Reason, b: Reason) =>
  queueRank(queueOf(a)) - queueRank(queueOf(b)) || byUrgency(a, b)

/** The place of a patient in the list: by queue; in Seen by date, those without one last; then by urgency. Ties: by name, in the list. */
export function placeOf({ queue, reasons: [first], lookAgainAt = Number.MAX_VALUE }: Status): number[] {
  const byDate = queue === 'seen' ? lookAgainAt : 0
  return [queueRank(queue), byDate, ...(first ? [classRank(first), -first.beyond, first.since] : [0, 0, 0])]
}

export const listOrder = (a: Status, b: Status) => comparePlaces(placeOf(a), placeOf(b))

export function comparePlaces(a: number[], b: number[]): number {
  const differs = a.findIndex((part, index) => part !== b[index])
  return differs < 0 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0)
}

/** An alert on a reading that is a reason already, as urgent and as seen, is named there and not listed again. */
export function withoutRepeats(all: Reason[]): Reason[] {
  const alerts = all.filter(({ code }) => code === 'alert')
  const others = all.filter(({ code }) => code !== 'alert')
  const holderOf = (alert: Reason) => {
    const onReading = others.filter(({ readingId }) => readingId === alert.readingId)
    return onReading.find((each) => each.isSeen === alert.isSeen && classRank(each) <= classRank(alert))
  }
  const alertsOn = (each: Reason) =>
    alerts
      .filter((alert) => holderOf(alert) === each)
      .map(({ alertId = '', label = '' }) => ({ alertId, label }))
  const listed = alerts.filter((alert) => holderOf(alert) === undefined)
  return [...others.map((each) => ({ ...each, alerts: alertsOn(each) })), ...listed]
}
