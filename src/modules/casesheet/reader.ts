// Who reads, and how the statements that read know it. A request brings the columns of its reader, its row of the access log has
// all but the last, and the last says on which grant the request relies.
//
// Grants are cached, so the statement itself looks whether its grant still holds (`patientIfGranted`). Where it does not, the
// request has no patient: nothing is read or logged for it, and its row says so. Other requests of the statement do not notice.
import { textArray } from '../../db/array.ts'

/** Why a caller may read a patient: the token names the patient, the patient shares with the doctor of the token, or it is staff's. */
type AllowedAs = 'patient' | 'grant' | 'staff'

/** Who reads or corrects, under which request, and why that is allowed: what the access log says beside the range. */
export type Requester = { readBy: string; allowedAs: AllowedAs; requestId: string }

export type Reader = Requester & {
  /** The doctor who reads by a grant, that grant as it was decided on, and the types to which it is limited; null without. */
  doctorId: string | null
  grantId: string | null
  limitedTo: string[] | null
  /** Why staff reads, where it said so. */
  reason: string | null
}

/** A reader who relies on no grant. */
export const WITHOUT_GRANT = { doctorId: null, grantId: null, limitedTo: null, reason: null }

const COLUMNS: readonly (readonly [name: string, type: string, of: (reader: Reader) => string | null])[] = [
  ['request_id', 'text', ({ requestId }) => requestId],
  ['read_by', 'text', ({ readBy }) => readBy],
  ['allowed_as', 'text', ({ allowedAs }) => allowedAs],
  ['doctor_id', 'text', ({ doctorId }) => doctorId],
  ['reason', 'text', ({ reason }) => reason],
  ['grant_id', 'uuid', ({ grantId }) => grantId],
]

export const READER_COLUMNS = COLUMNS.map(([name]) => name).join(', ')

/** The columns that the access log has too. */
export const LOGGED_READER = 'request_id, read_by, allowed_as, doctor_id, reason'

/** The arrays of these columns as parameters, from this number on: `$8::text[], …`. */
export function readerArrays(first: number): string {
  return COLUMNS.map(([, type], index) => `$${first + index}::${type}[]`).join(', ')
}

/** Their values. */
export function readerValues(readers: readonly Reader[]): string[] {
  return COLUMNS.map(([, , of]) => textArray(readers.map(of)))
}

/**
 * Whether a row that has a patient and these columns may be read: it relies on no grant, or on one that still holds. An aggregate, because
 * `exists` may be planned as one look at all grants.
 */
export function isStillGranted(row: string): string {
  return `case
        when ${row}.grant_id is null then true
        else (
          select count(*) > 0
          from casesheet.grants
          where grants.patient_uid = ${row}.patient_uid
            and grants.doctor_id = ${row}.doctor_id
            and grants.grant_id = ${row}.grant_id
            and grants.state = 'given'
            and grants.valid_until > now()
        )
      end`
}

/** The patient of the row, or null. */
export function patientIfGranted(row: string): string {
  return `case when ${isStillGranted(row)} then ${row}.patient_uid end`
}

/**
 * SQL of a statement that changes something under a grant: the grant, if it still holds, and the types to which it is limited. Its row
 * stays locked until the commit, so a change is either committed before a revocation is, or finds that the grant was revoked.
 */
export function lockGrant({
  patient,
  doctor,
  grant,
}: {
  patient: string
  doctor: string
  grant: string
}): string {
  return `select grant_id, reading_types
    from casesheet.grants
    where patient_uid = ${patient}
      and doctor_id = ${doctor}
      and grant_id = ${grant}::uuid
      and state = 'given'
      and valid_until > now()
    for share`
}
