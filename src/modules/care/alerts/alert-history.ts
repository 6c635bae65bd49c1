// GET alerts/history: what became of an alert, and by whom. Nobody can change it.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { createCursors, cursorParameter, cutPage, limitParameter, NextCursor } from '../../../http/pages.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { isInstant } from '../../casesheet/access-log/find-accesses.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { LOWEST_ID, UUID_FORM } from '../../casesheet/reading-id.ts'
import { readOf } from '../logged-read.ts'
import { type AlertEvent, AlertId, alertUnknown, EXAMPLE_ALERT, EXAMPLE_EVENT } from './alert.ts'

const MAX_PAGE = 200

type Position = { at: string; eventId: string }

/** Before everything: no event is of that time. */
const OLDEST: Position = { at: '-infinity', eventId: LOWEST_ID }

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'words',
  partsOf: ({ at, eventId }) => [at, eventId],
  positionFrom: ([at = '', eventId = '']) =>
    isInstant(at) && UUID_FORM.test(eventId) ? { at, eventId } : undefined,
})

const MESSAGE = 'History of the alert obtained successfully.'

const HistoryQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    alertId: AlertId,
    limit: limitParameter({
      description: 'Maximum number of events per page.',
      default: MAX_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(
      cursorOf({ at: EXAMPLE_EVENT.at, eventId: '4f6b0a8d-2e17-4c93-b5d1-90c3e7a28f46' }),
    ),
  },
  { additionalProperties: false },
)

export const alertHistoryContract = {
  tags: ['care'],
  operationId: 'alertHistory',
  summary: 'See what became of an alert',
  description:
    'Its events, oldest first. For the same callers as readings/get; doctors see alerts of types that the patient shares with them. patientUid ' +
    'is optional if the token names exactly one patient. Every read is logged.',
  querystring: HistoryQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<AlertEvent>({ $ref: 'AlertEvent#' })),
        nextCursor: NextCursor,
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Events, oldest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_EVENT], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(HistoryQuery)({ alertId: EXAMPLE_ALERT.alertId, limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'AlertUnknown',
      'MisdirectedRequest',
    ),
  },
}

type Asked = Static<typeof HistoryQuery> & { patientUid: string }

type EventRow = {
  event_id: string
  event: AlertEvent['event']
  at: string
  severity: AlertEvent['severity']
  why: string
  is_announced: boolean
  by: string | null
  doctor_id: string | null
  note: string | null
}
/** Null throughout where the alert has no event behind the position; no row where there is no such alert. */
type Row = EventRow | { event_id: null }

export function createAlertHistory(db: Db) {
  const reads = countReads(db.metrics, 'alerts/history')
  return async ({ patientUid, alertId, limit = MAX_PAGE, cursor }: Asked, reader: Reader) => {
    const after = positionOf(cursor) ?? OLDEST
    const rows = await queryLogged<Row>(
      db,
      {
        name: 'alert-history',
        text: ALERT_HISTORY,
        values: [patientUid, reader.limitedTo, alertId, after.at, after.eventId, limit],
      },
      readOf('alerts/history', patientUid, reader),
    )
    reads.rows++
    if (rows.length === 0) throw alertUnknown()
    const found = rows.filter((row) => row.event_id !== null)
    const { page, nextCursor } = cutPage(found, limit, ({ at, event_id }) =>
      cursorOf({ at: instantFrom(at, 6), eventId: event_id }),
    )
    const { limitedTo } = reader
    const data = page.map(eventFrom)
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data,
      nextCursor,
      ...(limitedTo !== null && { limitedTo }),
    }
  }
}

function eventFrom(row: EventRow): AlertEvent {
  return {
    event: row.event,
    at: instantFrom(row.at, 6),
    severity: row.severity,
    why: row.why,
    isAnnounced: row.is_announced,
    by: row.by,
    doctorId: row.doctor_id,
    note: row.note,
  }
}

const ALERT_HISTORY = `
  select event_id, event, found.at::text as at, severity, why, is_announced, by, doctor_id, note
  from (
    select patient_uid, alert_id
    from casesheet.alerts
    where patient_uid = $1
      and alert_id = $3::uuid
      and ($2::text[] is null or reading_type = any ($2))
  ) as known
  left join lateral (
    select event_id, event, at, severity, why, is_announced, by, doctor_id, note
    from casesheet.alert_events
    where alert_events.patient_uid = known.patient_uid
      and alert_events.alert_id = known.alert_id
      and (at, event_id) > ($4::timestamptz, $5::uuid)
    order by at, event_id
    limit $6::integer + 1
  ) as found on true
  order by found.at, event_id`
