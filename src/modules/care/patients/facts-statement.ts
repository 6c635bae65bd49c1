// The facts of all patients of a doctor, in one statement: a row for each who shares when it begins, with what status/ judges. Positions and
// the evidence that they cover are of one instant. Each part is a descent in an index by patient: nothing here has statistics.
import { textArray } from '../../../db/array.ts'
import type { Statement } from '../../../db/statement.ts'
import { TIMELINE } from '../../feed/changes/read-changes.ts'
import { inMs } from '../summaries/counted-at.ts'
import { FOLLOWER } from '../summaries/mark-changes.ts'
import { ALL_TYPES } from '../summaries/what-is-summarised.ts'
import { TARGET_COLUMNS, type TargetRow } from '../targets/stored-target.ts'
import type { AlertRow } from './alert-facts.ts'
import { MAX_PATIENTS } from './list-contract.ts'

/** What waits longer than this is not what a list usually waits for. */
const BEHIND_AFTER = "interval '10 seconds'"

/** So much of one patient is looked at. Looks of 29 days cover all that is judged, but for a date that one gave: at most 366 days ahead. */
const MAX_LOOKS = 50
const LOOK_DAYS = 29
const DATE_DAYS = 367
const MAX_ENDED_ALERTS = 50

export type PatientRow = {
  patient_uid: string
  list_key: string
  shared_as: string | null
  contact: string | null
  permission: 'view' | 'manage'
  reading_types: string[] | null
  valid_until: string
  given_at: string
  grant_id: string
  /** How many share with the doctor. */
  sharing: number
  behind_since: string | null
  /** Null before anything was made of the patient. */
  judged: string | null
  /** That number, in this history of the database. */
  version: string
  targets: (TargetRow & { manages: boolean })[] | null
  /** Null where those that are known still hold, and where there are none. */
  sums: SumsRow[] | null
  evidence: EvidenceRow[] | null
  newest: NewestRow[] | null
  looks: LookRow[] | null
  last_looked_at: number | null
  alerts: AlertRow[] | null
}

/** Of a target, of a field of it, by its number from 1, and of days: 0 today to 7 days ago, 1 to 14, 2 to 28. */
export type SumsRow = [
  targetId: string,
  field: number,
  part: number,
  values: number,
  days: number,
  sum: number,
  total: number,
  inRange: number,
  below: number,
  farBelow: number,
  above: number,
  farAbove: number,
]

export type EvidenceRow = {
  kind: 'value' | 'symptom' | 'clock'
  readingType: string
  readingId: string
  targetId: string | null
  field: string | null
  value: number | null
  severity: string | null
  shown: Record<string, unknown>
  measuredAt: number
  receivedAt: number
  position: number
}

export type NewestRow = [
  readingType: string,
  readingId: string,
  measuredAt: number,
  receivedAt: number,
  unit: string | null,
  values: Record<string, number>,
  /** Of the last 30 days, the last bit is that of `countedOn`, a day since 1970. */
  dataDays: number,
  countedOn: number,
]

export type LookRow = {
  doctorId: string
  at: number
  seenUpTo: number
  /** Of which types it saw readings; null for all. */
  readingTypes: string[] | null
  saw: string[]
  lookAgainAt: number | null
  dateSays: 'keep' | 'set' | 'none'
}

export type Asked = {
  doctorId: string
  practiceIds: readonly string[]
  patientUid?: string | undefined
  hasAlerts: boolean
  now: number
  /** The sums that need not be read again: of which patients, and of which of their versions. */
  known: ReadonlyMap<string, { version: string }>
}

export function factsStatement({
  doctorId,
  practiceIds,
  patientUid,
  hasAlerts,
  now,
  known,
}: Asked): Statement {
  const versions = [...known.values()].map(({ version }) => version)
  const values = [
    doctorId,
    new Date(now).toISOString(),
    hasAlerts,
    textArray([...known.keys()]),
    textArray(versions),
    textArray(practiceIds),
  ]
  return patientUid === undefined
    ? { name: 'facts-of-patients', text: FACTS_OF_ALL, values }
    : { name: 'facts-of-patient', text: FACTS_OF_ONE, values: [...values, patientUid] }
}

const isShared = (readingType: string) =>
  `(mine.reading_types is null or ${readingType} = any (mine.reading_types))`
/** $2: when that is. */
export const TODAY = "($2::timestamptz at time zone 'UTC')::date"

const PARTS = ['sum', 'total', 'in_range', 'below', 'far_below', 'above', 'far_above']

const VERSION = "concat_ws(' ', patients.judged, (select history from history))"

// Of all targets of the patient: which of them are shown and shared is asked each time. They are most of what the statement costs, so they are
// read only where they are not known.
const SUMS = `
    select json_agg(json_build_array(target_id, field, part, readings, days, ${PARTS.join(', ')})) as sums
    from (
      select target_id, field, part, sum(readings[field]) as readings, count(*) filter (where readings[field] > 0) as days,
        ${PARTS.map((name) => `sum(${name}[field]) as ${name}`).join(', ')}
      from (
        select days.*, case when day >= ${TODAY} - 7 then 0 when day >= ${TODAY} - 14 then 1 else 2 end as part
        from care.days
        where days.patient_uid = mine.patient_uid
          and day between ${TODAY} - 28 and ${TODAY}
          and ${VERSION} is distinct from known.version
      ) as days
      cross join lateral generate_series(1, cardinality(readings)) as field
      group by target_id, field, part
    ) as sums`

const targetsOf = (which: string) => `
        select ${TARGET_COLUMNS}, given.permission = 'manage' as manages
        from casesheet.targets
        where author_kind = 'doctor'
          and author_id = given.doctor_id
          and state = 'set'
          and ${isShared('targets.reading_type')}
          and (given.reading_types is null or targets.reading_type = any (given.reading_types))
          and ${which}`

// Of this doctor, of others to whom the patient gives the permission manage now, and of the doctor's practices.
const TARGETS = `
    select json_agg(json_build_object(
        'target_id', target_id, 'author_kind', author_kind, 'author_id', author_id, 'author_name', author_name, 'patient_uid', patient_uid,
        'reading_type', reading_type, 'unit', unit, 'fields', fields, 'expect_every', expect_every, 'label', label, 'preset', preset,
        'set_by', set_by, 'set_at', set_at, 'manages', manages
      )) as targets
    from (
      select target.*
      from casesheet.grants as given
      cross join lateral (${targetsOf('targets.patient_uid = mine.patient_uid')}
        union all ${targetsOf("targets.patient_uid is null and given.permission = 'manage'")}
      ) as target
      where given.patient_uid = mine.patient_uid
        and given.state = 'given'
        and given.valid_until > now()
        and (given.doctor_id = $1 or given.permission = 'manage')
      union all
      select ${TARGET_COLUMNS}, true
      from casesheet.targets
      where targets.patient_uid = mine.patient_uid
        and author_kind = 'practice'
        and author_id = any ($6::text[])
        and state = 'set'
        and ${isShared('targets.reading_type')}
    ) as target`

const EVIDENCE = `
    select json_agg(json_build_object(
        'kind', kind, 'readingType', reading_type, 'readingId', reading_id, 'targetId', target_id, 'field', field, 'value', value,
        'severity', severity, 'shown', shown, 'measuredAt', ${inMs('measured_at')}, 'receivedAt', ${inMs('received_at')}, 'position', position
      ) order by position, received_at, reading_id) as evidence
    from care.evidence
    where evidence.patient_uid = mine.patient_uid
      and ${isShared('reading_type')}`

const NEWEST = `
    select json_agg(json_build_array(
        reading_type, reading_id, ${inMs('measured_at')}, ${inMs('received_at')}, unit, values, data_days::integer, counted_on - date '1970-01-01'
      )) as newest
    from care.newest
    where newest.patient_uid = mine.patient_uid
      and ${isShared('reading_type')}`

const ourLooks = (columns: string) => `
      select ${columns}
      from casesheet.looks
      where looks.patient_uid = mine.patient_uid
        and (doctor_id = $1 or practice_id = any ($6::text[]))
        and undone_at is null`

const since = (days: number) => `and at > $2::timestamptz - interval '${days} days'`
const newestLooks = (
  limit: number,
  which: string,
) => `(${ourLooks('at, review_id, doctor_id, seen_up_to, reading_types, saw, look_again_at, date_says')}
        ${which}
      order by at desc, review_id desc
      limit ${limit}
    )`

// Those that may cover something; the last that said something of a date, however many there were since; and the last of all, which may have
// ended that date. One that is several of these is one row.
const LOOKS = `
    select json_agg(json_build_object(
        'doctorId', doctor_id, 'at', ${inMs('at')}, 'seenUpTo', seen_up_to, 'readingTypes', reading_types, 'saw', saw,
        'lookAgainAt', ${inMs('look_again_at')}, 'dateSays', date_says
      ) order by at, review_id) as looks
    from (
      ${newestLooks(MAX_LOOKS, since(LOOK_DAYS))}
      union ${newestLooks(1, `${since(DATE_DAYS)} and date_says <> 'keep'`)}
      union ${newestLooks(1, since(DATE_DAYS))}
    ) as looks`

// Of any author's rules, as alerts/list has them. One that ended is a fact if it was urgent and the readings or the time ended it, not if its rule
// or a grant did. What is not shared or long over takes none of the places.
const ALERTS = `
    select json_agg(json_build_object(
        'alertId', alert_id, 'readingType', alert.reading_type, 'severity', severity, 'kind', kind, 'label', label, 'why', why,
        'limit', "limit", 'beyond', beyond, 'unit', unit, 'worst', worst,
        'missingFor', (select terms #>> '{missing,for}' from casesheet.rules where rules.rule_id = alert.rule_id and kind = 'missing'),
        'since', ${inMs('since')}, 'openedAt', ${inMs('opened_at')}, 'acknowledgedAt', ${inMs('acknowledged_at')},
        'acknowledgedBeyond', acknowledged_beyond, 'endedAt', ${inMs('ended_at')}
      ) order by opened_at, alert_id) as alerts
    from (
      (
        select *
        from casesheet.alerts
        where alerts.patient_uid = mine.patient_uid
          and ended_at is null
          and ${isShared('reading_type')}
      )
      union all
      (
        select *
        from casesheet.alerts
        where alerts.patient_uid = mine.patient_uid
          and ended_because in ('values', 'symptomOver')
          and severity = 'urgent'
          and ended_at > $2::timestamptz - interval '8 days'
          and ${isShared('reading_type')}
        order by ended_at desc
        limit ${MAX_ENDED_ALERTS}
      )
    ) as alert
    where $3`

// The follower that stands still, and what it marked and nobody has made.
const BEHIND_SINCE = `
    select least(
      (select caught_up_at from casesheet.followers where name = '${FOLLOWER}' and caught_up_at < now() - ${BEHIND_AFTER}),
      min(oldest.since)
    )::text as behind_since
    from mine
    cross join lateral (
      select min(since) as since
      from care.marks
      where marks.patient_uid = mine.patient_uid
        and since < now() - ${BEHIND_AFTER}
        and (reading_type = '${ALL_TYPES}' or ${isShared('reading_type')})
    ) as oldest`

const factsOf = (whom: string) => `
  with mine as materialized (
    select patient_uid, list_key, shared_as, contact, permission, reading_types, valid_until, given_at, grant_id, count(*) over ()::integer as sharing
    from casesheet.grants
    where doctor_id = $1
      and state = 'given'
      and valid_until > now()
      ${whom}
    order by given_at, patient_uid
    limit ${MAX_PATIENTS}
  ), history as materialized (
    select concat_ws(' ', generation, ${TIMELINE}) as history
    from casesheet.feed
    cross join pg_current_wal_insert_lsn() as lsn
  ), behind as materialized (${BEHIND_SINCE}
  )
  select mine.patient_uid, list_key, shared_as, contact, permission, mine.reading_types, valid_until::text, given_at::text, grant_id, sharing, behind_since,
    patients.judged::text, ${VERSION} as version, targets, sums, evidence, newest, looks, alerts,
    (${ourLooks(inMs('at'))}
        and (doctor_id = $1 or mine.reading_types is null)
      order by at desc, review_id desc
      limit 1
    ) as last_looked_at
  from mine
  cross join behind
  left join care.patients using (patient_uid)
  left join unnest($4::text[], $5::text[]) as known (patient_uid, version) using (patient_uid)
  cross join lateral (${TARGETS}
  ) as targets
  cross join lateral (${SUMS}
  ) as sums
  cross join lateral (${EVIDENCE}
  ) as evidence
  cross join lateral (${NEWEST}
  ) as newest
  cross join lateral (${LOOKS}
  ) as looks
  cross join lateral (${ALERTS}
  ) as alerts`

const FACTS_OF_ALL = factsOf('')
const FACTS_OF_ONE = factsOf('and patient_uid = $7')
