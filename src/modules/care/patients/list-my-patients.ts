// GET patients/list: the patients of the calling doctor. The facts of all are read in one statement and judged here (status/); what is shown of a
// page beside, and what is logged of it, is a second statement behind the first.
import type { Db } from '../../../db/db.ts'
import { type TaggedAnswer, withEtag } from '../../../http/answers/etag.ts'
import { createCursors, cutPage, isStorable } from '../../../http/pages.ts'
import { searchKeyOf } from '../../../search-key.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { HOUR, timeOf } from '../status/beyond.ts'
import { comparePlaces, placeOf, QUEUES } from '../status/reason.ts'
import { statusOf } from '../status/status-of.ts'
import { entryOf, type Judged, toShow } from './entry-of-patient.ts'
import { daysWithData, factsOf, newestReading } from './facts-of-patient.ts'
import { factsStatement, type PatientRow } from './facts-statement.ts'
import { type Known, KnownSums, nothingAt } from './known-sums.ts'
import {
  type Answer,
  type Counts,
  DEFAULT_PAGE,
  type ListQuery,
  MESSAGE,
  type Order,
  type Sort,
} from './list-contract.ts'
import { type Asking, pageStatement, type ShownRow } from './page-statement.ts'

/** Where a patient stands in the order: the numbers, then the name. `at`: as of when it was judged. */
type Place = { key: number[]; listKey: string; patientUid: string; at: number }

/** A cursor also names the order in which it was given. */
const { cursorOf, positionOf } = createCursors<Place, [within: string]>({
  form: 'json',
  partsOf: ({ at, key, listKey, patientUid }, within) => [
    within,
    `${at}`,
    listKey,
    patientUid,
    ...key.map(String),
  ],
  positionFrom: ([of, at, listKey = '', patientUid = '', ...key], within) => {
    const place = { at: Number(at), key: key.map(Number), listKey, patientUid }
    const isPlace =
      [place.at, ...place.key].every(Number.isFinite) && isStorable(listKey) && isStorable(patientUid)
    return of === within && isPlace ? place : undefined
  },
})

type Deps = { hasAlerts: boolean; now: () => number }

export function createListMyPatients(db: Db, { hasAlerts, now }: Deps) {
  const knownSums = new KnownSums()
  return async (query: ListQuery, asking: Asking): Promise<TaggedAnswer<string>> => {
    const { sort = 'attention', order = 'asc', limit = DEFAULT_PAGE, patientUid } = query
    const { doctorId, practiceIds, subject } = asking
    const within = `${sort} ${order}`
    const after = positionOf(query.cursor, within)
    // All pages are judged as of the first, or a patient whose silence grows would pass another between two of them.
    const at = after && after.at <= now() && now() - after.at < HOUR ? after.at : now()
    const known = patientUid === undefined ? knownSums.of(doctorId, at) : nothingAt(at)
    const made = { list: listOf([]), rows: [] as PatientRow[] }
    const shown = await db.query<ShownRow>(
      {
        ...factsStatement({ doctorId, practiceIds, patientUid, hasAlerts, now: at, known: known.of }),
        behind: {
          statementFor: (rows) => {
            made.rows = withKnown(rows as PatientRow[], known)
            made.list = listOf(made.rows)
            return pageStatement(made.list.page.map(toShow), { ...asking, now: at })
          },
          answersFrom: (_, page) => page,
        },
      },
      { subject },
    )
    // Behind the commit: what a primary read that was cut off is not kept.
    if (patientUid === undefined) knownSums.keep(doctorId, known, made.rows)
    return answerFrom(made.list, shown)

    function listOf(rows: PatientRow[]) {
      const all = rows.map((row) => judge(row, asking, at))
      const placed = all
        .filter(isWanted(query))
        .map((judged) => ({ ...judged, ...placeIn(judged, sort, order) }))
      const compare = comparerOf(sort, order)
      const left = placed.filter((each) => !after || compare(each, after) > 0).toSorted(compare)
      const cut = cutPage(left, limit, (last) => cursorOf({ ...last, at }, within))
      return { ...cut, counts: countsOf(all), behindSince: rows[0]?.behind_since ?? null }
    }
  }
}

const withKnown = (rows: PatientRow[], { of }: Known) =>
  rows.map((row) => {
    const known = of.get(row.patient_uid)
    return known?.version === row.version ? { ...row, sums: known.sums } : row
  })

function judge(row: PatientRow, { doctorId, practiceIds }: Asking, now: number): Judged {
  const facts = factsOf(row, { doctorId, practiceIds, now })
  return { row, facts, status: statusOf(facts, now), now }
}

function isWanted({ queue, find }: ListQuery) {
  const searched = find === undefined ? '' : searchKeyOf(find)
  return ({ row: { list_key: name, patient_uid: patientUid }, status }: Judged) =>
    (queue === undefined || queue.includes(status.queue)) &&
    (name.includes(searched) || patientUid.toLowerCase().includes(searched))
}

/** By which numbers patients are ordered, the least first; what never was comes first. */
const KEYS: Record<Sort, (judged: Judged) => number[]> = {
  attention: ({ status }) => placeOf(status),
  name: () => [],
  daysWithData: ({ row, now }) => [daysWithData(row, now)],
  lastReading: ({ row }) => [Math.max(0, ...(row.newest ?? []).map((each) => timeOf(newestReading(each))))],
  lastLook: ({ row }) => [row.last_looked_at ?? 0],
}

function placeIn(judged: Judged, sort: Sort, order: Order) {
  const key = KEYS[sort](judged).map((part) => (order === 'desc' ? 0 - part : part))
  return { key, listKey: judged.row.list_key, patientUid: judged.row.patient_uid }
}

type Placed = Omit<Place, 'at'>

/** Equal ones stand in the order of their names, from first to last but where names are asked for from the last. */
function comparerOf(sort: Sort, order: Order) {
  const direction = sort === 'name' && order === 'desc' ? -1 : 1
  const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -direction : direction)
  return (a: Placed, b: Placed) =>
    comparePlaces(a.key, b.key) || byText(a.listKey, b.listKey) || byText(a.patientUid, b.patientUid)
}

function countsOf(all: Judged[]): Counts {
  const inQueue = QUEUES.map((queue) => [queue, all.filter(({ status }) => status.queue === queue).length])
  const sharing = all[0]?.row.sharing ?? 0
  return { all: all.length, ...Object.fromEntries(inQueue), beyond: sharing - all.length }
}

type Made = { page: Judged[]; nextCursor: string | null; counts: Counts; behindSince: string | null }

/** Without those who do not share any more. */
function answerFrom(
  { page, nextCursor, counts, behindSince }: Made,
  shown: ShownRow[],
): TaggedAnswer<string> {
  const rowOf = new Map(shown.map((row) => [row.patient_uid, row]))
  const answer: Answer = {
    code: 'Ok',
    message: MESSAGE,
    behindSince: behindSince === null ? null : instantFrom(behindSince, 6),
    counts,
    data: page.flatMap((judged) => {
      const row = rowOf.get(judged.row.patient_uid)
      return row ? [entryOf(judged, row)] : []
    }),
    nextCursor,
  }
  return withEtag(JSON.stringify(answer))
}
