// Reviews: who has looked at a patient's readings, when, and what they noted.
import type { Review } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { type NamedDoctor, useDoctorNames } from '../directory/doctor-names.ts'
import { useWhoseReadings } from '../patients/whose-readings.ts'
import './reviews.css'

/** How to say who looked, and whose readings. */
export function useReviewWords(patientUid: string, reviews: readonly Review[]) {
  const { subject } = useApp().session.person
  const whose = useWhoseReadings(patientUid)
  const nameOfDoctor = useDoctorNames(reviews.map(({ doctorId }) => doctorId))
  return {
    whose,
    /** "You", "Dr Willow Sample". */
    doctorOf: ({ reviewedBy, doctorId }: Review): NamedDoctor =>
      reviewedBy === subject ? { name: 'You' } : nameOfDoctor(doctorId),
  }
}

/** As it was written, with its lines. */
export function ReviewNote({ note }: Pick<Review, 'note'>) {
  if (note === null) return null
  return (
    <blockquote class="review-note" dir="auto">
      {note}
    </blockquote>
  )
}
