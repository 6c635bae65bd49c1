// A target: what the readings of a patient are compared with, for one field of a type. There is at most one of each, and none until
// somebody sets it. Every change makes another version, and the history keeps them all.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'

export const EXAMPLE_TARGET = {
  patientUid: EXAMPLE_GRANT.patientUid,
  readingType: 'interstitialGlucose',
  field: 'value',
  low: 70,
  high: 180,
  below: null,
  unit: 'mg/dL',
  label: 'Agreed in October',
  preset: null,
  setBy: 'dr-willow',
  allowedAs: 'grant',
  doctorId: EXAMPLE_GRANT.doctorId,
  setAt: '2026-11-17T08:15:30.125460Z',
} as const

const boundOrNone = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })
const textOrNone = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

/** The range of one field. */
export const BOUNDS = {
  low: boundOrNone('The lowest value in target; null for none.'),
  high: boundOrNone('The highest value in target; null for none.'),
  below: boundOrNone('Values in target are below this one, which is not; null for none.'),
}

/** What a target says, as all lists show it. */
export const TERMS = {
  readingType: Type.String({ description: 'A type of the catalogue.' }),
  field: Type.String({ description: 'The field of the reading that is compared.' }),
  ...BOUNDS,
  unit: Type.String({ description: 'The unit of the bounds, in UCUM.' }),
  label: textOrNone('A text beside it, such as why it was chosen; null for none.'),
  preset: textOrNone('The published target that was chosen; null for none.'),
}

/** Why somebody was allowed to change it. */
export const CHANGED_AS = {
  allowedAs: Type.Enum(['patient', 'grant'], {
    type: 'string',
    description:
      'patient: the token names the patient. grant: the patient shares with the doctor, with the permission manage.',
  }),
  doctorId: textOrNone('The doctor who changed it under a grant; null for the patient and carers.'),
}

export const Target = Type.Object(
  {
    patientUid: PatientUid,
    ...TERMS,
    setBy: Type.String({ description: 'Who set it: the subject of the token.' }),
    ...CHANGED_AS,
    setAt: Type.String({ format: 'date-time', description: 'When that was, in UTC.' }),
  },
  {
    $id: 'Target',
    additionalProperties: false,
    description:
      'What a field of the readings is compared with. At least one bound is set; high and below exclude each other.',
    examples: [EXAMPLE_TARGET],
  },
)
export type Target = Static<typeof Target>

export type TermsRow = {
  reading_type: string
  field: string
  low: number | null
  high: number | null
  below: number | null
  unit: string
  label: string | null
  preset: string | null
}

export type ChangedAsRow = { allowed_as: Target['allowedAs']; doctor_id: string | null }

export function termsFrom({ reading_type, field, low, high, below, unit, label, preset }: TermsRow) {
  return { readingType: reading_type, field, low, high, below, unit, label, preset }
}

export function changedAsFrom({ allowed_as, doctor_id }: ChangedAsRow) {
  return { allowedAs: allowed_as, doctorId: doctor_id }
}

export type TargetRow = TermsRow & ChangedAsRow & { changed_by: string; changed_at: string }

/** SQL: the columns of a TargetRow. */
export const TARGET_COLUMNS = `reading_type, field, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id,
      changed_at::text as changed_at`

export function targetFrom(patientUid: string, row: TargetRow): Target {
  return {
    patientUid,
    ...termsFrom(row),
    setBy: row.changed_by,
    ...changedAsFrom(row),
    setAt: instantFrom(row.changed_at, 6),
  }
}
