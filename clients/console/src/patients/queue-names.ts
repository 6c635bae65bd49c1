// The queues of a doctor's list: patients by what is to be done.
import { countText } from '../format/numbers.ts'

/** In the order in which they are worked through. */
export const QUEUES = [
  'all',
  'attention',
  'review',
  'worse',
  'silent',
  'new',
  'inTarget',
  'reviewed',
] as const
export type QueueName = (typeof QUEUES)[number]

const WORDS: Record<Exclude<QueueName, 'silent'>, string> = {
  all: 'All',
  attention: 'Needs attention now',
  review: 'Review',
  worse: 'Getting worse',
  new: 'New since I looked',
  inTarget: 'In target',
  reviewed: 'Looked at',
}

/** `silentAfter`: days, a rule of the list. */
export function queueWord(queue: QueueName, silentAfter: number | null): string {
  if (queue !== 'silent') return WORDS[queue]
  return silentAfter === null ? 'No data' : `No data for ${countText(silentAfter, 'day')}`
}

export const queueIn = (query: URLSearchParams): QueueName =>
  QUEUES.find((queue) => queue === query.get('queue')) ?? 'all'
