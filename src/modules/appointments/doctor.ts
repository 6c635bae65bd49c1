import { type TSchemaOptions, Type } from 'typebox'

/** A text that may be missing. One type and not a union, so that a check says one thing about a wrong value. */
export function TextOrNull(options: TSchemaOptions = {}) {
  return Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
}

export const EXAMPLE_DOCTOR = {
  doctorId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
  name: 'Dr. Invented Willow',
  gender: 'female',
  specialities: [{ specialityId: '2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11', title: 'Ear, Nose & Throat' }],
  qualifications: ['MBBS', 'MS'],
  registrationNumber: 'EXAMPLE-12345',
  languages: ['en-IN', 'hi'],
  experienceYears: 12,
  city: 'Pune',
  photoUrl: null,
  isActive: true,
  created: '2026-01-15T09:30:00.000Z',
}

export const Doctor = Type.Object(
  {
    doctorId: Type.String({ description: 'Unique id of the doctor.' }),
    name: Type.String(),
    gender: TextOrNull(),
    specialities: Type.Array(
      Type.Object({ specialityId: Type.String(), title: Type.String() }, { additionalProperties: false }),
      { description: 'Main speciality first.' },
    ),
    qualifications: Type.Array(Type.String()),
    registrationNumber: TextOrNull({ description: 'As given by the medical council; unique.' }),
    languages: Type.Array(Type.String(), { description: 'BCP 47 language tags.' }),
    experienceYears: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
    city: TextOrNull(),
    photoUrl: TextOrNull({ description: 'An http(s) address.' }),
    isActive: Type.Boolean(),
    created: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  },
  {
    $id: 'Doctor',
    additionalProperties: false,
    examples: [EXAMPLE_DOCTOR],
  },
)
