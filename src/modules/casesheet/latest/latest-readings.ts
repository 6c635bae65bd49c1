// GET readings/latest: the newest reading of each type of a patient, or of the types asked for, up to a time. The index by type is
// gone down once for each type, and once more for a type that has readings beyond that time. So it does not matter how many
// readings there are before and beyond it, nor how long ago a type was last measured.
import { type Static, Type } from 'typebox'
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { type Refusal, refuseFields } from '../../../refusal.ts'
import { countReads } from '../access-log/count-reads.ts'
import { EpochTime, instantOf } from '../epoch-time.ts'
import { STORED_HEART_RATE, STORED_SYMPTOM } from '../example-readings.ts'
import type { Reader } from '../get/read-page.ts'
import { charOf, printList, READING_AS_TEXT, READING_END } from '../print-readings.ts'
import { PatientUid, ReadingType } from '../reading.ts'

const LANES = 2
// A patient's types are few. Whoever makes up more than this must name those they want, of which 50 may be asked for.
const MAX_TYPES = 200
const KIB = 1_024
// Of listed readings in one answer. One reading always fits.
const MAX_BYTES = 1_024 * KIB
// A statement may bring so many bytes: four answers about all types, or 800 about one type of ordinary size.
const MAX_WEIGHT = 8_192 * KIB
// A type costs a descent of the index, which weighs as much, and gets this budget at first. A request whose readings are larger is
// sent once more with the budget of a full answer.
const BYTES_OF_TYPE = 10 * KIB
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
  response: {
    // Sent as text, made of the stored texts.
    200: Type.Unsafe<string>(LatestAnswer),
    ...errorAnswers(
      checkFor(LatestQuery)({ limit: 0 }),
      'PatientMismatch',
      'PatientNotInToken',
      'ScopeMissing',
    ),
  },
}

type LatestRequest = {
  patientUid: string
  readingTypes: string[] | null
  /** As RFC 3339. */
  to: string
  reader: Reader
  budget: number
}

/** Answers, as JSON, in a statement that concurrent requests of the same kind share. */
export function createLatestReadings(db: Db, now: () => number) {
  const reads = countReads(db.metrics, 'readings/latest')
  const share = (kind: Kind) =>
    shareStatements<LatestRequest, Row, Row>(db, {
      kind: 'latest',
      statementFor: (requests) => latestStatement(kind, requests),
      answersFrom: (rows) => rows,
      weightOf: ({ readingTypes, budget }) => Math.max(budget, bytesOf(readingTypes?.length ?? MAX_TYPES)),
      maxWeight: MAX_WEIGHT,
      lanes: LANES,
    })
  const ask = { 'of-all-types': share('of-all-types'), 'of-some-types': share('of-some-types') }
  return async (
    { patientUid, readingType, to = now() + MAX_AHEAD_MS }: LatestQuery & { patientUid: string },
    { reader, isGone }: { reader: Reader; isGone: IsGone },
  ): Promise<string> => {
    const readingTypes = readingType ? [...new Set(readingType)] : null
    const kind: Kind = readingTypes ? 'of-some-types' : 'of-all-types'
    const request = { patientUid, readingTypes, to: instantOf(to), reader }
    const budget = Math.min(MAX_BYTES, bytesOf(readingTypes?.length ?? MAX_TYPES))
    let row = await ask[kind]({ ...request, budget }, isGone)
    const isTooSmall = row.readings === null && row.types <= MAX_TYPES && budget < MAX_BYTES
    if (isTooSmall) row = await ask[kind]({ ...request, budget: MAX_BYTES }, isGone)
    const { types, types_beyond: typesBeyond, found, readings } = row
    if (readings === null) throw tooMuch(types, readingTypes)
    reads.rows++
    reads.readings += found
    const { text } = printList(readings, found, patientUid)
    return `{"code":"Ok","message":"Latest readings obtained successfully.","data":[${text}],"typesBeyond":${typesBeyond}}`
  }
}

function bytesOf(types: number): number {
  return types * BYTES_OF_TYPE
}

function tooMuch(types: number, readingTypes: string[] | null): Refusal {
  const reason =
    types > MAX_TYPES
      ? `this patient has readings of more than ${MAX_TYPES} types`
      : 'the newest readings take more than 1 MiB together'
  const message = readingTypes ? `must name fewer types: ${reason}` : `is required: ${reason}`
  return refuseFields([{ pointer: '/readingType', message }])
}

type Kind = 'of-all-types' | 'of-some-types'
/** `readings` is null where there are too many types, or the readings take more bytes than the budget. */
type Row = { types: number; types_beyond: number; found: number; readings: string | null }

export function latestStatement(kind: Kind, requests: LatestRequest[]) {
  return {
    name: `latest-readings-${kind}`,
    text: latestText(newestOf(kind)),
    values: [
      textArray(requests.map(({ patientUid }) => patientUid)),
      // Types hold no comma; an array of arrays could not be taken apart again.
      textArray(requests.map(({ readingTypes }) => readingTypes?.join() ?? null)),
      textArray(requests.map(({ reader }) => reader.requestId)),
      textArray(requests.map(({ reader }) => reader.readBy)),
      textArray(requests.map(({ reader }) => reader.allowedAs)),
      plainArray(requests.map(({ budget }) => budget)),
      plainArray(requests.map(({ to }) => to)),
    ],
  }
}

const COLUMNS = 'reading_type, sent_timestamp, reading_id, measured_at, received_at, details'
// Comparing types by order and not for equality leaves no index but the one by type. Equality would let the planner walk
// back through all readings of the patient, on the guess that one of this type comes soon.
const newestWhere = (isOfType: string) => `
  select ${COLUMNS}
  from casesheet.readings
  where patient_uid = asked.patient_uid
    and ${isOfType}
  order by reading_type desc, measured_at desc, reading_id desc
  limit 1`

const LAST_OF_TYPES: Record<Kind, string> = {
  'of-some-types': `
    last_of_types as (
      select newest.*
      from unnest(string_to_array(asked.reading_types, ',')) as wanted (reading_type)
      cross join lateral (${newestWhere('reading_type >= wanted.reading_type and reading_type <= wanted.reading_type')}) as newest
    )`,
  // From the last type to the one before it, until there is none.
  'of-all-types': `
    newest as (
      select 1 as nth, last_type.*
      from (${newestWhere('true')}) as last_type
      union all
      select newest.nth + 1, type_before.*
      from newest
      cross join lateral (${newestWhere('reading_type < newest.reading_type')}) as type_before
      where newest.nth <= ${MAX_TYPES}
    ), last_of_types as (
      select ${COLUMNS}
      from newest
    )`,
}

// One row for each type: its last reading, or where that is beyond the range the last one within, which may be none. The row
// comparison is where the scan of the index begins; `measured_at <= to` beside an order of types would only filter, and read all
// readings beyond.
const newestOf = (kind: Kind) => `
  with recursive ${LAST_OF_TYPES[kind]}
  select ${COLUMNS}, false as has_beyond
  from last_of_types
  where measured_at <= asked.range_to
  union all
  select last.reading_type, within.sent_timestamp, within.reading_id, within.measured_at, within.received_at, within.details, true
  from last_of_types as last
  left join lateral (
    ${newestWhere('(reading_type, measured_at) <= (last.reading_type, asked.range_to) and reading_type >= last.reading_type')}
  ) as within on true
  where last.measured_at > asked.range_to`

function latestText(newest: string): string {
  return `
    with asked as (
      select *
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::timestamptz[]) with ordinality
        as asked (patient_uid, reading_types, request_id, read_by, allowed_as, budget, range_to, number)
    ), latest as materialized (
      select asked.number, of_patient.types, of_patient.types_beyond, of_patient.found,
        case when of_patient.types <= ${MAX_TYPES} and of_patient.bytes <= asked.budget then of_patient.readings end as readings
      from asked
      cross join lateral (
        select count(*)::integer as types, (count(*) filter (where has_beyond))::integer as types_beyond,
          count(reading)::integer as found, coalesce(max(bytes), 0) as bytes,
          coalesce(string_agg(reading, ${charOf(READING_END)}) filter (where bytes <= asked.budget), '') as readings
        from (
          select reading, has_beyond, sum(octet_length(reading)) over (rows unbounded preceding) as bytes
          from (
            -- Null for a type that has no reading within the range.
            select case when reading_id is not null then ${READING_AS_TEXT} end as reading, has_beyond
            from (
              select ${COLUMNS}, has_beyond
              from (${newest}) as newest_of_types
              order by reading_type
            ) as in_order
            offset 0
          ) as listed
        ) as summed
      ) as of_patient
    ), logged as (
      insert into casesheet.access_log
        (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
      select asked.patient_uid, 'readings/latest', string_to_array(asked.reading_types, ','), '-infinity', asked.range_to,
        asked.request_id, 0, asked.read_by, asked.allowed_as, latest.found
      from asked
      join latest using (number)
      -- What is refused, or asked for again with a larger budget, has read nothing.
      where latest.readings is not null
    )
    select types, types_beyond, found, readings
    from latest
    order by number`
}
