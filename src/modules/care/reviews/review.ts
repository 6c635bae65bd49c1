// A review: a doctor has looked at the readings of a patient, and may say something about them. The patient sees it. Nobody changes
// or removes one.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { DoctorId, EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'

export const EXAMPLE_REVIEW = {
  reviewId: '5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37',
  patientUid: EXAMPLE_GRANT.patientUid,
  doctorId: EXAMPLE_GRANT.doctorId,
  reviewedBy: 'dr-willow',
  note: 'Looks steady. We keep the dose.',
  at: '2026-11-17T08:15:30.125460Z',
} as const

export const Review = Type.Object(
  {
    reviewId: Type.String({ format: 'uuid' }),
    patientUid: PatientUid,
    doctorId: DoctorId,
    reviewedBy: Type.String({ description: 'Who looked: the subject of the token.' }),
    note: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What the doctor says about it; null for nothing.',
    }),
    at: Type.String({ format: 'date-time', description: 'When the review was added, in UTC.' }),
  },
  {
    $id: 'Review',
    additionalProperties: false,
    description: 'A doctor has looked at the readings of a patient.',
    examples: [EXAMPLE_REVIEW],
  },
)
export type Review = Static<typeof Review>

export type ReviewRow = {
  review_id: string
  doctor_id: string
  reviewed_by: string
  note: string | null
  at: string
}

export function reviewFrom(patientUid: string, row: ReviewRow): Review {
  return {
    reviewId: row.review_id,
    patientUid,
    doctorId: row.doctor_id,
    reviewedBy: row.reviewed_by,
    note: row.note,
    at: instantFrom(row.at, 6),
  }
}
