import { Type } from 'typebox'

export const EXAMPLE_SPECIALITY = {
  slug: 'Ear, Nose & Throat',
  title: 'Ear, Nose & Throat',
  created: '2026-01-15T09:30:00.000Z',
  isActive: true,
  specialityId: '2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11',
}

export const Speciality = Type.Object(
  {
    slug: Type.String({ description: 'The same text as title.' }),
    title: Type.String({ description: 'Display name of the specialty.' }),
    created: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
    isActive: Type.Boolean(),
    specialityId: Type.String({ description: 'Unique id of the specialty.' }),
  },
  { $id: 'Speciality', additionalProperties: false, examples: [EXAMPLE_SPECIALITY] },
)
