// GET patients/list: the patients of the calling doctor, with who needs attention, and by which rule.
import type { Db } from '../../../db/db.ts'
import { DURABLE } from '../../../db/statement.ts'
import { codeOf } from '../../../error-code.ts'
import { type TaggedAnswer, withEtag } from '../../../http/answers/etag.ts'
import { createCursors, isStorable } from '../../../http/pages.ts'
import { refuseFields } from '../../../refusal.ts'
import { searchKeyOf } from '../../../search-key.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { termsFrom } from '../../casesheet/grants/grant.ts'
import { mustBeTimeZone, notATimeZone } from '../../casesheet/statistics/buckets.ts'
import { askForPatients, MAX_ZONES_OF_DOCTOR } from '../summaries/ask-for-patients.ts'
import { KEPT_DAYS } from '../summaries/make-statement.ts'
import { fieldsOf, unitsOf } from '../summaries/what-is-summarised.ts'
import { type Answer, type Counts, DEFAULT_PAGE, type ListQuery, MESSAGE } from './list-contract.ts'
import {
  COUNTED,
  type Listing,
  type ListRow,
  listStatement,
  type PatientRow,
  type Place,
  type TypeRow,
} from './list-statement.ts'
import type { ListedPatient, ListedType } from './listed-patient.ts'
import { wordsFor } from './patient-words.ts'

/** A cursor also names the order in which it was given. */
const { cursorOf, positionOf } = createCursors<Place, [within: string]>({
  form: 'json',
  partsOf: ({ key, listKey, patientUid }, within) => [within, key, listKey, patientUid],
  positionFrom: ([of, key = '', listKey = '', patientUid = ''], within) =>
    of === within && isKey(key) && isStorable(listKey) && isStorable(patientUid)
      ? { key, listKey, patientUid }
      : undefined,
})

/** A number as PostgreSQL prints it, and none that it cannot hold. */
function isKey(key: string): boolean {
  return (
    /^-?Infinity$/.test(key) ||
    (/^-?[0-9.]{1,24}(e[+-]?[0-9]{1,2})?$/.test(key) && !Number.isNaN(Number(key)))
  )
}

/** Of which history of the database, and up to which of its transactions an answer speaks. */
const AS_OF = /^([0-9a-f-]{36}\.[0-9]{1,10})\.([0-9]{1,20})$/

type Asking = {
  doctorId: string
  subject: string
  requestId: string
  /** In which times and dates are written. */
  english: string
}

export function createListMyPatients(db: Db, { hasAlerts, now }: { hasAlerts: boolean; now: () => number }) {
  return async (
    query: ListQuery,
    { doctorId, subject, requestId, english }: Asking,
  ): Promise<TaggedAnswer<string>> => {
    const { timeZone = 'UTC', sort = 'attention', order = 'asc', limit = DEFAULT_PAGE } = query
    mustBeTimeZone(timeZone)
    const since = sinceIn(query.changedSince)
    const within = `${sort} ${order}`
    const after = positionOf(query.cursor, within)
    const at = now()
    const asked = {
      doctorId,
      timeZone,
      now: at,
      statuses: query.status ?? null,
      isNew: query.isNew === undefined ? null : query.isNew === 'true',
      find: query.find === undefined ? null : searchKeyOf(query.find),
      silentAfter: query.silentAfter ?? null,
      worseBy: query.worseBy ?? null,
      limit,
      after,
      sort,
      order,
      requestId,
      subject,
      hasAlerts,
    }
    const row = await readCurrent().catch((error: unknown) => {
      // A zone that Node knows and this PostgreSQL does not.
      throw codeOf(error) === '22023' ? notATimeZone() : error
    })
    return answerFrom(row, { query, timeZone, english, now: at, subject, within })

    async function readCurrent(): Promise<ListRow> {
      const found = await readList(db, { ...asked, changedSince: since?.xid ?? null })
      if (found.is_unasked && !(await askForPatients(db, { doctorId, timeZone, now: at }, subject)))
        throw tooManyZones()
      // Of another history: everything may have changed.
      const isOfOtherHistory = since !== undefined && !found.as_of.startsWith(`${since.history}.`)
      return isOfOtherHistory ? readList(db, { ...asked, changedSince: null }) : found
    }
  }
}

function tooManyZones() {
  const message = `must be one of the ${MAX_ZONES_OF_DOCTOR} time zones in which you have asked today`
  return refuseFields([{ pointer: '/timeZone', message }])
}

async function readList(db: Db, listing: Listing): Promise<ListRow> {
  const statement = { ...listStatement(listing), behind: DURABLE }
  const [row] = await db.query<ListRow>(statement, { subject: listing.subject })
  if (!row) throw new Error('The list of patients has no row.')
  return row
}

function sinceIn(changedSince: string | undefined): { history: string; xid: string } | undefined {
  if (changedSince === undefined) return undefined
  const [, history, xid] = AS_OF.exec(changedSince) ?? []
  if (history === undefined || xid === undefined || BigInt(xid) >= 2n ** 63n)
    throw refuseFields([{ pointer: '/changedSince', message: 'must be asOf of an earlier answer' }])
  return { history, xid }
}

type Answering = {
  query: ListQuery
  timeZone: string
  english: string
  now: number
  subject: string
  /** The order, as cursors name it. */
  within: string
}

/** The tag is that of all but asOf, which moves on while nothing changes. */
function answerFrom(row: ListRow, answering: Answering): TaggedAnswer<string> {
  const { timeZone, within } = answering
  const patients = row.patients ?? []
  const last = row.has_more ? patients.at(-1) : undefined
  const counts = Object.fromEntries(COUNTED.map((name, index) => [name, row.counts[index] ?? 0])) as Counts
  const rest: Omit<Answer, 'asOf'> = {
    code: 'Ok',
    message: MESSAGE,
    timeZone,
    behindSince: instantOrNull(row.behind_since),
    counts,
    data: patients.map((patient) => patientFrom(patient, answering)),
    nextCursor: last ? cursorAfter(last, within) : null,
  }
  const { etag } = withEtag(JSON.stringify(rest))
  return { body: JSON.stringify({ ...rest, asOf: row.as_of }), etag }
}

function cursorAfter({ key, list_key, patient_uid }: PatientRow, within: string): string {
  return cursorOf({ key, listKey: list_key, patientUid: patient_uid }, within)
}

function patientFrom(row: PatientRow, { query, timeZone, english, now, subject }: Answering): ListedPatient {
  const { status } = row
  const typed = (row.types ?? []).map((type) => typeFrom(type))
  const lastReadingAt = instantOrNull(row.last_at)
  const lastReview = row.reviewed_at === null ? null : { at: instantFrom(row.reviewed_at, 6), note: row.note }
  const { silentAfter, worseBy } = query
  return {
    patientUid: row.patient_uid,
    ...termsFrom(row),
    sharedSince: instantFrom(row.given_at, 6),
    status,
    ...wordsFor({
      status,
      types: typed,
      alert: row.alert,
      lastReadingAt,
      lastReview,
      isLimited: row.reading_types !== null,
      timeZone,
      english,
      now,
      subject,
      silentAfter,
      worseBy,
    }),
    decidedAt: instantOrNull(row.decided_at),
    openAlerts: openAlertsOf(row),
    acknowledgedAlerts: row.acknowledged_alerts,
    isPreparing: !row.is_made,
    isNew: row.is_new,
    behindSince: instantOrNull(row.behind_since),
    lastReadingAt,
    lastReview,
    daysWithData: {
      days: KEPT_DAYS,
      withData: row.days_with_data ?? 0,
      fromDevices: row.days_with_devices ?? 0,
    },
    types: typed.map(({ due: _due, ...type }) => type),
  }
}

function openAlertsOf({ alerts }: PatientRow): ListedPatient['openAlerts'] {
  if (alerts === null) return null
  const [urgent = 0, warning = 0, notice = 0] = alerts
  return { urgent, warning, notice }
}

const instantOrNull = (text: string | null) => (text === null ? null : instantFrom(text, 6))

const SIDES = { '-1': 'below', '0': 'in', '1': 'above' } as const
const sideOf = (side: number) => SIDES[String(side) as keyof typeof SIDES]

function typeFrom(row: TypeRow): ListedType & Pick<TypeRow, 'due'> {
  const { newest, newest_at, farthest, farthest_at, farthest_side } = row
  const fields = fieldsOf(row.reading_type)
  const units = unitsOf(row.reading_type)
  const byField = (values: readonly (number | null)[] | null) =>
    Object.fromEntries(
      fields.flatMap((field, index) => {
        const value = values?.[index]
        return value === null || value === undefined ? [] : [[field, value]]
      }),
    )
  // A target in another unit was set since the values were made: they are not compared with it yet.
  const isMade = (unit: string) => unit === row.unit || !units.some((own) => own === unit)
  const targets = (row.targets ?? [])
    .filter(({ unit }) => isMade(unit))
    .toSorted((a, b) => fields.indexOf(a.field) - fields.indexOf(b.field))
  const sides = Object.entries(byField(row.newest_sides)).map(([field, side]) => [field, sideOf(side)])
  return {
    readingType: row.reading_type,
    unit: row.unit,
    newest:
      newest === null || newest_at === null
        ? null
        : { at: instantFrom(newest_at, 6), values: byField(newest), sides: Object.fromEntries(sides) },
    targets: targets.map(({ changed_by, changed_at, ...terms }) => ({
      ...terms,
      setBy: changed_by,
      setAt: instantFrom(changed_at, 6),
    })),
    ...judgedIn(row),
    farthest:
      farthest === null || farthest_at === null || farthest_side === null
        ? null
        : {
            at: instantFrom(farthest_at, 6),
            values: byField(farthest),
            side: farthest_side < 0 ? 'below' : 'above',
          },
    days: (row.days ?? []).map(({ date, readings, judged, in_target, lowest, highest }) => ({
      date,
      readings,
      judged,
      inTarget: in_target,
      lowest: byField(lowest),
      highest: byField(highest),
    })),
    due: row.due,
  }
}

function judgedIn(row: TypeRow): Pick<ListedType, 'share' | 'bands'> {
  const { judged, in_target: inTarget } = row
  const before = { judged: row.judged_before, inTarget: row.in_target_before }
  const bands = {
    veryLow: row.far_below,
    low: row.below - row.far_below,
    in: inTarget,
    high: row.above - row.far_above,
    veryHigh: row.far_above,
  }
  return { share: row.has_target ? { judged, inTarget, before } : null, bands: row.has_goal ? bands : null }
}
