// The next event of an alert that an endpoint is told of, and its access-log row, in one statement. The events stand in
// casesheet.alert_deliveries, where the transaction that wrote them has put them: no place in the sequence of changes is followed, so a
// transaction that stays open elsewhere delays none. Each has a message of its own, before the next page of changes.
import type { Db } from '../../../db/db.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { EVENTS } from '../endpoints/endpoint.ts'
import { DUE_ENDPOINT } from './message-statement.ts'
import { type EndpointRow, endpointOf, type Held, type Sendable } from './sendable.ts'

const WITHIN_MS = 2_500

type AlertKey = { patientUid: string; alertId: string; eventId: string }

export type AlertMessage = Sendable & { alert: AlertKey }

type AlertEvent = (typeof EVENTS)[number] & `alert.${string}`

type EventRow = {
  patient_uid: string
  alert_id: string
  event_id: string
  event: AlertEvent
  at: string
  author_kind: 'doctor' | 'practice'
  author_id: string
  rule_id: string
  label: string | null
  severity: string
  reading_type: string
  field: string | null
  value: number | null
  unit: string | null
  measured_at: string | null
  received_at: string | null
  ended_because: string | null
  why: string | null
  is_shared: boolean
}

export function createNextAlert(db: Db) {
  return async ({ name, endpointId, processId, readBy }: Held): Promise<AlertMessage | undefined> => {
    const values = [name, processId, endpointId, readBy]
    const [row] = await db.query<EndpointRow & EventRow>(
      { name: 'next-alert-webhook', text: NEXT_ALERT, values },
      { on: 'follow', withinMs: WITHIN_MS },
    )
    return row && messageFrom(row)
  }
}

function messageFrom(row: EndpointRow & EventRow): AlertMessage {
  const { patient_uid: patientUid, alert_id: alertId, event_id: eventId, event } = row
  const item = row.is_thin ? thinEvent(row) : fullEvent(row)
  const body = JSON.stringify({ type: event, timestamp: instantFrom(row.at, 3), data: { changes: [item] } })
  return {
    ...endpointOf(row),
    event,
    body,
    changes: 1,
    place: eventId,
    alert: { patientUid, alertId, eventId },
  }
}

const thinEvent = (row: EventRow) => ({
  event: row.event,
  eventId: row.event_id,
  at: instantFrom(row.at, 3),
  alertId: row.alert_id,
  patientUid: row.patient_uid,
})

/** Of a patient who no longer shares the type with the author, nothing is said that was read under the grant. */
function fullEvent(row: EventRow) {
  const isOfDoctor = row.author_kind === 'doctor'
  const named = {
    ...thinEvent(row),
    doctorId: isOfDoctor ? row.author_id : null,
    practiceId: isOfDoctor ? null : row.author_id,
    ruleId: row.rule_id,
  }
  if (row.ended_because === 'grantEnded' || !row.is_shared) return named
  return {
    ...named,
    label: row.label,
    severity: row.severity,
    readingType: row.reading_type,
    field: row.field,
    value: row.value,
    unit: row.unit,
    measuredAt: instantOrNull(row.measured_at),
    receivedAt: instantOrNull(row.received_at),
    endedBecause: row.ended_because,
    why: row.why,
  }
}

const instantOrNull = (at: string | null) => (at === null ? null : instantFrom(at, 3))

// The row has the message of an attempt that failed: that attempt is in the access log.
const NEXT_ALERT = `
  with endpoint as materialized (${DUE_ENDPOINT}
  ), next as materialized (
    select patient_uid, event_id, message_id
    from casesheet.alert_deliveries
    where endpoint_id = (select endpoint_id from endpoint)
      and is_pending
    order by is_urgent desc, delivery_id
    limit 1
  ), told as materialized (
    select patient_uid, alert_id, event_id, event, at, author_kind, author_id, rule_id, label, severity, reading_type, field, value,
      unit, measured_at, received_at, ended_because, why, message_id
    from next
    join casesheet.alert_events using (patient_uid, event_id)
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    select patient_uid, 'webhooks', array[reading_type], coalesce(measured_at, '-infinity'), coalesce(measured_at, 'infinity'),
      $3::text, 0, $4::text, 'service', 0
    from told
    where message_id is null
  )
  select url, is_thin, secret, previous_secret, failures, replays, patient_uid, alert_id, event_id, 'alert.' || event as event,
    at::text as at, author_kind, author_id, rule_id, label, severity, reading_type, field, value, unit,
    measured_at::text as measured_at, received_at::text as received_at, ended_because, why, (
      select count(*) > 0
      from casesheet.grants
      where grants.patient_uid = told.patient_uid
        and doctor_id = author_id
        and author_kind = 'doctor'
        and state = 'given'
        and valid_until > now()
        and permission = 'manage'
        and (grants.reading_types is null or told.reading_type = any (grants.reading_types))
    ) as is_shared
  from endpoint, told`
