// Grants as the serving role writes them, without a server in between.
import { runSql } from './harness.ts'

export type GrantByHand = {
  patientUid: string
  doctorId: string
  readingTypes?: string[]
  validUntil?: string
  sharedAs?: string
  by?: string
}

/** The statement and its values, for a test that sends it in a transaction of its own. */
export function giveText({ patientUid, doctorId, ...more }: GrantByHand): [text: string, values: unknown[]] {
  const { readingTypes = null, validUntil = 'infinity', sharedAs = null, by = `sub-of-${patientUid}` } = more
  return [
    `insert into casesheet.grants
       (patient_uid, doctor_id, permission, reading_types, valid_until, shared_as, list_key, changed_by)
     values ($1::text, $2, 'view', $3, $4, $5::text, coalesce($5, $1), $6)
     on conflict (patient_uid, doctor_id) do update
     set state = 'given', permission = excluded.permission, reading_types = excluded.reading_types,
       valid_until = excluded.valid_until, shared_as = excluded.shared_as, list_key = excluded.list_key,
       changed_by = excluded.changed_by`,
    [patientUid, doctorId, readingTypes, validUntil, sharedAs, by],
  ]
}

export const give = (url: string, grant: GrantByHand) => runSql(url, ...giveText(grant))

export const REVOKE =
  "update casesheet.grants set state = 'revoked', changed_by = $3 where patient_uid = $1 and doctor_id = $2 and state = 'given'"

export const revoke = (
  url: string,
  { patientUid, doctorId, by = `sub-of-${patientUid}` }: Pick<GrantByHand, 'patientUid' | 'doctorId' | 'by'>,
) => runSql(url, REVOKE, [patientUid, doctorId, by])

/** All that the two tables hold of a patient, except the place in the sequence of changes. */
export const grantsOf = (url: string, patientUid: string) =>
  runSql<{ row: Record<string, unknown> }>(
    url,
    `select to_jsonb(grants) - 'changed_xid' as row from casesheet.grants where patient_uid = $1
     union all
     select to_jsonb(grant_changes) from casesheet.grant_changes where patient_uid = $1
     order by row`,
    [patientUid],
  )
