// Which patients of the list are shown, and in which order. All of it is done here and not asked of the service: a key or a letter
// answers at once, also without a network.
import { type QueueName, queueIn } from '../../patients/queue-names.ts'
import type { ListedPatient, ListedStatus, ListedType } from './listed-patient.ts'

const SORTS = ['attention', 'name', 'share', 'daysWithData', 'lastReading', 'lastReview'] as const
export type Sort = (typeof SORTS)[number]
type Order = 'asc' | 'desc'

export type View = { queue: QueueName; find: string; sort: Sort; order: Order }

/** The order in which the service has them. */
const BY_ATTENTION: readonly ListedStatus[] = [
  'attention',
  'review',
  'worse',
  'silent',
  'preparing',
  'noData',
  'reviewed',
  'inTarget',
  'noTarget',
]

/** Who needs attention most comes first; the others begin with the least, or with what is longest ago. */
export const naturalOrder = (sort: Sort): Order => (sort === 'attention' ? 'desc' : 'asc')

export function viewIn(query: URLSearchParams): View {
  const sort = SORTS.find((one) => one === query.get('sort')) ?? 'attention'
  const asked = query.get('order')
  const order = asked === 'asc' || asked === 'desc' ? asked : naturalOrder(sort)
  return { queue: queueIn(query), find: query.get('find') ?? '', sort, order }
}

export const nameOfPatient = ({ sharedAs, patientUid }: Pick<ListedPatient, 'sharedAs' | 'patientUid'>) =>
  sharedAs ?? patientUid

/** The type that a row is about: that of the rule, else the first; those with targets come first. */
export const mainTypeOf = ({ types, rule }: ListedPatient): ListedType | undefined =>
  types.find(({ readingType }) => readingType === rule?.readingType) ?? types[0]

function shareOf(patient: ListedPatient): number | undefined {
  const share = mainTypeOf(patient)?.share
  return share && share.judged > 0 ? share.inTarget / share.judged : undefined
}

/** Without case and accents. */
const searchKey = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function isIn(queue: QueueName, { status, isNew }: ListedPatient): boolean {
  if (queue === 'all') return true
  return queue === 'new' ? isNew : status === queue
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const time = (at: string | null | undefined) => (at ? Date.parse(at) : Number.NEGATIVE_INFINITY)
const byNumber = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1)

const hasUrgentAlert = ({ openAlerts }: ListedPatient) => openAlerts !== null && openAlerts.urgent > 0

type Compare = (one: ListedPatient, other: ListedPatient) => number

/** Each from the least to the most. */
const COMPARE: Record<Sort, Compare> = {
  attention: (one, other) =>
    byNumber(BY_ATTENTION.indexOf(other.status), BY_ATTENTION.indexOf(one.status)) ||
    byNumber(Number(hasUrgentAlert(one)), Number(hasUrgentAlert(other))) ||
    byNumber(time(one.decidedAt), time(other.decidedAt)),
  name: (one, other) => collator.compare(nameOfPatient(one), nameOfPatient(other)),
  share: (one, other) => byNumber(shareOf(one) ?? 2, shareOf(other) ?? 2),
  daysWithData: (one, other) => byNumber(one.daysWithData.withData, other.daysWithData.withData),
  lastReading: (one, other) => byNumber(time(one.lastReadingAt), time(other.lastReadingAt)),
  lastReview: (one, other) => byNumber(time(one.lastReview?.at), time(other.lastReview?.at)),
}

/** Whoever has no share stays behind those with one, in both orders. */
const lacks = (sort: Sort, patient: ListedPatient) =>
  Number(sort === 'share' && shareOf(patient) === undefined)

export function orderOf(patients: Iterable<ListedPatient>, { queue, find, sort, order }: View): string[] {
  const wanted = searchKey(find.trim())
  const found = [...patients].filter(
    (patient) =>
      isIn(queue, patient) &&
      (wanted === '' || searchKey(`${patient.sharedAs ?? ''} ${patient.patientUid}`).includes(wanted)),
  )
  const sign = order === 'asc' ? 1 : -1
  return found
    .toSorted(
      (one, other) =>
        lacks(sort, one) - lacks(sort, other) ||
        sign * COMPARE[sort](one, other) ||
        COMPARE.attention(other, one) ||
        COMPARE.name(one, other) ||
        byNumber(Number(one.patientUid > other.patientUid), Number(other.patientUid > one.patientUid)),
    )
    .map(({ patientUid }) => patientUid)
}

/** How many patients one would have to move, add or take away to make the one order the other. */
export function countChanged(before: readonly string[], after: readonly string[]): number {
  const places = new Map(before.map((uid, place) => [uid, place]))
  const kept = after.flatMap((uid) => places.get(uid) ?? [])
  return before.length - kept.length + (after.length - kept.length) + (kept.length - longestRising(kept))
}

/** Of the longest part that is in order already: `ends` has the least last number of those of each length. */
function longestRising(numbers: readonly number[]): number {
  const ends: number[] = []
  for (const number of numbers) {
    const place = ends.findIndex((end) => end >= number)
    if (place === -1) ends.push(number)
    else ends[place] = number
  }
  return ends.length
}
