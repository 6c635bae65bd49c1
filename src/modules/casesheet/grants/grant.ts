// A grant: what a patient shares with a doctor of the directory. There is at most one of each patient and doctor. Every change
// makes another version of it, and its history keeps them all.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../epoch-time.ts'
import { EXAMPLE_SYMPTOM, ONE_LINE, PatientUid, ReadingType } from '../reading.ts'

export const EXAMPLE_GRANT = {
  patientUid: EXAMPLE_SYMPTOM.patientUid,
  doctorId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
  permission: 'view',
  readingTypes: ['bloodPressure', 'heartRate'],
  validUntil: '2099-12-31T22:59:59.000Z',
  sharedAs: 'Mia Example, born 2017',
  contact: '555 0142',
  state: 'given',
  changedBy: 'mia-example',
  changedAt: '2026-11-17T08:15:30.125460Z',
} as const

export const DoctorId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: ONE_LINE,
  description: 'Unique id of the doctor, as doctors/list gave it.',
  examples: [EXAMPLE_GRANT.doctorId],
  'x-mustBe': 'a text of 1 to 100 characters without control characters',
})

export const Permission = Type.Enum(['view', 'manage'], {
  type: 'string',
  description:
    'view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.',
  examples: [EXAMPLE_GRANT.permission],
  'x-mustBe': 'view or manage',
})

const ReadingTypes = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: ReadingType,
  description: 'The reading types that are shared; null for all.',
})
const ValidUntil = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
  description: 'When the grant ends, in UTC; null if it stays until it is revoked.',
})
const SharedAs = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'How the patient wants to appear to this doctor; null for the id.',
})

const Contact = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'How this doctor may reach the patient; null if nothing was given.',
})

/** What a grant says, as the patient and this doctor are shown it. */
export const TERMS = {
  permission: Permission,
  readingTypes: ReadingTypes,
  validUntil: ValidUntil,
  sharedAs: SharedAs,
  contact: Contact,
}

export const Grant = Type.Object(
  {
    patientUid: PatientUid,
    doctorId: DoctorId,
    ...TERMS,
    state: Type.Enum(['given', 'revoked', 'expired'], { type: 'string' }),
    changedBy: Type.String({
      description:
        'Who gave, changed or revoked it: the subject of the token. `the doctor left the directory` where an import of the ' +
        'directory ended it.',
    }),
    changedAt: Type.String({ format: 'date-time', description: 'When that was, in UTC.' }),
  },
  {
    $id: 'Grant',
    additionalProperties: false,
    description: 'What a patient shares with a doctor.',
    examples: [EXAMPLE_GRANT],
  },
)
export type Grant = Static<typeof Grant>

export type TermsRow = {
  permission: 'view' | 'manage'
  reading_types: string[] | null
  valid_until: string
  shared_as: string | null
  contact: string | null
}

export function termsFrom({ permission, reading_types, valid_until, shared_as, contact }: TermsRow) {
  return {
    permission,
    readingTypes: reading_types,
    validUntil: valid_until === 'infinity' ? null : instantFrom(valid_until, 6),
    sharedAs: shared_as,
    contact,
  }
}

export type GrantRow = TermsRow & {
  patient_uid: string
  doctor_id: string
  state: Grant['state']
  changed_by: string
  changed_at: string
}

/** SQL: the columns of a GrantRow. */
export const GRANT_COLUMNS = `patient_uid, doctor_id,
      case when state = 'given' and valid_until <= now() then 'expired' else state end as state,
      permission, reading_types, valid_until::text as valid_until, shared_as, contact, changed_by, changed_at::text as changed_at`

export function grantFrom(row: GrantRow): Grant {
  return {
    patientUid: row.patient_uid,
    doctorId: row.doctor_id,
    ...termsFrom(row),
    state: row.state,
    changedBy: row.changed_by,
    changedAt: instantFrom(row.changed_at, 6),
  }
}
