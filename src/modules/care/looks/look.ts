// A look: a doctor has seen what the list showed of a patient. It covers that, and may leave a note and a date. Nobody changes one; within a
// minute who looked may take it back.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { DoctorId, EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import { EXAMPLE_ALERT } from '../alerts/alert.ts'
import { instant, instantOrNull, textOrNull } from '../answer-forms.ts'
import { VISIBLE_TO, type VisibleTo } from './note.ts'

/** How long a look may be taken back. */
export const UNDO_SECONDS = 60

export const EXAMPLE_LOOK = {
  reviewId: '5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37',
  patientUid: EXAMPLE_GRANT.patientUid,
  by: 'Dr Sample',
  doctorId: EXAMPLE_GRANT.doctorId,
  practiceId: null,
  at: '2026-11-17T08:15:30.125460Z',
  note: 'Called.',
  visibleTo: 'patient',
  lookAgainAt: '2026-11-20T08:00:00.000Z',
  acknowledged: [EXAMPLE_ALERT.alertId],
  undoUntil: '2026-11-17T08:16:30.125460Z',
  undoneAt: null,
} as const

export const ReviewId = Type.String({
  pattern: '^[\\dA-Fa-f]{8}(-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}$',
  description: 'A UUID that the client draws. Sent again, it answers the look that is stored.',
  examples: [EXAMPLE_LOOK.reviewId],
  'x-mustBe': 'a UUID',
})

/** What every answer says of a look. */
export const LOOK_TERMS = {
  reviewId: Type.String({ format: 'uuid' }),
  doctorId: Type.Unsafe<string | null>({ ...DoctorId, type: ['string', 'null'] }),
  practiceId: textOrNull('The practice for which it counts; null for none.'),
  note: textOrNull(
    'What the doctor says about it; null for nothing. A note for doctors is shown to doctors only.',
  ),
  visibleTo: Type.Unsafe<VisibleTo | null>({
    enum: [...VISIBLE_TO, null],
    description: 'Who sees the note; null without one.',
  }),
  lookAgainAt: instantOrNull('The date that this look gave; null where it gave none.'),
  acknowledged: Type.Array(Type.String({ format: 'uuid', pattern: UUID_FORM.source }), {
    description: 'The alerts that it acknowledged.',
  }),
  undoneAt: instantOrNull('When it was taken back; null if it was not.'),
}

export const Look = Type.Object(
  {
    patientUid: PatientUid,
    ...LOOK_TERMS,
    by: Type.String({
      description: 'Who looked: the name, or the subject of the token where no name is known.',
    }),
    at: instant('When that was, in UTC.'),
    undoUntil: instant('Until when reviews/undo takes it back.'),
  },
  {
    $id: 'Look',
    additionalProperties: false,
    description: 'A doctor has seen what the list showed of a patient.',
    examples: [EXAMPLE_LOOK],
  },
)
export type Look = Static<typeof Look>

export type LookRow = {
  review_id: string
  by: string
  doctor_id: string | null
  practice_id: string | null
  note: string | null
  visible_to: VisibleTo | null
  look_again_at: string | null
  acknowledged: string[]
  undone_at: string | null
  at: string
  undo_until: string
}

/** SQL: the columns of a LookRow. */
export const LOOK_COLUMNS = `review_id, coalesce(name, looked_by) as by, doctor_id, practice_id, note, visible_to,
      look_again_at::text as look_again_at, acknowledged, undone_at::text as undone_at, at::text as at,
      (at + interval '${UNDO_SECONDS} seconds')::text as undo_until`

export function lookFrom(patientUid: string, row: LookRow): Look {
  return {
    ...lookTermsFrom(row),
    patientUid,
    by: row.by,
    at: instantFrom(row.at, 6),
    undoUntil: instantFrom(row.undo_until, 6),
  }
}

export type LookTermsRow = Omit<LookRow, 'by' | 'at' | 'undo_until'>

export function lookTermsFrom(row: LookTermsRow) {
  return {
    reviewId: row.review_id,
    doctorId: row.doctor_id,
    practiceId: row.practice_id,
    note: row.note,
    visibleTo: row.visible_to,
    lookAgainAt: row.look_again_at === null ? null : instantFrom(row.look_again_at, 3),
    acknowledged: row.acknowledged,
    undoneAt: row.undone_at === null ? null : instantFrom(row.undone_at, 6),
  }
}
