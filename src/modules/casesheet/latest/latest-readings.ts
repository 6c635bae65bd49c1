// GET readings/latest: the newest reading of each type of a patient, or of the types asked for. The index by type is gone
// down once for each type, so it does not matter how many readings there are, nor how long ago a type was last measured.
import { type Static, Type } from 'typebox'
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { type Refusal, refuseFields } from '../../../refusal.ts'
import type { Reader } from '../access.ts'
import { countReads } from '../access-log/access-entry.ts'
import { charOf, printList, READING_AS_TEXT, READING_END } from '../get/print-readings.ts'
import { STORED_HEART_RATE, STORED_SYMPTOM } from '../get/stored-examples.ts'
import { PatientUid, ReadingType } from '../reading.ts'

const MAX_IN_FLIGHT = 2
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
  },
  { additionalProperties: false },
)
type LatestQuery = Static<typeof LatestQuery>

const LatestAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'StoredReading#' })),
  },
  {
    description:
      'The newest reading of each type, in order of their types; none of a type that was never sent.',
    examples: [
      {
        code: 'Ok',
        message: 'Latest readings obtained successfully.',
        data: [STORED_HEART_RATE, STORED_SYMPTOM],
      },
    ],
  },
)

export const latestContract = {
  tags: ['casesheet'],
  operationId: 'latestReadings',
  summary: 'Fetch the newest reading of each type',
  description:
    'The newest is the one measured last, whenever it arrived. patientUid may be left out when the token names exactly ' +
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

type LatestRequest = { patientUid: string; readingTypes: string[] | null; reader: Reader; budget: number }

/** Answers, as JSON, in a statement that concurrent requests of the same kind share. */
export function createLatestReadings(db: Db) {
  const reads = countReads(db.metrics, 'readings/latest')
  const share = (kind: Kind) =>
    shareStatements<LatestRequest, Row, Row>(db, {
      kind: 'latest',
      statementFor: (requests) => latestStatement(kind, requests),
      answersFrom: (rows) => rows,
      weightOf: ({ readingTypes, budget }) => Math.max(budget, bytesOf(readingTypes?.length ?? MAX_TYPES)),
      maxWeight: MAX_WEIGHT,
      maxInFlight: MAX_IN_FLIGHT,
    })
  const ask = { 'of-all-types': share('of-all-types'), 'of-some-types': share('of-some-types') }
  return async (
    { patientUid, readingType }: LatestQuery & { patientUid: string },
    { reader, isGone }: { reader: Reader; isGone: IsGone },
  ): Promise<string> => {
    const readingTypes = readingType ? [...new Set(readingType)] : null
    const kind: Kind = readingTypes ? 'of-some-types' : 'of-all-types'
    const request = { patientUid, readingTypes, reader }
    const budget = Math.min(MAX_BYTES, bytesOf(readingTypes?.length ?? MAX_TYPES))
    let row = await ask[kind]({ ...request, budget }, isGone)
    const isTooSmall = row.readings === null && row.found <= MAX_TYPES && budget < MAX_BYTES
    if (isTooSmall) row = await ask[kind]({ ...request, budget: MAX_BYTES }, isGone)
    const { found, readings } = row
    if (readings === null) throw tooMuch(found, readingTypes)
    reads.rows++
    reads.readings += found
    const { text } = printList(readings, found, patientUid)
    return `{"code":"Ok","message":"Latest readings obtained successfully.","data":[${text}]}`
  }
}

function bytesOf(types: number): number {
  return types * BYTES_OF_TYPE
}

function tooMuch(found: number, readingTypes: string[] | null): Refusal {
  const reason =
    found > MAX_TYPES
      ? `this patient has readings of more than ${MAX_TYPES} types`
      : 'the newest readings take more than 1 MiB together'
  const message = readingTypes ? `must name fewer types: ${reason}` : `is required: ${reason}`
  return refuseFields([{ pointer: '/readingType', message }])
}

type Kind = 'of-all-types' | 'of-some-types'
/** `readings` is null where there are too many types, or the readings take more bytes than the budget. */
type Row = { found: number; readings: string | null }

export function latestStatement(kind: Kind, requests: LatestRequest[]) {
  return {
    name: `latest-readings-${kind}`,
    text: latestText(NEWEST[kind]),
    values: [
      textArray(requests.map(({ patientUid }) => patientUid)),
      // Types hold no comma; an array of arrays could not be taken apart again.
      textArray(requests.map(({ readingTypes }) => readingTypes?.join() ?? null)),
      textArray(requests.map(({ reader }) => reader.requestId)),
      textArray(requests.map(({ reader }) => reader.readBy)),
      textArray(requests.map(({ reader }) => reader.allowedAs)),
      plainArray(requests.map(({ budget }) => budget)),
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

const NEWEST: Record<Kind, string> = {
  'of-some-types': `
    select newest.*
    from unnest(string_to_array(asked.reading_types, ',')) as wanted (reading_type)
    cross join lateral (${newestWhere('reading_type >= wanted.reading_type and reading_type <= wanted.reading_type')}) as newest`,
  // From the last type to the one before it, until there is none.
  'of-all-types': `
    with recursive newest as (
      select 1 as nth, last_type.*
      from (${newestWhere('true')}) as last_type
      union all
      select newest.nth + 1, type_before.*
      from newest
      cross join lateral (${newestWhere('reading_type < newest.reading_type')}) as type_before
      where newest.nth <= ${MAX_TYPES}
    )
    select ${COLUMNS}
    from newest`,
}

function latestText(newest: string): string {
  return `
    with asked as (
      select *
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[]) with ordinality
        as asked (patient_uid, reading_types, request_id, read_by, allowed_as, budget, number)
    ), latest as materialized (
      select asked.number, of_patient.found,
        case when of_patient.found <= ${MAX_TYPES} and of_patient.bytes <= asked.budget then of_patient.readings end as readings
      from asked
      cross join lateral (
        select count(*)::integer as found, coalesce(max(bytes), 0) as bytes,
          coalesce(string_agg(reading, ${charOf(READING_END)}) filter (where bytes <= asked.budget), '') as readings
        from (
          select reading, sum(octet_length(reading)) over (rows unbounded preceding) as bytes
          from (
            select ${READING_AS_TEXT} as reading
            from (
              select ${COLUMNS}
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
      select asked.patient_uid, 'readings/latest', string_to_array(asked.reading_types, ','), '-infinity', 'infinity',
        asked.request_id, 0, asked.read_by, asked.allowed_as, latest.found
      from asked
      join latest using (number)
      -- What is refused, or asked for again with a larger budget, has read nothing.
      where latest.readings is not null
    )
    select found, readings
    from latest
    order by number`
}
