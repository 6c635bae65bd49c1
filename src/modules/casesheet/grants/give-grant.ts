// POST grants/add: a patient or carer shares readings with a doctor. The same grant again changes nothing; another one takes the
// place of the one before. The database numbers the versions, limits how many are in force, and keeps the history.
import { type Static, Type } from 'typebox'
import { textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { MAX_OF_SUBJECT } from '../../../db/open-of-subject.ts'
import { codeOf } from '../../../error-code.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { searchKeyOf } from '../../../search-key.ts'
import type { RefusedPatients } from '../add/refused-patients.ts'
import { ONE_VISIBLE_LINE, PatientUid, ReadingType } from '../reading.ts'
import {
  DoctorId,
  EXAMPLE_GRANT,
  GRANT_COLUMNS,
  Grant,
  type GrantRow,
  grantFrom,
  Permission,
} from './grant.ts'
import { INSTANT_FORM, instantIn } from './valid-until.ts'

const MAX_TYPES = 50
const MAX_NAME_CHARS = 100
const MAX_CONTACT_CHARS = 200
const INSTANT = 'a time in the future as RFC 3339 writes it, such as 2027-01-31T23:59:59Z'

const { state: _state, changedBy: _by, changedAt: _at, ...EXAMPLE } = EXAMPLE_GRANT

const GiveBody = Type.Object(
  {
    patientUid: PatientUid,
    doctorId: DoctorId,
    permission: Permission,
    readingTypes: Type.Optional(
      Type.Array(ReadingType, {
        minItems: 1,
        maxItems: MAX_TYPES,
        uniqueItems: true,
        description: 'Only readings of these types. All types if it is left out.',
        examples: [EXAMPLE_GRANT.readingTypes],
        'x-mustBe': `a list of 1 to ${MAX_TYPES} different types`,
      }),
    ),
    validUntil: Type.Optional(
      Type.String({
        pattern: INSTANT_FORM,
        description:
          'When the grant ends, to the millisecond. It stays until it is revoked if this is left out.',
        examples: ['2099-12-31T23:59:59+01:00'],
        'x-mustBe': INSTANT,
      }),
    ),
    sharedAs: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME_CHARS,
        pattern: ONE_VISIBLE_LINE,
        description: 'How the patient wants to appear to this doctor. The id is shown if it is left out.',
        examples: [EXAMPLE_GRANT.sharedAs],
        'x-mustBe': `a text of 1 to ${MAX_NAME_CHARS} characters on one line, without control characters`,
      }),
    ),
    contact: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CONTACT_CHARS,
        pattern: ONE_VISIBLE_LINE,
        description: 'How this doctor may reach the patient. Nobody else is shown it.',
        examples: [EXAMPLE_GRANT.contact],
        'x-mustBe': `a text of 1 to ${MAX_CONTACT_CHARS} characters on one line, without control characters`,
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
export type GiveBody = Static<typeof GiveBody>

const MESSAGE = 'The readings are shared with the doctor.'

export const giveContract = {
  tags: ['casesheet'],
  operationId: 'addGrant',
  summary: 'Share readings with a doctor',
  description:
    'For the patient and carers. A patient has one grant for each doctor: another one replaces it, and the same one again ' +
    'changes nothing. At most 100 are in force at a time. The doctor reads with a token that names this doctorId.',
  body: GiveBody,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Unsafe<Grant>({ $ref: 'Grant#' }),
      },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE, data: EXAMPLE_GRANT }] },
    ),
    ...errorAnswers(
      () => checkFor(GiveBody)({ ...EXAMPLE, permission: 'edit' }),
      'MalformedJson',
      'PatientMismatch',
      'PatientNotInToken',
      'ScopeMissing',
      'PatientErased',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
      'UnknownDoctor',
      'TooManyGrants',
    ),
  },
}

/** Whether the directory has this active doctor; undefined in a process that does not serve the directory. */
export type IsDoctor = ((doctorId: string, subject: string) => Promise<boolean>) | undefined

type Deps = { refused: RefusedPatients; isDoctor: IsDoctor; now: () => number }

/** How statements that change grants are shared: each is one of its own, so that a locked grant delays those of its patient only. */
export const WRITES = {
  weightOf: () => 1,
  keysOf: ({ patientUid }: { patientUid: string }) => [patientUid],
  subjectOf: ({ by }: { by: string }) => by,
  maxOfSubject: MAX_OF_SUBJECT,
  on: 'other',
  maxWeight: 1,
  maxInFlight: 2,
} as const

/** A grant that other requests change without end while this one is looked up again. */
const MAX_ATTEMPTS = 8

export function createGiveGrant(db: Db, { refused, isDoctor, now }: Deps) {
  const write = shareStatements<GrantToGive, GrantRow, GrantRow | undefined>(db, {
    ...WRITES,
    kind: 'grants/add',
    statementFor: ([grant]) => giveStatement(grant as GrantToGive, refused.identify([grant as GrantToGive])),
    answersFrom: (rows) => [rows[0]],
  })
  const giveUnlessRefused = refused.guard(async ([grant]: GrantToGive[], isGone: IsGone) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // None where another request has given the same grant since the statement began: the next one sees it.
      const row = await write(grant as GrantToGive, isGone)
      if (row) return row
    }
    throw new Error('The grant could not be read after it was given.')
  })
  return async (body: GiveBody, by: string, isGone: IsGone) => {
    const grant = grantToGive(body, by, now())
    if (isDoctor && !(await isDoctor(body.doctorId, by))) throw unknownDoctor()
    try {
      const row = await giveUnlessRefused([grant], isGone)
      return { code: 'Ok' as const, message: MESSAGE, data: grantFrom(row) }
    } catch (error) {
      throw codeOf(error) === TOO_MANY ? tooManyGrants() : error
    }
  }
}

type GrantToGive = ReturnType<typeof grantToGive>

/** The order of types has no meaning, and the same grant is known by its terms. */
function grantToGive(
  { readingTypes, validUntil, sharedAs, contact, ...named }: GiveBody,
  by: string,
  now: number,
) {
  return {
    ...named,
    readingTypes: readingTypes?.toSorted() ?? null,
    validUntil: validUntil === undefined ? 'infinity' : mustBeInFuture(validUntil, now),
    sharedAs: sharedAs ?? null,
    contact: contact ?? null,
    listKey: listKeyOf(sharedAs ?? named.patientUid),
    by,
  }
}

function mustBeInFuture(text: string, now: number): string {
  const instant = instantIn(text)
  if (instant === undefined || instant <= now)
    throw refuseFields([{ pointer: '/validUntil', message: `must be ${INSTANT}` }])
  return new Date(instant).toISOString()
}

/** A name is ordered as those of doctors are. One character may become eighteen, and an index entry has 2,700 bytes. */
function listKeyOf(name: string): string {
  return Array.from(searchKeyOf(name)).slice(0, MAX_NAME_CHARS).join('')
}

function unknownDoctor(): Refusal {
  return new Refusal('UnknownDoctor', 'The directory has no active doctor with this doctorId.')
}

// SQLSTATE that casesheet.limit_grants raises.
const TOO_MANY = '22E02'

function tooManyGrants(): Refusal {
  return new Refusal(
    'TooManyGrants',
    'The patient shares readings with 100 doctors already. Revoke one first.',
  )
}

function giveStatement(grant: GrantToGive, identified: [keyId: string | null, digests: string | null]) {
  const { patientUid, doctorId, permission, readingTypes, validUntil, sharedAs, contact, listKey, by } = grant
  return {
    name: 'give-grant',
    text: GIVE_GRANT,
    values: [
      patientUid,
      doctorId,
      permission,
      readingTypes && textArray(readingTypes),
      validUntil,
      sharedAs,
      contact,
      listKey,
      by,
      ...identified,
    ],
  }
}

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
const GIVE_GRANT = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($10::bytea, $11::bytea[])
      end
  ), given as (
    insert into casesheet.grants as before
      (patient_uid, doctor_id, permission, reading_types, valid_until, shared_as, contact, list_key, changed_by)
    select $1, $2, $3, $4::text[], $5::timestamptz, $6, $7, $8, $9
    from durable
    on conflict (patient_uid, doctor_id) do update
    set state = 'given',
      permission = excluded.permission,
      reading_types = excluded.reading_types,
      valid_until = excluded.valid_until,
      shared_as = excluded.shared_as,
      contact = excluded.contact,
      list_key = excluded.list_key,
      changed_by = excluded.changed_by
    where before.state = 'revoked'
      or (before.permission, before.reading_types, before.valid_until, before.shared_as, before.contact)
        is distinct from (excluded.permission, excluded.reading_types, excluded.valid_until, excluded.shared_as, excluded.contact)
    returning ${GRANT_COLUMNS}
  )
  select * from given
  union all
  select ${GRANT_COLUMNS}
  from casesheet.grants
  where patient_uid = $1
    and doctor_id = $2
    and not exists (select from given)`
