// The list of a doctor in one statement: who shares now, the status of each, the page, and the access log. Who does not share when it begins
// is not in it.
//
// Parameters: $1 doctor, $2 time zone, $3 now, $4 statuses, $5 only new ones, $6 what to find, $7 silent after days, $8 worse by
// points, $9 changed since, $10 limit, $11 to $13 the position before the page, $14 request, $15 subject, $16 whether alerts are on.
import type { Statement } from '../../../db/statement.ts'
import { TIMELINE } from '../../feed/changes/read-changes.ts'
import { SEVERITIES } from '../alerts/alert.ts'
import { KEPT_DAYS, SUMMED_DAYS } from '../summaries/make-statement.ts'
import { FOLLOWER } from '../summaries/mark-changes.ts'
import { OTHER_TYPES, OUTER } from '../summaries/what-is-summarised.ts'
import type { TargetRow } from '../targets/target.ts'
import { MAX_PATIENTS, type Order, type Sort } from './list-contract.ts'
import { STATUSES, type Status } from './listed-patient.ts'

/** With fewer readings in one of the fortnights, nothing is said of a change. */
const LEAST_COMPARED = 10
/** For how long a review speaks for what has no time of its own. */
const REVIEW_HOLDS = `interval '${SUMMED_DAYS} days'`

/** What waits longer than this is not what a list usually waits for. */
const BEHIND_AFTER = "interval '10 seconds'"

/** Where a page begins: behind this patient. */
export type Place = { key: string; listKey: string; patientUid: string }

export type Listing = {
  doctorId: string
  timeZone: string
  now: number
  statuses: Status[] | null
  isNew: boolean | null
  find: string | null
  silentAfter: number | null
  worseBy: number | null
  /** A transaction. */
  changedSince: string | null
  limit: number
  after: Place | null
  sort: Sort
  order: Order
  requestId: string
  subject: string
  hasAlerts: boolean
}

export function listStatement(listing: Listing): Statement {
  const { doctorId, timeZone, statuses, isNew, find, silentAfter, worseBy, after } = listing
  const { sort, order } = listing
  return {
    name: `list-patients-of-doctor-${sort}-${order}`,
    text: TEXTS[order][sort],
    values: [
      doctorId,
      timeZone,
      new Date(listing.now).toISOString(),
      statuses,
      isNew,
      find,
      silentAfter,
      worseBy,
      listing.changedSince,
      listing.limit,
      after?.key,
      after?.listKey,
      after?.patientUid,
      listing.requestId,
      listing.subject,
      listing.hasAlerts,
    ],
  }
}

/** SQL: those who share with the doctor now. */
const MINE = `
    select patient_uid, list_key, shared_as, permission, reading_types, valid_until, given_at, changed_xid as grant_xid,
      count(*) over () as sharing
    from casesheet.grants
    where doctor_id = $1
      and state = 'given'
      and valid_until > now()
    order by given_at, patient_uid
    limit ${MAX_PATIENTS}`

const FRESH_FROM = `$3::timestamptz - make_interval(days => coalesce($7::integer, ${SUMMED_DAYS}))`
const SILENT_FROM = '$3::timestamptz - make_interval(days => $7::integer)'

/** SQL: what holds for one type of a patient, about a row of care.summaries beside `reviewed_at`. */
const FLAGS = {
  outside: `newest_is_outside and newest_at > ${FRESH_FROM}`,
  was_outside: 'outside_received is not null',
  goal: `has_goal and judged >= ${OUTER.leastJudged} and in_target <= ${OUTER.goal} * judged`,
  // Nobody has said that these are well: the share is too low, but of too few readings to say so.
  tooFew: `has_goal and judged between 1 and ${OUTER.leastJudged - 1} and in_target <= ${OUTER.goal} * judged`,
  worse: `$8::integer is not null and judged >= ${LEAST_COMPARED} and judged_before >= ${LEAST_COMPARED}
          and 100 * (in_target_before::bigint * judged - in_target::bigint * judged_before) >= $8 * judged::bigint * judged_before`,
  silent: `has_target and $7 is not null and coalesce(newest_at, '-infinity') < ${SILENT_FROM}`,
}

const IS_REVIEWED_LATELY = `coalesce(reviewed_at > $3::timestamptz - ${REVIEW_HOLDS}, false)`
const REVIEWED_AT = "coalesce(reviewed_at, '-infinity')"

/** SQL: the same, where no review has come since. */
const DUE = {
  attention: `${FLAGS.outside} and newest_received > ${REVIEWED_AT}`,
  outside: `${FLAGS.was_outside} and outside_received > ${REVIEWED_AT}`,
  goal: `${FLAGS.goal} and not ${IS_REVIEWED_LATELY}`,
  worse: `${FLAGS.worse} and not ${IS_REVIEWED_LATELY}`,
  silent: FLAGS.silent,
}

const each = (of: (name: string, condition: string) => string) =>
  Object.entries(DUE).map(([name, condition]) => of(name, condition))

/** SQL: what of a patient's alerts is open: what waits for a doctor, `alert` most of all, and what a doctor has dealt with. */
const OPEN_ALERTS = `
      select array[${SEVERITIES.map((severity) => `count(*) filter (where is_waiting and severity = '${severity}')`).join(', ')}]::integer[] as alerts,
        count(*) filter (where not is_waiting)::integer as acknowledged_alerts,
        max(opened_at) filter (where is_waiting and severity in ('urgent', 'warning')) as alerted_at,
        (array_agg(alert_id order by array_position('{${SEVERITIES.join()}}'::text[], severity), opened_at desc, alert_id) filter (where is_waiting))[1] as alert_id
      from (
        select *, acknowledged_at is null as is_waiting
        from casesheet.alerts
        where $16::boolean
          and alerts.patient_uid = mine.patient_uid
          and condition = 'open'
          and (mine.reading_types is null or reading_type = any (mine.reading_types))
      ) as alerts`

/** SQL: that one, and whose rule it is. */
const ALERT = `case when alerted_at is not null then (
          select json_build_object(
            'alert_id', alert_id, 'reading_type', alerts.reading_type, 'why', why, 'opened_at', opened_at::text,
            'set_by', changed_by, 'set_at', changed_at::text
          )
          from casesheet.alerts
          join casesheet.rules using (patient_uid, rule_id)
          where alerts.patient_uid = shown.patient_uid
            and alert_id = shown.alert_id
        ) end`

/** SQL: of each patient, what decides the status, over the types that are shared. */
const RATED = `
    select mine.*, reviewed_at, note, review_xid, coalesce(patients.changed_xid, '0') as summary_xid,
      state is not distinct from 'made' as is_made,
      asked_on is null or asked_on < $3::timestamptz::date as is_unasked,
      types.*, waiting.*
    from mine
    left join care.patients on patients.patient_uid = mine.patient_uid
    left join care.patient_zones on patient_zones.patient_uid = mine.patient_uid and time_zone = $2
    left join lateral (
      select at as reviewed_at, note, changed_xid as review_xid
      from casesheet.reviews
      where reviews.patient_uid = mine.patient_uid
        and doctor_id = $1
      order by at desc
      limit 1
    ) as review on true
    left join lateral (
      select max(last_at) as last_at,
        bit_count(bit_or(days)) as days_with_data,
        bit_count(bit_or(device_days)) as days_with_devices,
        coalesce(bool_or(has_target), false) as has_target,
        coalesce(sum(judged), 0) > 0 as is_judged,
        coalesce(bool_or(${FLAGS.tooFew}), false) as is_too_few,
        min(case when judged > 0 then in_target::float8 / judged end) as share,
        max(newest_at) as newest_at,
        max(newest_at) filter (where ${DUE.attention}) as attention_at,
        max(farthest_at) filter (where ${DUE.outside}) as outside_at,
        coalesce(bool_or(${DUE.goal}), false) as is_below_goal,
        coalesce(bool_or(${DUE.worse}), false) as is_worse,
        coalesce(bool_or(${DUE.silent}), false) as is_silent,
        coalesce(bool_or(${FLAGS.outside} or ${FLAGS.was_outside} or ${FLAGS.goal} or ${FLAGS.worse}), false) as is_seen
      from care.summaries
      where summaries.patient_uid = mine.patient_uid
        and summaries.time_zone = $2
        and (mine.reading_types is null or reading_type = any (mine.reading_types))
    ) as types on true
    left join lateral (${OPEN_ALERTS}
    ) as waiting on true`

const STATUS = `case
        when alerted_at is not null then 'attention'
        when not is_made then 'preparing'
        when attention_at is not null then 'attention'
        when outside_at is not null or is_below_goal then 'review'
        when is_worse then 'worse'
        when is_silent then 'silent'
        when is_seen then 'reviewed'
        when is_judged and not is_too_few then 'inTarget'
        when has_target then 'noData'
        else 'noTarget'
      end`

const epochOf = (instant: string) => `extract(epoch from ${instant})::float8`
const RANK = `array_position('{${STATUSES.join()}}'::text[], status)`

/** SQL: by which number patients are ordered, the least first. One that is not known comes last; what never was, first. */
const KEYS: Record<Sort, string> = {
  // A status is more than all times, and within it an urgent alert.
  attention: `${RANK} * 1e11 - case when alerts[1] > 0 then 2e10 else 0 end - coalesce(${epochOf('decided_at')}, 0)`,
  name: '0::float8',
  share: "coalesce(share, 'infinity')",
  daysWithData: 'coalesce(days_with_data, 0)::float8',
  lastReading: `coalesce(${epochOf('last_at')}, '-infinity')`,
  lastReview: `coalesce(${epochOf('reviewed_at')}, '-infinity')`,
}

/** SQL: the types of a patient, with the days of a fortnight. What is due says by which rule. */
const TYPES = `(
        select json_agg(json_build_object(
          'reading_type', reading_type, 'newest', newest, 'newest_at', newest_at::text, 'newest_sides', newest_sides,
          'has_target', has_target, 'has_goal', has_goal, 'unit', unit, 'judged', judged, 'in_target', in_target, 'judged_before',
          judged_before, 'in_target_before', in_target_before, 'below', below, 'above', above, 'far_below', far_below,
          'far_above', far_above, 'farthest', farthest, 'farthest_at', farthest_at::text, 'farthest_side', farthest_side,
          'due', array_remove(array[${each((name, condition) => `case when ${condition} then '${name}' end`).join(', ')}], null),
          'days', (
            select json_agg(json_build_object(
              'date', date, 'readings', readings, 'judged', judged, 'in_target', in_target, 'lowest', lowest, 'highest', highest
            ) order by date)
            from care.summary_days
            where summary_days.patient_uid = shown.patient_uid
              and summary_days.time_zone = $2
              and summary_days.reading_type = summaries.reading_type
              and date between made_on - ${SUMMED_DAYS - 1} and made_on
          ),
          'targets', case when has_target then (
            select json_agg(json_build_object(
              'field', field, 'low', low, 'high', high, 'below', below, 'unit', unit, 'label', label, 'preset', preset,
              'changed_by', changed_by, 'changed_at', changed_at::text
            ))
            from casesheet.targets
            where targets.patient_uid = shown.patient_uid
              and targets.reading_type = summaries.reading_type
              and targets.state = 'set'
          ) end
        ) order by has_target desc, reading_type)
        from care.summaries
        where is_made
          and summaries.patient_uid = shown.patient_uid
          and summaries.time_zone = $2
          and reading_type not in ('${OTHER_TYPES}', 'symptom')
          and (shown.reading_types is null or reading_type = any (shown.reading_types))
      )`

const COUNTS = ['all', ...STATUSES, 'new', 'beyond'] as const
const countOf = (name: (typeof COUNTS)[number]) => {
  if (name === 'all') return 'count(*)'
  if (name === 'new') return 'count(*) filter (where is_new)'
  if (name === 'beyond') return 'coalesce(max(sharing) - count(*), 0)'
  return `count(*) filter (where status = '${name}')`
}

/** Equal ones stand in the order of their names, from first to last but for this. */
const isFromLastName = (sort: Sort, order: Order) => sort === 'name' && order === 'desc'

/** SQL: since when the follower stands still. */
const BEHIND_SINCE = `(
      select caught_up_at::text
      from casesheet.followers
      where name = '${FOLLOWER}'
        and caught_up_at < now() - ${BEHIND_AFTER}
    )`

function textFor(sort: Sort, order: Order): string {
  const key = order === 'asc' ? KEYS[sort] : `-(${KEYS[sort]})`
  const [direction, comes] = isFromLastName(sort, order) ? ['desc', '<'] : ['asc', '>']
  const inOrder = `key, list_key ${direction}, patient_uid ${direction}`
  return `
  with mine as materialized (${MINE}
  ), rated as materialized (${RATED}
  ), judged as materialized (
    select *, ${STATUS} as status, coalesce(is_made and last_at > ${REVIEWED_AT}, false) as is_new
    from rated
  ), decided as materialized (
    select *, ${key} as key
    from (
      select *, case status when 'attention' then greatest(attention_at, alerted_at) when 'review' then coalesce(outside_at, newest_at) else newest_at end as decided_at
      from judged
    ) as timed
  ), page as materialized (
    select *, row_number() over (order by ${inOrder}) as nth
    from decided
    where ($4::text[] is null or status = any ($4))
      and ($5::boolean is null or is_new = $5)
      and ($6::text is null or position($6 in list_key) > 0 or position($6 in lower(patient_uid)) > 0)
      -- When something of a type that is not shared has changed is not to be seen either.
      and ($9::xid8 is null or grant_xid >= $9 or review_xid >= $9 or summary_xid >= $9 or reading_types is not null
        or exists (select from casesheet.alerts where alerts.patient_uid = decided.patient_uid and alerts.changed_xid >= $9))
      and ($11::float8 is null or key > $11 or key = $11 and (list_key, patient_uid) ${comes} ($12::text, $13::text))
    order by ${inOrder}
    limit $10::integer + 1
  ), shown as materialized (
    select page.*, looked_on
    from page
    left join care.looks on looks.doctor_id = $1 and looks.patient_uid = page.patient_uid
    where nth <= $10
  ), looked as (
    insert into care.looks as look (doctor_id, patient_uid, looked_on)
    select $1, patient_uid, ($3::timestamptz at time zone $2)::date
    from shown
    where coalesce(looked_on, '-infinity') < ($3::timestamptz at time zone $2)::date
    order by patient_uid
    on conflict (doctor_id, patient_uid) do update
    set looked_on = excluded.looked_on
    where look.looked_on < excluded.looked_on
    returning patient_uid
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, page, request_id, read_by, allowed_as, doctor_id, readings_count)
    select patient_uid, 'care/patients/list', reading_types, $3::timestamptz - interval '${KEPT_DAYS} days', $3, 0, $14, $15, 'grant', $1, 0
    from looked
    join shown using (patient_uid)
  )
  select
    (select generation || '.' || ${TIMELINE} || '.' || pg_snapshot_xmin(pg_current_snapshot())
      from casesheet.feed, (select pg_current_wal_insert_lsn() as lsn) as now) as as_of,
    ${BEHIND_SINCE} as behind_since,
    (select coalesce(bool_or(is_unasked), false) from decided) as is_unasked,
    (select json_build_array(${COUNTS.map(countOf).join(', ')}) from decided) as counts,
    (select count(*) > $10 from page) as has_more,
    (
      select json_agg(json_build_object(
        'key', key::text, 'list_key', list_key, 'patient_uid', patient_uid, 'shared_as', shared_as, 'permission', permission,
        'reading_types', reading_types, 'valid_until', valid_until::text, 'given_at', given_at::text, 'status', status,
        'decided_at', decided_at::text, 'is_new', is_new, 'last_at', case when is_made then last_at::text end,
        'reviewed_at', reviewed_at::text, 'note', note, 'days_with_data', days_with_data, 'days_with_devices', days_with_devices,
        'behind_since', (
          select min(since)::text
          from care.stale
          where stale.patient_uid = shown.patient_uid
            and not is_first
            and since < now() - ${BEHIND_AFTER}
            and (shown.reading_types is null or reading_type = any (shown.reading_types))
        ),
        'is_made', is_made, 'alerts', case when $16 then alerts end, 'acknowledged_alerts', case when $16 then acknowledged_alerts end,
        'alert', ${ALERT},
        'types', ${TYPES}
      ) order by nth)
      from shown
    ) as patients`
}

export const COUNTED = COUNTS

const ofOrder = (order: Order) =>
  ({
    attention: textFor('attention', order),
    name: textFor('name', order),
    share: textFor('share', order),
    daysWithData: textFor('daysWithData', order),
    lastReading: textFor('lastReading', order),
    lastReview: textFor('lastReview', order),
  }) satisfies Record<Sort, string>

const TEXTS: Record<Order, Record<Sort, string>> = { asc: ofOrder('asc'), desc: ofOrder('desc') }

export type ListRow = {
  as_of: string
  behind_since: string | null
  is_unasked: boolean
  counts: number[]
  has_more: boolean
  patients: PatientRow[] | null
}

export type PatientRow = {
  key: string
  list_key: string
  patient_uid: string
  shared_as: string | null
  permission: 'view' | 'manage'
  reading_types: string[] | null
  valid_until: string
  given_at: string
  status: Status
  decided_at: string | null
  is_new: boolean
  last_at: string | null
  reviewed_at: string | null
  note: string | null
  days_with_data: number | null
  days_with_devices: number | null
  behind_since: string | null
  is_made: boolean
  /** By severity, in the order of SEVERITIES; null where alerts are off. */
  alerts: number[] | null
  /** Null where alerts are off. */
  acknowledged_alerts: number | null
  alert: AlertOfList | null
  types: TypeRow[] | null
}

/** The alert by which a patient needs attention. */
export type AlertOfList = {
  alert_id: string
  reading_type: string
  why: string
  opened_at: string
  set_by: string
  set_at: string
}

/** What is due of a type, by the names of DUE. */
export type Due = keyof typeof DUE

/** The values of each field, in the order of the catalogue. */
type Values = (number | null)[]

export type TypeRow = {
  reading_type: string
  newest: Values | null
  newest_at: string | null
  newest_sides: Values | null
  has_target: boolean
  has_goal: boolean
  unit: string
  judged: number
  in_target: number
  judged_before: number
  in_target_before: number
  below: number
  above: number
  far_below: number
  far_above: number
  farthest: Values | null
  farthest_at: string | null
  farthest_side: number | null
  due: Due[]
  days:
    | {
        date: string
        readings: number
        judged: number
        in_target: number
        lowest: Values
        highest: Values
      }[]
    | null
  targets:
    | (Pick<TargetRow, 'field' | 'low' | 'high' | 'below' | 'unit' | 'label' | 'preset'> &
        Pick<TargetRow, 'changed_by' | 'changed_at'>)[]
    | null
}
