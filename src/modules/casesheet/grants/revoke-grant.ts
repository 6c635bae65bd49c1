// POST grants/revoke: a patient or carer takes back what was shared with a doctor. It may be repeated, and where nothing was shared
// it changes nothing. Once it is answered, no read by that doctor that begins later succeeds.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { mustBeServedHere } from '../reader.ts'
import { PatientUid } from '../reading.ts'
import { WRITES } from './give-grant.ts'
import { DoctorId, EXAMPLE_GRANT } from './grant.ts'

const EXAMPLE = { patientUid: EXAMPLE_GRANT.patientUid, doctorId: EXAMPLE_GRANT.doctorId }
const MESSAGE = 'The readings are not shared with the doctor any more.'

const RevokeBody = Type.Object(
  { patientUid: PatientUid, doctorId: DoctorId },
  { additionalProperties: false, examples: [EXAMPLE] },
)
export type RevokeBody = Static<typeof RevokeBody>

export const revokeContract = {
  tags: ['casesheet'],
  operationId: 'revokeGrant',
  summary: 'Stop sharing readings with a doctor',
  description:
    'For the patient and carers. No read of the doctor that begins after the answer succeeds; open streams end within two ' +
    'seconds. May be repeated, also where nothing was shared.',
  body: RevokeBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String() },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE }] },
    ),
    ...errorAnswers(
      () => checkFor(RevokeBody)({ ...EXAMPLE, doctorId: '' }),
      'MalformedJson',
      'PatientMismatch',
      'PatientNotInToken',
      'ScopeMissing',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

type GrantToRevoke = RevokeBody & { by: string }
type Row = { is_served_here: boolean }

export function createRevokeGrant(db: Db) {
  const write = shareStatements<GrantToRevoke, Row, Row>(db, {
    ...WRITES,
    kind: 'grants/revoke',
    statementFor: ([grant]) => revokeStatement(grant as GrantToRevoke),
    answersFrom: (rows) => rows,
  })
  return async (body: RevokeBody, by: string, isGone: IsGone) => {
    mustBeServedHere(await write({ ...body, by }, isGone))
    return { code: 'Ok' as const, message: MESSAGE }
  }
}

// The empty message makes the commit wait for the standby, also where nothing is left to revoke: an earlier attempt may have
// revoked it on the primary only. The last select has it sent in every case. In another cluster than the patient's there is nothing to revoke either.
function revokeStatement({ patientUid, doctorId, by }: GrantToRevoke) {
  return {
    name: 'revoke-grant',
    text: `
      with durable as materialized (
        select pg_logical_emit_message(true, 'rounds', '')
      ), revoked as (
        update casesheet.grants
        set state = 'revoked', changed_by = $3
        where patient_uid = $1
          and doctor_id = $2
          and state = 'given'
      )
      select casesheet.is_served_here($1) as is_served_here
      from durable`,
    values: [patientUid, doctorId, by],
  }
}
