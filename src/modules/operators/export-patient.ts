// `rounds patient export`: everything that Rounds holds of a patient, as lines of JSON, in bounded memory however much it is.
// Withdrawn readings are held, so they are in it too, each with the field `withdrawn`; and every correction, also of readings that
// were restored; and every target, rule and grant, also one that was removed, revoked or has expired, with its history; and
// reviews, without notes for doctors only; and every alert with what became of it, without such notes.
// The export is a read like any other: its row of the access log is committed before the first byte, and stands in the
// export too. The last line counts the others, so that a file that was cut short is known.
import { randomUUID } from 'node:crypto'
import { fetchRows } from '../../db/fetch-rows.ts'
import { CommandError } from '../../refusal.ts'
import {
  type AccessRow,
  accessFrom,
  type CorrectionRow,
  correctionFrom,
  instantUnlessOpen,
} from '../casesheet/access-log/access-entry.ts'
import { instantFrom } from '../casesheet/epoch-time.ts'
import {
  DETAILS_WITH_WITHDRAWN,
  inOneLine,
  LISTED_COLUMNS,
  printReading,
  READING_AS_TEXT,
  readingAt,
} from '../casesheet/get/print-readings.ts'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'
import { type ExportedAlerts, exportAlerts } from './export-alerts.ts'
import { mustHoldPartitions } from './partitions-of-patient.ts'

export type PatientExport = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  patientUid: string
  /** Who answers for it. */
  exportedBy: string
  write: (text: string) => Promise<void>
  onProgress: (progress: { stage: 'readings' | 'access log'; share: number }) => void
}

/** How many lines there are of each kind. */
export type Exported = Record<
  | 'readings'
  | 'corrections'
  | 'targets'
  | 'targetChanges'
  | 'reviews'
  | keyof ExportedAlerts
  | 'grants'
  | 'grantChanges'
  | 'accesses',
  number
>

export async function exportPatient({
  databaseUrl,
  patientUid,
  exportedBy,
  write,
  onProgress,
}: PatientExport): Promise<Exported> {
  const writeLine = (value: object) => write(`${JSON.stringify(value)}\n`)
  return withOwnerSession(databaseUrl, async (client) => {
    await mustHoldPartitions(client, patientUid)
    const { rows } = await client.query<{ readings: number; at: string }>(LOG_EXPORT, [
      patientUid,
      randomUUID(),
      exportedBy,
    ])
    const [logged] = rows
    if (!logged) throw new CommandError(NOTHING_HELD)
    const { readings: expected, at } = logged
    // One picture of all tables, whatever is added meanwhile.
    await client.query('begin isolation level repeatable read read only')
    await writeLine({ export: { patientUid, exportedBy, exportedAt: instantFrom(at, 6) } })
    const patient = JSON.stringify(patientUid)
    let readings = 0
    for await (const some of fetchRows<ReadingRow>(client, READINGS, [patientUid])) {
      for (const { listed, added_by } of some)
        await write(
          `{"reading":${inOneLine(printReading(readingAt(listed, 0), patient))},"addedBy":${JSON.stringify(added_by)}}\n`,
        )
      readings += some.length
      onProgress({ stage: 'readings', share: Math.min(1, readings / expected) })
    }
    async function writeEach<Row>(rowsFound: AsyncIterable<Row[]>, lineFrom: (row: Row) => object) {
      let count = 0
      for await (const some of rowsFound) {
        for (const row of some) await writeLine(lineFrom(row))
        count += some.length
      }
      return count
    }
    const corrections = await writeEach(
      fetchRows<ExportedCorrection>(client, CORRECTIONS, [patientUid]),
      correctionLine,
    )
    const targets = await writeEach(fetchRows<TargetRow>(client, TARGETS, [patientUid]), targetLine)
    const targetChanges = await writeEach(
      fetchRows<TargetChangeRow>(client, TARGET_CHANGES, [patientUid]),
      targetChangeLine,
    )
    const reviews = await writeEach(fetchRows<ReviewRow>(client, REVIEWS, [patientUid]), reviewLine)
    const alerted = await exportAlerts(client, patientUid, writeEach)
    const grants = await writeEach(fetchRows<GrantRow>(client, GRANTS, [patientUid]), grantLine)
    const grantChanges = await writeEach(
      fetchRows<GrantChangeRow>(client, GRANT_CHANGES, [patientUid]),
      grantChangeLine,
    )
    onProgress({ stage: 'access log', share: 1 })
    const accesses = await writeEach(fetchRows<AccessRow>(client, ACCESSES, [patientUid]), accessLine)
    await client.query('commit')
    const exported = {
      readings,
      corrections,
      targets,
      targetChanges,
      reviews,
      ...alerted,
      grants,
      grantChanges,
      accesses,
    }
    await writeLine({ end: exported })
    return exported
  })
}

type ReadingRow = { listed: string; added_by: string }

type ExportedCorrection = CorrectionRow & { at: string; by: string; allowed_as: string }

const correctionLine = ({ at, by, allowed_as, ...row }: ExportedCorrection) => ({
  correction: { at: instantFrom(at, 6), by, allowedAs: allowed_as, ...correctionFrom(row) },
})

type SetRow = {
  author_kind: string
  author_id: string
  author_name: string | null
  reading_type: string
  unit: string
  fields: object
  expect_every: string | null
  label: string | null
  preset: string | null
  by: string
  at: string
}

const setFrom = ({ author_kind: kind, author_id: id, author_name: name, ...row }: SetRow) => ({
  author: {
    kind,
    ...(kind === 'doctor' && { doctorId: id }),
    ...(kind === 'practice' && { practiceId: id }),
    name: name ?? id,
  },
  readingType: row.reading_type,
  unit: row.unit,
  fields: row.fields,
  expectEvery: row.expect_every,
  label: row.label,
  preset: row.preset,
})

type TargetRow = SetRow & { state: string }
const targetLine = (row: TargetRow) => ({
  target: { ...setFrom(row), state: row.state, setBy: row.by, setAt: instantFrom(row.at, 6) },
})

type TargetChangeRow = SetRow & { action: string }
const targetChangeLine = (row: TargetChangeRow) => ({
  targetChange: { ...setFrom(row), action: row.action, by: row.by, at: instantFrom(row.at, 6) },
})

type ReviewRow = {
  review_id: string
  doctor_id: string | null
  practice_id: string | null
  looked_by: string
  name: string | null
  seen_up_to: string
  saw: string[]
  acknowledged: string[]
  note: string | null
  date_says: string
  look_again_at: string | null
  at: string
  undone_at: string | null
}
const instantOrNull = (text: string | null) => (text === null ? null : instantFrom(text, 6))

const reviewLine = (row: ReviewRow) => ({
  review: {
    reviewId: row.review_id,
    doctorId: row.doctor_id,
    practiceId: row.practice_id,
    reviewedBy: row.looked_by,
    name: row.name,
    seenUpTo: row.seen_up_to,
    saw: row.saw,
    acknowledged: row.acknowledged,
    note: row.note,
    dateSays: row.date_says,
    lookAgainAt: instantOrNull(row.look_again_at),
    at: instantFrom(row.at, 6),
    undoneAt: instantOrNull(row.undone_at),
  },
})

type GrantedRow = {
  doctor_id: string
  permission: string
  reading_types: string[] | null
  valid_until: string
  shared_as: string | null
  contact: string | null
  changed_by: string
  changed_at: string
}

const grantedFrom = ({
  doctor_id,
  permission,
  reading_types,
  valid_until,
  shared_as,
  contact,
}: GrantedRow) => ({
  doctorId: doctor_id,
  permission,
  readingTypes: reading_types,
  validUntil: instantUnlessOpen(valid_until),
  sharedAs: shared_as,
  contact,
})

type GrantRow = GrantedRow & { state: string }
const grantLine = (row: GrantRow) => ({
  grant: {
    ...grantedFrom(row),
    state: row.state,
    changedBy: row.changed_by,
    changedAt: instantFrom(row.changed_at, 6),
  },
})

type GrantChangeRow = GrantedRow & { action: string }
const grantChangeLine = (row: GrantChangeRow) => ({
  grantChange: {
    ...grantedFrom(row),
    action: row.action,
    by: row.changed_by,
    at: instantFrom(row.changed_at, 6),
  },
})

const accessLine = (row: AccessRow) => ({ access: accessFrom(row) })

/** Of such a patient nothing is read, so nothing is logged either: the entry would be the first thing that is held. */
export const NOTHING_HELD =
  'Nothing is held under this id: no reading, no target, no review, no rule, no grant, and no entry of the access log. Check how it is spelt.'

const LOG_EXPORT = `
  insert into casesheet.access_log
    (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
  select $1::text, 'patient/export', '-infinity', 'infinity', $2, 0, $3, 'operator', count(*)
  from casesheet.readings
  where patient_uid = $1::text
  having (
      count(*) > 0
      or exists (select from casesheet.access_log where patient_uid = $1::text)
      or exists (select from casesheet.targets where patient_uid = $1::text)
      or exists (select from casesheet.looks where patient_uid = $1::text)
      or exists (select from casesheet.rules where patient_uid = $1::text)
      or exists (select from casesheet.alerts where patient_uid = $1::text)
      or exists (select from casesheet.grants where patient_uid = $1::text)
    )
  returning readings_count as readings, at::text as at`

const READINGS = `
  select
    ${READING_AS_TEXT} as listed,
    added_by
  from (
    select ${LISTED_COLUMNS}, ${DETAILS_WITH_WITHDRAWN} as details, coalesce(added_by, patient_uid) as added_by
    from casesheet.readings
    where patient_uid = $1
  ) as readings
  order by measured_at, reading_id`

const CORRECTIONS = `
  select corrections.at::text as at, corrected_by as by, allowed_as, action, reading_id, reading_type,
    measured_at::text as measured_at, reason
  from casesheet.corrections
  join casesheet.readings using (patient_uid, measured_at, reading_id)
  where patient_uid = $1
  order by corrections.at, correction_id`

const SET_COLUMNS =
  'author_kind, author_id, author_name, reading_type, unit, fields, expect_every, label, preset'

const TARGETS = `
  select ${SET_COLUMNS}, set_by as by, set_at::text as at, state
  from casesheet.targets
  where patient_uid = $1
  order by set_at, target_id`

const TARGET_CHANGES = `
  select ${SET_COLUMNS}, by, target_changes.at::text as at, action
  from casesheet.target_changes
  where patient_uid = $1
  order by target_changes.at, target_id`

// The file may be given to the patient: what doctors noted for doctors only is not in it.
const REVIEWS = `
  select review_id, doctor_id, practice_id, looked_by, name, seen_up_to::text as seen_up_to, saw, acknowledged,
    case when visible_to = 'patient' then note end as note, date_says, look_again_at::text as look_again_at, at::text as at,
    undone_at::text as undone_at
  from casesheet.looks
  where patient_uid = $1
  order by looks.at, review_id`

const GRANTED_COLUMNS = `doctor_id, permission, reading_types, valid_until::text as valid_until, shared_as, contact, changed_by,
    changed_at::text as changed_at`

const GRANTS = `
  select ${GRANTED_COLUMNS}, case when state = 'given' and valid_until <= now() then 'expired' else state end as state
  from casesheet.grants
  where patient_uid = $1
  order by grants.changed_at, grant_id`

const GRANT_CHANGES = `
  select ${GRANTED_COLUMNS}, action
  from casesheet.grant_changes
  where patient_uid = $1
  order by grant_changes.changed_at, grant_id`

const ACCESSES = `
  select at::text as at, read_by, allowed_as, operation, range_from::text as range_from, range_to::text as range_to,
    reading_types, readings_count, request_id, doctor_id, reason as access_reason
  from casesheet.access_log
  where patient_uid = $1
  order by access_log.at, request_id, page`
