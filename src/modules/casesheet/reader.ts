// Who reads or changes something of a patient, and how statements prove the grant on which that relies. Grants are cached: what was read
// is proved behind the read (access-log/log-reads.ts), and what is changed under a grant locks it.
import { misdirected } from '../../refusal.ts'

/** Why a caller may read a patient: the token names the patient, the patient shares with the doctor of the token, or it is staff's. */
type AllowedAs = 'patient' | 'grant' | 'staff'

/** Who reads or corrects, under which request, and why that is allowed: what the access log says beside the range. */
export type Requester = { readBy: string; allowedAs: AllowedAs; requestId: string }

export type Reader = Requester & {
  /** The doctor who reads by a grant, that grant as it was decided on, and the types to which it is limited; null without. */
  doctorId: string | null
  /** The practices in which this doctor works. */
  practiceIds: readonly string[]
  grantId: string | null
  limitedTo: string[] | null
  /** Why staff reads, where it said so. */
  reason: string | null
}

/** Of a row of a statement that found nothing of the patient to change. */
export function mustBeServedHere({ is_served_here }: { is_served_here: boolean }) {
  if (!is_served_here) throw misdirected()
}

/** A reader who relies on no grant. */
export const WITHOUT_GRANT = { doctorId: null, practiceIds: [], grantId: null, limitedTo: null, reason: null }

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
