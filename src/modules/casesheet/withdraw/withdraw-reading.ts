// POST readings/withdraw and readings/restore: marks a reading as entered in error, and takes that back. The reading stays
// stored. Both may be repeated: a reading that is withdrawn already keeps its person and reason, unless staff withdraws what a
// patient has withdrawn. Each change leaves a row of casesheet.corrections, each call a row of the access log.
import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { MAX_OF_SUBJECT } from '../../../db/open-of-subject.ts'
import type { Statement } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { scopeMissing } from '../access.ts'
import { countReads } from '../access-log/access-entry.ts'
import { EpochTime, instantOf } from '../epoch-time.ts'
import { STORED_SYMPTOM } from '../get/stored-examples.ts'
import type { Requester } from '../reader.ts'
import { ONE_LINE, PatientUid } from '../reading.ts'

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
        pattern: ONE_LINE,
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
  'MisdirectedRequest',
] as const

export const withdrawContract = {
  tags: ['casesheet'],
  operationId: 'withdrawReading',
  summary: 'Withdraw a reading that was entered in error',
  description:
    'The reading stays stored. readings/get, readings/latest, readings/statistics and exports leave it out unless they are ' +
    'asked for `withdrawn=include`. Adding the same content again does not bring it back. For the patient, and for ' +
    'staff with the scope for withdrawing. May be repeated: the first person, time and reason stay. Staff also withdraws ' +
    'what the patient has withdrawn: person and reason are then theirs, and only staff restores it. Who withdrew which ' +
    'reading and why is in the access log for good.',
  body: WithdrawBody,
  response: {
    200: answer(WITHDRAWN, 'Committed.'),
    ...errorAnswers(() => checkFor(WithdrawBody)({ ...EXAMPLE, reason: '' }), ...REFUSALS),
  },
}

export const restoreContract = {
  tags: ['casesheet'],
  operationId: 'restoreReading',
  summary: 'Restore a reading that was withdrawn',
  description:
    'The reading counts again. For the same callers as readings/withdraw, except that only staff restores what staff has ' +
    'withdrawn. May be repeated. The access log keeps who withdrew and who restored.',
  body: RestoreBody,
  response: {
    200: answer(RESTORED, 'Committed.'),
    ...errorAnswers(() => checkFor(RestoreBody)({ ...EXAMPLE, readingId: 'none' }), ...REFUSALS),
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
export function createCorrections(db: Db) {
  const withdraw = createCorrection(db, 'withdraw')
  const restore = createCorrection(db, 'restore')
  return {
    async withdraw({ reason, ...named }: WithdrawBody, by: Requester, isGone: IsGone) {
      await withdraw({ ...named, reason: reason ?? null, by, correctionId: randomUUID() }, isGone)
      return { code: 'Ok' as const, message: WITHDRAWN }
    },
    async restore(named: RestoreBody, by: Requester, isGone: IsGone) {
      await restore({ ...named, reason: null, by, correctionId: randomUUID() }, isGone)
      return { code: 'Ok' as const, message: RESTORED }
    },
  }
}

type Action = 'withdraw' | 'restore'
type Correction = RestoreBody & { reason: string | null; by: Requester; correctionId: string }
/** Whether there is such a reading, and whether the caller may not restore what staff has withdrawn. */
type Outcome = { is_known: boolean; is_refused: boolean }

/**
 * Each correction is a statement of its own, and only a few are in flight: a reading that another transaction holds locked delays
 * its own patient's corrections, and no other's.
 */
function createCorrection(db: Db, action: Action) {
  const reads = countReads(db.metrics, `readings/${action}`)
  const ask = shareStatements<Correction, Outcome, Outcome>(db, {
    kind: 'corrections',
    statementFor: ([correction]) => correctionStatement(action, correction as Correction),
    answersFrom: ([row]) => [row ?? { is_known: false, is_refused: false }],
    weightOf: () => 1,
    keysOf: ({ patientUid }) => [patientUid],
    subjectOf: ({ by }) => by.readBy,
    maxOfSubject: MAX_OF_SUBJECT,
    on: 'other',
    maxWeight: 1,
    maxInFlight: MAX_IN_FLIGHT,
  })
  return async (correction: Correction, isGone: IsGone) => {
    const { is_known, is_refused } = await ask(correction, isGone)
    reads.rows++
    if (is_known) reads.readings++
    else throw new Refusal('ReadingNotFound', 'The patient has no such reading.')
    if (is_refused) throw scopeMissing('Staff has withdrawn this reading, and only staff can restore it.')
  }
}

/** Exported for the test that sends it twice. */
export function correctionStatement(action: Action, correction: Correction): Statement {
  const { patientUid, timestamp, readingId, reason, by, correctionId } = correction
  return {
    name: `${action}-reading`,
    text: TEXT_OF[action],
    values: [
      patientUid,
      instantOf(timestamp),
      readingId,
      correctionId,
      by.readBy,
      by.allowedAs,
      reason,
      by.requestId,
    ],
  }
}

// The reading is locked first, so what is decided is decided on its last state. Then the correction is recorded, unless this
// request has recorded it before, in a statement whose answer was lost. Only a recorded correction changes the reading. Every
// call is logged, since it shows whether there is such a reading; so its commit waits for the standby, also where nothing changed.
function correctionText(action: Action, rule: { isDue: string; isAllowed: string; set: string }): string {
  return `
    with found as materialized (
      select ${rule.isDue} as is_due, ${rule.isAllowed} as is_allowed
      from casesheet.readings
      where ${IS_NAMED}
      for no key update
    ), recorded as (
      insert into casesheet.corrections
        (patient_uid, measured_at, reading_id, correction_id, action, corrected_by, allowed_as, reason)
      select $1, $2::timestamptz, $3::uuid, $4::uuid, '${action}', $5, $6::text, $7::text
      from found
      where is_due
        and is_allowed
      on conflict (patient_uid, correction_id) do nothing
      returning correction_id
    ), changed as (
      update casesheet.readings
      set ${rule.set}
      where ${IS_NAMED}
        and exists (select from recorded)
    ), logged as (
      insert into casesheet.access_log
        (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count, correction_id)
      select $1, 'readings/${action}', $2::timestamptz, $2::timestamptz, $8, 0, $5, $6::text,
        (select count(*) from found), (select correction_id from recorded)
    )
    select exists (select from found) as is_known,
      exists (select from found where is_due and not is_allowed) as is_refused`
}

const IS_NAMED = `patient_uid = $1
        and measured_at = $2::timestamptz
        and reading_id = $3::uuid`

const TEXT_OF: Record<Action, string> = {
  withdraw: correctionText('withdraw', {
    isDue: "withdrawn_by is null or ($6::text = 'staff' and withdrawn_as is distinct from 'staff')",
    isAllowed: 'true',
    set: 'withdrawn_by = $5, withdrawn_as = $6::text, withdrawn_reason = $7::text',
  }),
  // A release before this one did not keep who may restore; then only staff may.
  restore: correctionText('restore', {
    isDue: 'withdrawn_by is not null',
    isAllowed: "$6::text = 'staff' or withdrawn_as is not distinct from 'patient'",
    set: 'withdrawn_by = null, withdrawn_as = null, withdrawn_reason = null',
  }),
}
