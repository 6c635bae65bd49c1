// POST readings/withdraw and readings/restore: marks a reading as entered in error, and takes that back. The reading stays
// stored. Both may be repeated: a reading that is withdrawn already keeps its first time, person and reason.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db, Statement } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { type Cell, isVersion } from '../cell/cell.ts'
import { EpochTime, instantOf } from '../epoch-time.ts'
import { STORED_SYMPTOM } from '../get/stored-examples.ts'
import { PatientUid } from '../reading.ts'

const MAX_REASON_CHARS = 500
const MAX_IN_FLIGHT = 2

const EXAMPLE = {
  patientUid: STORED_SYMPTOM.patientUid,
  readingId: STORED_SYMPTOM.readingId,
  timestamp: STORED_SYMPTOM.timestamp,
}
const REASON = 'Typed in pounds instead of kilograms'

const reading = {
  patientUid: PatientUid,
  readingId: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'As readings/get gave it.',
    examples: [STORED_SYMPTOM.readingId],
    'x-mustBe': 'the readingId of a reading, as readings/get gave it',
  }),
  timestamp: EpochTime(STORED_SYMPTOM.timestamp),
}

const WithdrawBody = Type.Object(
  {
    ...reading,
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REASON_CHARS,
        pattern: '^[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$',
        description: 'Why, for those who read the record.',
        examples: [REASON],
        'x-mustBe': `a text of 1 to ${MAX_REASON_CHARS} characters without control characters`,
      }),
    ),
  },
  { additionalProperties: false, examples: [{ ...EXAMPLE, reason: REASON }] },
)
export type WithdrawBody = Static<typeof WithdrawBody>

const RestoreBody = Type.Object(reading, { additionalProperties: false, examples: [EXAMPLE] })
export type RestoreBody = Static<typeof RestoreBody>

function answer(message: string, description: string) {
  return Type.Object(
    { code: Type.Literal('Ok'), message: Type.String() },
    { description, examples: [{ code: 'Ok', message }] },
  )
}

const WITHDRAWN = 'The reading was withdrawn successfully.'
const RESTORED = 'The reading was restored successfully.'

const REFUSALS = [
  'MalformedJson',
  'PatientMismatch',
  'PatientNotInToken',
  'ScopeMissing',
  'ReadingNotFound',
  'BodyTooLarge',
  'UnsupportedMediaType',
  'WrongCell',
  'PatientMoving',
] as const

export const withdrawContract = {
  tags: ['casesheet'],
  operationId: 'withdrawReading',
  summary: 'Withdraw a reading that was entered in error',
  description:
    'The reading stays stored. readings/get, readings/latest, readings/statistics and exports leave it out unless they are ' +
    'asked for `withdrawn=include`. Adding the same content again does not bring it back. For the patient, and for ' +
    'staff with the scope for withdrawing. May be repeated: the first time and reason stay.',
  body: WithdrawBody,
  response: {
    200: answer(WITHDRAWN, 'Committed.'),
    ...errorAnswers(checkFor(WithdrawBody)({ ...EXAMPLE, reason: '' }), ...REFUSALS),
  },
}

export const restoreContract = {
  tags: ['casesheet'],
  operationId: 'restoreReading',
  summary: 'Restore a reading that was withdrawn',
  description:
    'The reading is as if it had never been withdrawn. For the same callers as readings/withdraw. May be repeated.',
  body: RestoreBody,
  response: {
    200: answer(RESTORED, 'Committed.'),
    ...errorAnswers(checkFor(RestoreBody)({ ...EXAMPLE, readingId: 'none' }), ...REFUSALS),
  },
}

/** The validator of a body that is one object. */
export function compileBodyValidator({
  schema,
  httpPart,
}: {
  schema: Parameters<typeof checkFor>[0]
  httpPart?: string
}) {
  if (httpPart !== 'body') return () => true
  const check = checkFor(schema)
  return (body: unknown) => {
    const errors = check(body)
    return errors.length > 0 ? { error: refuseFields(errors) } : { value: body }
  }
}

/** Withdraws and restores; `isGone` says whether the client has disconnected. */
export function createCorrections(db: Db, cell: Cell) {
  const change = createChange(db, cell)
  return {
    async withdraw({ patientUid, readingId, timestamp, reason }: WithdrawBody, by: string, isGone: IsGone) {
      const values = [patientUid, instantOf(timestamp), readingId, by, reason ?? null]
      await change({ patientUid, statement: { name: 'withdraw-reading', text: WITHDRAW, values } }, isGone)
      return { code: 'Ok' as const, message: WITHDRAWN }
    },
    async restore({ patientUid, readingId, timestamp }: RestoreBody, isGone: IsGone) {
      const values = [patientUid, instantOf(timestamp), readingId]
      await change({ patientUid, statement: { name: 'restore-reading', text: RESTORE, values } }, isGone)
      return { code: 'Ok' as const, message: RESTORED }
    },
  }
}

/** The version of the cell's slots follows the values of the statement. */
type Correction = { patientUid: string; statement: Statement }

/**
 * Each correction is a statement of its own, and only a few are in flight: a reading that another transaction holds locked delays
 * its own patient's corrections, and no other's.
 */
function createChange(db: Db, cell: Cell) {
  const ask = shareStatements<Correction, { is_known: boolean }, boolean>(db, {
    kind: 'corrections',
    statementFor: ([correction]) => {
      const { statement } = correction as Correction
      return { ...statement, values: [...statement.values, cell.version()] }
    },
    isCurrent: (correction) => cell.areOpen([correction]),
    answersFrom: ([row]) => [row?.is_known ?? false],
    weightOf: () => 1,
    keysOf: ({ patientUid }) => [patientUid],
    on: 'other',
    maxWeight: 1,
    maxInFlight: MAX_IN_FLIGHT,
  })
  return async (correction: Correction, isGone: IsGone) => {
    if (await cell.serve([correction], () => ask(correction, isGone))) return
    throw new Refusal('ReadingNotFound', 'The patient has no such reading.')
  }
}

// A repeated change finds nothing to do and would be answered without waiting for a standby, although the first one may be on
// the primary only. As in an add, the empty message in the WAL makes its commit wait for all before it.
function changeText(set: string, isDue: string, version: string): string {
  return `
    with durable as materialized (
      select pg_logical_emit_message(true, 'rounds', ''), ${isVersion(version)}
    ), changed as (
      update casesheet.readings
      set ${set}
      where patient_uid = $1
        and measured_at = $2::timestamptz
        and reading_id = $3::uuid
        and ${isDue}
    )
    select exists (
      select
      from casesheet.readings
      where patient_uid = $1
        and measured_at = $2::timestamptz
        and reading_id = $3::uuid
    ) as is_known
    from durable`
}

const WITHDRAW = changeText('withdrawn_by = $4, withdrawn_reason = $5', 'withdrawn_by is null', '$6')
const RESTORE = changeText('withdrawn_by = null, withdrawn_reason = null', 'withdrawn_by is not null', '$4')
