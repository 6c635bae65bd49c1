// GET readings/latest: the newest reading of each type of a patient, or of the types asked for, up to a time. Two descents of the index by
// type for each type: so it does not matter how many readings there are before and beyond that time, nor how long ago a type was last
// measured. Only withdrawn readings that are newer cost: they are walked over.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { MAX_OF_SUBJECT } from '../../../db/open-of-subject.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { MAX_VALUE_BYTES } from '../../../http/json/strict-json.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { refuseFields } from '../../../refusal.ts'
import { MAY_NOT_READ } from '../access.ts'
import { countReads } from '../access-log/access-entry.ts'
import { AccessReason } from '../access-log/access-reason.ts'
import { logEach, OF_ALL_TIME, type Proved, type Read } from '../access-log/log-reads.ts'
import { EpochTime, instantOf } from '../epoch-time.ts'
import { withdrawnParameter } from '../get/get-readings.ts'
import { type ListedReading, printReading, readingsIn } from '../get/print-readings.ts'
import type { Withdrawn } from '../get/range.ts'
import { STORED_HEART_RATE, STORED_SYMPTOM } from '../get/stored-examples.ts'
import { LimitedTo, printLimitedTo, typesFor } from '../grants/limited-to.ts'
import { mustStillBeGranted } from '../grants/reading-grants.ts'
import type { Reader } from '../reader.ts'
import { PatientUid, ReadingType } from '../reading.ts'
import { type LatestRequest, latestStatement, MAX_BYTES, MAX_TYPES, type Row } from './latest-statement.ts'

const MAX_IN_FLIGHT = 2
// A statement may bring so many bytes: 16 answers about all types, or 256 about one.
const MAX_WEIGHT = 16 * MAX_BYTES
// By default nothing later is shown: a reading of a device whose clock is years ahead would be the newest until then. Clocks that
// are a little ahead are usual.
const MAX_AHEAD_MS = 5 * 60_000

const LatestQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    readingType: Type.Optional(
      Type.Array(ReadingType, {
        maxItems: 50,
        description: 'Only the newest reading of this type; may be repeated.',
        ...exampleBeside(['symptom', 'heartRate']),
      }),
    ),
    to: Type.Optional(
      Type.Number({
        ...EpochTime(1_762_041_600),
        description:
          'Epoch end time, included: the newest up to then. By default five minutes from now, so that a device whose clock is ' +
          'far ahead hides nothing. Epoch seconds when below 100000000000, epoch milliseconds from there on.',
      }),
    ),
    withdrawn: withdrawnParameter,
  },
  { additionalProperties: false },
)
type LatestQuery = Static<typeof LatestQuery>

const LatestAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'StoredReading#' })),
    typesBeyond: Type.Integer({
      minimum: 0,
      description:
        'Number of the types asked for that have readings later than `to`. Those are not in `data`.',
    }),
    limitedTo: LimitedTo,
  },
  {
    description:
      'The newest reading of each type up to `to`, in order of their types; none of a type that was not sent until then.',
    examples: [
      {
        code: 'Ok',
        message: 'Latest readings obtained successfully.',
        data: [STORED_HEART_RATE, STORED_SYMPTOM],
        typesBeyond: 0,
      },
    ],
  },
)

export const latestContract = {
  tags: ['casesheet'],
  operationId: 'latestReadings',
  summary: 'Fetch the newest reading of each type',
  description:
    'The newest is the one measured last up to `to`, whenever it arrived. patientUid may be left out when the token names exactly ' +
    'one patient. At most 200 types and a mebibyte of readings are answered: beyond that, name fewer types. Every read is ' +
    'logged before it is answered.',
  querystring: LatestQuery,
  headers: Type.Object(AccessReason),
  response: {
    // Sent as text, made of the stored texts.
    200: Type.Unsafe<string>(LatestAnswer),
    ...errorAnswers(() => checkFor(LatestQuery)({ limit: 0 }), ...MAY_NOT_READ, 'MisdirectedRequest'),
  },
}

/** The newest readings, in the order of their types; or why they are too many for one answer. */
type Latest = { readings: ListedReading[]; typesBeyond: number } | { tooMuch: string }

type LoggedRow = Row & Proved

/** What is refused shows nothing. */
function readOf({ patientUid, readingTypes, to, reader }: LatestRequest, { readings, found }: Row): Read {
  const count = readings === null ? null : found
  return { patientUid, operation: 'readings/latest', readingTypes, ...OF_ALL_TIME, to, reader, count }
}

export type FindLatest = ReturnType<typeof createFindLatest>

/** Finds them in a statement that concurrent requests share. */
export function createFindLatest(db: Db, now: () => number) {
  const reads = countReads(db.metrics, 'readings/latest')
  const share = (withdrawn: Withdrawn) =>
    shareStatements<LatestRequest, LoggedRow, LoggedRow>(db, {
      kind: 'latest',
      statementFor: (requests) =>
        logEach(latestStatement(requests, withdrawn), (row, index) =>
          readOf(requests[index] as LatestRequest, row as Row),
        ),
      answersFrom: (rows) => rows,
      subjectOf: ({ reader }) => reader.readBy,
      maxOfSubject: MAX_OF_SUBJECT,
      weightOf: ({ readingTypes }) =>
        Math.min(MAX_BYTES, (readingTypes?.length ?? MAX_TYPES) * MAX_VALUE_BYTES),
      maxWeight: MAX_WEIGHT,
      maxInFlight: MAX_IN_FLIGHT,
    })
  const ask = { 'left-out': share('left-out'), shown: share('shown') }
  return async (
    { patientUid, readingType, withdrawn, to = now() + MAX_AHEAD_MS }: LatestQuery & { patientUid: string },
    { reader, isGone }: { reader: Reader; isGone: IsGone },
  ): Promise<Latest> => {
    const readingTypes = typesFor(reader, readingType ? [...new Set(readingType)] : null)
    const request = { patientUid, readingTypes, to: instantOf(to), reader }
    const row = await ask[withdrawn === 'include' ? 'shown' : 'left-out'](request, isGone)
    mustStillBeGranted(row)
    const { types, types_beyond: typesBeyond, found, readings } = row
    if (readings === null) return { tooMuch: whyTooMuch(types) }
    reads.rows++
    reads.readings += found
    return { readings: readingsIn(readings, found), typesBeyond }
  }
}

/** The answer, as JSON. */
export function createLatestReadings(findLatest: FindLatest) {
  return async (...asked: Parameters<FindLatest>): Promise<string> => {
    const [{ patientUid, readingType }, { reader }] = asked
    const latest = await findLatest(...asked)
    if ('tooMuch' in latest) {
      const isNamed = typesFor(reader, readingType ?? null) !== null
      const message = `${isNamed ? 'must name fewer types' : 'is required'}: ${latest.tooMuch}`
      throw refuseFields([{ pointer: '/readingType', message }])
    }
    const patient = JSON.stringify(patientUid)
    const text = latest.readings.map((reading) => printReading(reading, patient)).join()
    return `{"code":"Ok","message":"Latest readings obtained successfully.","data":[${text}],"typesBeyond":${latest.typesBeyond}${printLimitedTo(reader)}}`
  }
}

function whyTooMuch(types: number): string {
  return types > MAX_TYPES
    ? `this patient has readings of more than ${MAX_TYPES} types`
    : 'the newest readings take more than 1 MiB together'
}
