// Targets as the serving role writes them, without a server in between.
import { runSql } from './harness.ts'

export type TargetByHand = {
  patientUid: string
  readingType: string
  low: number
  label?: string
  by?: string
}

/** The statement and its values, for a test that sends it in a transaction of its own. */
export function setText({
  patientUid,
  readingType,
  low,
  label,
  by,
}: TargetByHand): [text: string, values: unknown[]] {
  return [
    `insert into casesheet.targets (patient_uid, reading_type, field, low, unit, label, changed_by, allowed_as)
     values ($1, $2, 'value', $3, '%', $4, $5, 'patient')
     on conflict (patient_uid, reading_type, field) do update
     set state = 'set', low = excluded.low, label = excluded.label, changed_by = excluded.changed_by`,
    [patientUid, readingType, low, label ?? null, by ?? `sub-of-${patientUid}`],
  ]
}

export const set = (url: string, target: TargetByHand) => runSql(url, ...setText(target))

export const remove = (url: string, patientUid: string, readingType: string) =>
  runSql(
    url,
    `update casesheet.targets set state = 'removed', changed_by = 'carer', allowed_as = 'grant', doctor_id = 'doctor-1'
     where patient_uid = $1 and reading_type = $2 and state = 'set'`,
    [patientUid, readingType],
  )

/** All that the two tables hold of a patient, except the place in the sequence of changes. */
export const targetsOf = (url: string, patientUid: string) =>
  runSql<{ row: Record<string, unknown> }>(
    url,
    `select to_jsonb(targets) - 'changed_xid' as row from casesheet.targets where patient_uid = $1
     union all
     select to_jsonb(target_changes) from casesheet.target_changes where patient_uid = $1
     order by row`,
    [patientUid],
  )
