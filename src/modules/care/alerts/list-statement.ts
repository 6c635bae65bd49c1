// The alerts of all patients who share with a doctor, in one statement that proves the grants and writes the access log; or of one patient.
//
// Nothing is looked through that grows with the years: what is open is found by an index of its own, at most some fifty for each patient;
// what is not, newest first, by an index in that order. There the newest alert of each patient says first how far back a page can reach
// (`reach`): at least as many alerts as it needs are newer. Only patients with newer ones are looked at again.
import type { Statement } from '../../../db/statement.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { FOLLOWER } from '../evaluation/mark-rules.ts'
import type { Severity } from '../rules/rule.ts'
import { type AlertRow, printedAlert, SEVERITIES } from './alert.ts'
import { MAX_PATIENTS } from './list-contract.ts'

/** What waits longer than this is not what an alert usually waits for. */
const BEHIND_AFTER = "interval '10 seconds'"

/** Where a page begins: behind this alert. The rank is that of the order of what is active. */
export type Place = { rank: number; openedAt: string; patientUid: string; alertId: string }

/** Which alerts. `acknowledged` divides those that are open. */
export type Wanted = {
  conditions: AlertRow['condition'][]
  isAcknowledged: boolean | null
  severities: Severity[]
  after: Place | null
  limit: number
}

type OfDoctor = { doctorId: string; subject: string; requestId: string }

export function inboxStatement(wanted: Wanted, { doctorId, subject, requestId }: OfDoctor): Statement {
  const isActive = wanted.conditions.join() === 'open'
  return {
    name: isActive ? 'list-active-alerts' : 'list-past-alerts',
    text: isActive ? ACTIVE_OF_DOCTOR : PAST_OF_DOCTOR,
    values: [
      doctorId,
      requestId,
      subject,
      ...valuesOf(wanted),
      isActive ? wanted.after?.rank : wanted.conditions,
    ],
  }
}

export function patientStatement(
  wanted: Wanted,
  { patientUid, reader }: { patientUid: string; reader: Reader },
): Statement {
  return {
    name: 'list-alerts-of-patient',
    text: OF_PATIENT,
    values: [patientUid, reader.limitedTo, ...valuesOf(wanted), wanted.conditions],
  }
}

/** Beside these, what is open needs the rank of the place, and what is not needs the conditions. */
function valuesOf({ isAcknowledged, severities, limit, after }: Wanted) {
  return [isAcknowledged, severities, limit, after?.openedAt, after?.patientUid, after?.alertId]
}

function parametersFrom(first: number) {
  const [isAcknowledged, severities, limit, openedAt, patientUid, alertId, other] = Array.from(
    { length: 7 },
    (_, nth) => `$${first + nth}`,
  )
  return {
    isAcknowledged: `${isAcknowledged}::boolean`,
    severities: `${severities}::text[]`,
    limit: `${limit}::integer`,
    place: `(${openedAt}::timestamptz, ${patientUid}::text, ${alertId}::uuid)`,
    openedAt: `${openedAt}::timestamptz`,
    conditions: `${other}::text[]`,
    rank: `${other}::integer`,
  }
}
type Parameters = ReturnType<typeof parametersFrom>

/** SQL: those who share with the doctor now. */
const SHARING = `
    select patient_uid, shared_as, reading_types, count(*) over () as sharing
    from casesheet.grants
    where doctor_id = $1
      and state = 'given'
      and valid_until > now()
    order by given_at, patient_uid
    limit ${MAX_PATIENTS}`

const IS_SHARED = '(mine.reading_types is null or alerts.reading_type = any (mine.reading_types))'

const isAsWanted = ({ isAcknowledged }: Parameters) =>
  `(${isAcknowledged} is null or (acknowledged_at is not null) = ${isAcknowledged})`

/** SQL: since when changes of these patients wait to be evaluated. */
const BEHIND_SINCE = `least(
      (select caught_up_at from casesheet.followers where name = '${FOLLOWER}' and caught_up_at < now() - ${BEHIND_AFTER}),
      (
        select min(waiting)
        from mine
        cross join lateral (
          select min(since) as waiting
          from care.alert_marks
          where alert_marks.patient_uid = mine.patient_uid
            and (mine.reading_types is null or reading_type = any (mine.reading_types))
        ) as marks
        where waiting < now() - ${BEHIND_AFTER}
      )
    )::text`

/** SQL: `page`, newest first, with one more alert than it has. */
function newestFirst(parameters: Parameters): string {
  const { conditions, severities, limit, place, openedAt } = parameters
  const newest = (columns: string, among: string, most: string) => `
      select ${columns}
      from mine
      cross join unnest(${conditions}) as wanted_condition
      cross join unnest(${severities}) as wanted_severity
      cross join lateral (
        select opened_at, alert_id
        from casesheet.alerts
        where alerts.patient_uid = mine.patient_uid
          and condition = wanted_condition
          and severity = wanted_severity
          and ${IS_SHARED}
          and opened_at <= coalesce(${openedAt}, 'infinity')
          and (${openedAt} is null or (opened_at, alerts.patient_uid, alert_id) < ${place})
          and ${among}
          and ${isAsWanted(parameters)}
        order by opened_at desc, alert_id desc
        limit ${most}
      ) as found`
  return `reach as materialized (
    select opened_at
    from (${newest('opened_at', 'true', '1')}
    ) as firsts
    order by opened_at desc
    offset ${limit}
    limit 1
  ), page as materialized (
    select patient_uid, alert_id, shared_as, 0 as rank,
      row_number() over (order by opened_at desc, patient_uid desc, alert_id desc) as nth
    from (${newest('mine.patient_uid, shared_as, opened_at, alert_id', "opened_at >= coalesce((select opened_at from reach), '-infinity')", `${limit} + 1`)}
    ) as newest
    order by nth
    limit ${limit} + 1
  )`
}

/** SQL: `open`, all of them, with their rank in the order in which they need somebody. */
const OPEN = `open as materialized (
    select *,
      case when is_acknowledged then 3 else 0 end
        + array_position('{${SEVERITIES.join()}}'::text[], severity) - 1 as rank
    from (
      select mine.patient_uid, shared_as, alert_id, severity, opened_at, is_acknowledged
      from mine
      cross join lateral (
        select alert_id, severity, opened_at, acknowledged_at is not null as is_acknowledged
        from casesheet.alerts
        where alerts.patient_uid = mine.patient_uid
          and condition = 'open'
          and ${IS_SHARED}
        offset 0
      ) as found
    ) as rated
  )`

/** SQL: `page` in that order. */
function neediestFirst({ severities, isAcknowledged, limit, rank, place, openedAt }: Parameters): string {
  return `page as materialized (
    select patient_uid, alert_id, shared_as, rank,
      row_number() over (order by rank, opened_at, patient_uid, alert_id) as nth
    from open
    where severity = any (${severities})
      and (${isAcknowledged} is null or is_acknowledged = ${isAcknowledged})
      and (${openedAt} is null or rank > ${rank} or rank = ${rank} and (opened_at, patient_uid, alert_id) > ${place})
    order by nth
    limit ${limit} + 1
  )`
}

const shown = ({ limit }: Parameters) => `
    select json_agg(json_build_object(
      'rank', rank, 'shared_as', shared_as, 'alert', ${printedAlert('alerts')}
    ) order by nth)
    from page
    join casesheet.alerts using (patient_uid, alert_id)
    where nth <= ${limit}`

/** SQL: an entry of the access log for each patient of the page, once a day. */
const looked = ({ limit }: Parameters) => `seen as materialized (
    select distinct page.patient_uid, looked_on
    from page
    left join care.alert_looks on alert_looks.doctor_id = $1 and alert_looks.patient_uid = page.patient_uid
    where nth <= ${limit}
  ), looked as (
    insert into care.alert_looks as look (doctor_id, patient_uid, looked_on)
    select $1, patient_uid, (now() at time zone 'UTC')::date
    from seen
    where coalesce(looked_on, '-infinity') < (now() at time zone 'UTC')::date
    order by patient_uid
    on conflict (doctor_id, patient_uid) do update
    set looked_on = excluded.looked_on
    where look.looked_on < excluded.looked_on
    returning patient_uid
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, page, request_id, read_by, allowed_as, doctor_id, readings_count)
    select patient_uid, 'care/alerts/list', reading_types, '-infinity', 'infinity', 0, $2, $3, 'grant', $1, 0
    from looked
    join mine using (patient_uid)
  )`

/** SQL: what is open, as the numbers of an InboxRow. */
const COUNTS = `(
      select json_build_array(
        ${SEVERITIES.map((severity) => `count(*) filter (where severity = '${severity}' and not is_acknowledged)`).join(', ')},
        count(*) filter (where is_acknowledged),
        (select coalesce(max(sharing) - count(*), 0) from mine)
      )
      from open
    )`

const ofDoctor = (page: string, parameters: Parameters) => `
  with mine as materialized (${SHARING}
  ), ${OPEN}, ${page}, ${looked(parameters)}
  select ${BEHIND_SINCE} as behind_since, ${COUNTS} as counts, (select count(*) > ${parameters.limit} from page) as has_more,
    (${shown(parameters)}
    ) as alerts`

const INBOX = parametersFrom(4)
const ACTIVE_OF_DOCTOR = ofDoctor(neediestFirst(INBOX), INBOX)
const PAST_OF_DOCTOR = ofDoctor(newestFirst(INBOX), INBOX)

const ONE = parametersFrom(3)
const OF_PATIENT = `
  with mine as materialized (
    select $1::text as patient_uid, null::text as shared_as, $2::text[] as reading_types
  ), ${newestFirst(ONE)}
  select ${BEHIND_SINCE} as behind_since, (select count(*) > ${ONE.limit} from page) as has_more,
    (${shown(ONE)}
    ) as alerts`

type Listed = { rank: number; shared_as: string | null; alert: AlertRow }

export type ListRow = { behind_since: string | null; has_more: boolean; alerts: Listed[] | null }

export type InboxRow = ListRow & {
  counts: [urgent: number, warning: number, notice: number, acknowledged: number, beyond: number]
}
