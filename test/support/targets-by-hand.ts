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
    `insert into casesheet.targets (author_kind, author_id, patient_uid, reading_type, unit, fields, label, set_by)
     values ('patient', $1, $1, $2, '%', json_build_object('value', json_build_object('low', $3::float8)), $4, $5)
     on conflict (patient_uid, reading_type, author_kind, author_id) do update
     set state = 'set', fields = excluded.fields, label = excluded.label, set_by = excluded.set_by`,
    [patientUid, readingType, low, label ?? null, by ?? `sub-of-${patientUid}`],
  ]
}

export const set = (url: string, target: TargetByHand) => runSql(url, ...setText(target))

export const remove = (url: string, patientUid: string, readingType: string) =>
  runSql(
    url,
    `update casesheet.targets set state = 'removed', set_by = 'carer'
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
