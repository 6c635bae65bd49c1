// POST readings/add: stores one reading or a list of them in one statement, all or none. `Ok` means committed; a reading
// that is there already stays as it is.
import { type Static, Type } from 'typebox'
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { mapInPieces } from '../../../http/json/pieces.ts'
import { MAX_DEPTH, MAX_KEY_BYTES, MAX_NUMBER_CHARS } from '../../../http/json/scan-json.ts'
import {
  MAX_BODY_VALUES,
  MAX_FIELDS,
  MAX_VALUE_BYTES,
  readingTooLarge,
} from '../../../http/json/strict-json.ts'
import type { Check } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { countEach, type Metrics } from '../../../metrics/metrics.ts'
import { instantOf } from '../epoch-time.ts'
import {
  checkReading,
  checkReadings,
  EXAMPLE_HEART_RATE,
  EXAMPLE_SYMPTOM,
  MAX_READINGS,
  type Reading,
} from '../reading.ts'
import { textsOf } from '../reading-id.ts'
import { type AddVerdicts, EXAMPLE_VERDICTS } from './add-verdict.ts'
import type { RefusedPatients } from './refused-patients.ts'

const AddBody = Type.Unsafe<Reading | Reading[]>({
  anyOf: [
    { $ref: 'Reading#' },
    { type: 'array', items: { $ref: 'Reading#' }, minItems: 1, maxItems: MAX_READINGS },
  ],
  'x-examples': {
    symptom: { summary: 'A symptom', value: EXAMPLE_SYMPTOM },
    otherType: {
      summary: 'A type of the catalogue; any other type is accepted too',
      value: EXAMPLE_HEART_RATE,
    },
    list: { summary: 'A list, stored all or none', value: [EXAMPLE_SYMPTOM, EXAMPLE_HEART_RATE] },
  },
})

export const AddAnswer = Type.Object(
  { code: Type.Literal('Ok'), message: Type.String() },
  { $id: 'AddAnswer', description: 'Committed.' },
)
type AddAnswer = Static<typeof AddAnswer>

const WRONG_READING = { ...EXAMPLE_SYMPTOM, symptoms: [{ symptom: 'headache', severity: 'moderate' }] }

export const addContract = {
  tags: ['casesheet'],
  operationId: 'addReadings',
  summary: 'Add readings of the patient',
  description:
    'Stores one reading, or a list of up to 1,000: all of them or none. Adding is idempotent: a reading that is sent again ' +
    'is stored once and answered with Ok, so every request can be retried. Limits: 64 KiB and ' +
    `${MAX_FIELDS} fields per reading, 4 MiB per list, ${MAX_BODY_VALUES} values per body (fields and list items at every depth), ` +
    `a nesting depth of ${MAX_DEPTH}, field names of ${MAX_KEY_BYTES} bytes, numbers of ${MAX_NUMBER_CHARS} characters; a number ` +
    'of more than 25 characters counts as one value per ten. With `Prefer: return=representation`, each reading gets its own ' +
    'verdict, and a rejected reading does not keep the others from being stored.',
  headers: Type.Object({
    prefer: Type.Optional(
      Type.String({
        description: '`return=representation` requests a verdict on each reading.',
        ...exampleBeside('return=representation'),
      }),
    ),
  }),
  body: AddBody,
  response: {
    200: {
      description: 'Committed.',
      headers: {
        'preference-applied': Type.String({
          description: 'return=representation, if it was requested.',
        }),
      },
      content: {
        'application/json': {
          schema: Type.Unsafe<AddAnswer | AddVerdicts>({
            anyOf: [{ $ref: 'AddAnswer#' }, { $ref: 'AddVerdicts#' }],
          }),
          examples: {
            one: { summary: 'One reading', value: addedAnswer({ isList: false }) },
            list: { summary: 'A list', value: addedAnswer({ isList: true }) },
            verdicts: { summary: 'With Prefer: return=representation', value: EXAMPLE_VERDICTS },
          },
        },
      },
    },
    ...errorAnswers(
      () => checkReading(WRONG_READING),
      'MalformedJson',
      'PatientMismatch',
      'PatientNotInToken',
      'PatientErased',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

export function addedAnswer({ isList }: { isList: boolean }) {
  return { code: 'Ok' as const, message: `The reading${isList ? 's were' : ' was'} added successfully.` }
}

/** The validator of the body: dispatches on readingType, so that errors speak of the type that was sent. */
export function addValidatorOf(checkOne: Check) {
  return ({ httpPart }: { httpPart?: string }) => {
    if (httpPart !== 'body') return () => true
    return (body: unknown) => {
      const error = checkReadings(body, checkOne)
      return error ? { error } : { value: body }
    }
  }
}

export type ReadingCounts = Record<'stored' | 'duplicate' | 'rejected', number>

export function countReadings(metrics: Metrics): ReadingCounts {
  const about = {
    name: 'rounds_readings_total',
    help: 'Readings by outcome: stored, duplicate (already stored), or rejected with a verdict of its own.',
    label: 'outcome',
  }
  return countEach(metrics, about, ['stored', 'duplicate', 'rejected'])
}

/** How adds share statements. */
export const ADDS = {
  // By number or by KiB, whichever is more: a statement carries about a mebibyte.
  weightOf: (rows: Row[]) =>
    Math.max(rows.length, rows.reduce((sum, { detailsElement }) => sum + detailsElement.length, 0) / 1_024),
  subjectOf: ([row]: Row[]) => row?.addedBy ?? '',
  // An erasure locks rows of one patient.
  keysOf: (rows: Row[]) => [...new Set(rows.map(({ patientUid }) => patientUid))],
  maxWeight: MAX_READINGS,
  maxInFlight: 4,
  maxParallelRequests: 8,
}

/** Stores the readings of one request, all or none, in a statement that concurrent requests share. */
export function createAddReadings(db: Db, counts: ReadingCounts, refused: RefusedPatients) {
  const add = shareStatements<Row[], never, void>(db, {
    ...ADDS,
    kind: 'add',
    statementFor: (adds) => insertStatement(adds, refused),
    answersFrom(_rows, adds, stored) {
      counts.stored += stored
      counts.duplicate += adds.reduce((sum, rows) => sum + rows.length, 0) - stored
      return []
    },
  })
  const addUnlessRefused = refused.guard(add)
  return async (readings: Reading[], { subject }: Caller, isGone: IsGone) => {
    const rows = await mapInPieces(readings, (reading) => rowOf(reading, subject))
    return addUnlessRefused(rows, isGone)
  }
}

export function insertStatement(adds: Row[][], refused: RefusedPatients) {
  // Statements that share readings must meet their keys in the same order, or each could wait for the other for ever.
  // Of equal readings the first to come stays first, so that the one who is said to have added it is the first who did.
  const rows = adds.flat().sort((a, b) => compare(a.readingId, b.readingId))
  return {
    name: 'add-readings',
    // A statement that stores nothing new writes nothing, and PostgreSQL lets it return without waiting for a standby. But
    // the reading that it found may be on the primary only, left by a session that was cut while it waited. So every add
    // writes this empty message to the WAL: its commit waits until all before it is on the standby too.
    text: `
      with durable as materialized (
        select pg_logical_emit_message(true, 'rounds', ''),
          case
            when exists (select from casesheet.refused_patients where refused_until > now())
            then casesheet.refuse_erased($8::bytea, $9::bytea[])
          end
      )
      insert into casesheet.readings
        (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
      select patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by
      from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::text[], $5::float8[], $6::json[], $7::text[])
        as sent (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
      cross join durable
      on conflict do nothing`,
    values: [
      textArray(rows.map((row) => row.patientUid)),
      plainArray(rows.map((row) => row.measuredAt)),
      plainArray(rows.map((row) => row.readingId)),
      textArray(rows.map((row) => row.readingType)),
      plainArray(rows.map((row) => row.timestamp)),
      `{${rows.map((row) => row.detailsElement).join()}}`,
      textArray(rows.map(({ addedBy, patientUid }) => (addedBy === patientUid ? null : addedBy))),
      ...refused.identify(rows),
    ],
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export type Row = ReturnType<typeof rowOf>

export function rowOf(reading: Reading, addedBy: string) {
  const { patientUid, readingType, timestamp } = reading
  const { readingId, details, element } = textsOf(reading)
  // A number may be longer here than it was sent: 1e20 is. No character takes more than three bytes for each of its units.
  if (details.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(details) > MAX_VALUE_BYTES) {
    throw readingTooLarge()
  }
  return {
    patientUid,
    readingType,
    timestamp,
    measuredAt: instantOf(timestamp),
    readingId,
    detailsElement: element,
    addedBy,
  }
}
