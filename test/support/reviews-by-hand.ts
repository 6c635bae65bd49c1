// Reviews as the serving role writes them, without a server in between.
import { randomUUID } from 'node:crypto'
import { runSql } from './harness.ts'

export type ReviewByHand = { patientUid: string; doctorId?: string; note?: string }

/** The statement and its values, for a test that sends it in a transaction of its own. */
export function reviewText({
  patientUid,
  doctorId = 'doctor-1',
  note,
}: ReviewByHand): [text: string, values: unknown[]] {
  return [
    `insert into casesheet.looks
       (patient_uid, review_id, doctor_id, looked_by, seen_up_to, saw, acknowledged, note, visible_to, date_says)
     values ($1, $2, $3, $4, 0, '{clock=1.000}', '{}', $5, $6, 'keep')`,
    [
      patientUid,
      randomUUID(),
      doctorId,
      `sub-of-${doctorId}`,
      note ?? null,
      note === undefined ? null : 'patient',
    ],
  ]
}

export const review = (url: string, of: ReviewByHand) => runSql(url, ...reviewText(of))

/** All that the table holds of a patient, except the place in the sequence of changes. */
export const reviewsOf = (url: string, patientUid: string) =>
  runSql<{ row: Record<string, unknown> }>(
    url,
    `select to_jsonb(looks) - 'changed_xid' as row from casesheet.looks where patient_uid = $1
     order by at, review_id`,
    [patientUid],
  )
