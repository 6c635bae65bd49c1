// GET alerts/list: the alerts of all patients who share with a doctor, or of one patient, newest first. Who needs somebody first is said by
// patients/list.
//
// What is open is found by an index of its own. What has ended is read by an index in order of time: the newest alert of each patient says first
// how far back a page can reach (`reach`), and only patients with newer ones are looked at again. So nothing grows with the years.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { DURABLE } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import {
  createCursors,
  cursorParameter,
  cutPage,
  isStorable,
  limitParameter,
  NextCursor,
} from '../../../http/pages.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { isInstant } from '../../casesheet/access-log/find-accesses.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import { closed, instantOrNull } from '../answer-forms.ts'
import { FOLLOWER } from '../evaluation/mark-rules.ts'
import { readOf } from '../logged-read.ts'
import { MAX_PATIENTS } from '../patients/list-contract.ts'
import { Alert, type AlertRow, alertFrom, EXAMPLE_ALERT, printedAlert } from './alert.ts'

const MAX_PAGE = 200
const DEFAULT_PAGE = 50
const STATES = ['open', 'acknowledged', 'ended', 'all'] as const
type State = (typeof STATES)[number]

const MESSAGE = 'Alerts obtained successfully.'

/** Where a page begins: behind this alert. */
type Place = { openedAt: string; patientUid: string; alertId: string }

const { cursorOf, positionOf } = createCursors<Place>({
  form: 'json',
  partsOf: ({ openedAt, patientUid, alertId }) => [openedAt, patientUid, alertId],
  positionFrom: ([openedAt = '', patientUid = '', alertId = '']) =>
    isInstant(openedAt) && isStorable(patientUid) && UUID_FORM.test(alertId)
      ? { openedAt, patientUid, alertId }
      : undefined,
})

const ListQuery = closed({
  patientUid: Type.Optional(PatientUid),
  state: Type.Optional(
    Type.Enum([...STATES], {
      type: 'string',
      default: 'open',
      description: 'Only alerts in this state.',
      examples: ['open'],
      'x-mustBe': `one of ${STATES.join(', ')}`,
    }),
  ),
  limit: limitParameter({
    description: 'Maximum number of alerts per page.',
    default: DEFAULT_PAGE,
    maximum: MAX_PAGE,
  }),
  cursor: cursorParameter(cursorOf(EXAMPLE_ALERT)),
})
export type ListQuery = Static<typeof ListQuery>

const Answer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    behindSince: instantOrNull(
      'Since when changes wait to be evaluated, where that is more than ten seconds; null while the list is up to date.',
    ),
    data: Type.Array(Type.Unsafe<Alert>({ $ref: 'Alert#' })),
    nextCursor: NextCursor,
    limitedTo: LimitedTo,
  },
  {
    additionalProperties: false,
    description: 'Alerts, the one that opened last first.',
    examples: [{ code: 'Ok', message: MESSAGE, behindSince: null, data: [EXAMPLE_ALERT], nextCursor: null }],
  },
)
type Answer = Static<typeof Answer>

export const listAlertsContract = {
  tags: ['care'],
  operationId: 'listAlerts',
  summary: 'List the alerts of the patients of a doctor, or of one patient',
  description:
    `Newest first, those that are open by default. With the token of a doctor and without patientUid: of the ${MAX_PATIENTS.toLocaleString('en')} patients who have shared ` +
    'longest; each sees once a day that the doctor looked. With patientUid: for the same callers as readings/get, who see alerts of the ' +
    'types that are shared, whosever rules they are of; it is optional if the token names exactly one patient and no doctor. Every read is ' +
    'logged. patients/list says which patient needs somebody first.',
  querystring: ListQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Answer,
    ...errorAnswers(
      () => checkFor(ListQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

type ListedRow = { shared_as: string | null; alert: AlertRow }
type Row = { behind_since: string | null; alerts: ListedRow[] | null }

type Doctor = { doctorId: string; subject: string; requestId: string }

/** Of all patients who share with the doctor. */
export function createListOfDoctor(db: Db) {
  return async (query: ListQuery, { doctorId, subject, requestId }: Doctor): Promise<Answer> => {
    const statement = {
      ...statementOf(OF_DOCTOR, query, [doctorId, requestId, subject]),
      behind: DURABLE,
    }
    const [row] = await db.query<Row>(statement, { subject })
    return answerFrom(row, query, true)
  }
}

/** Of one patient. */
export function createListOfPatient(db: Db) {
  const reads = countReads(db.metrics, 'alerts/list')
  return async (query: ListQuery & { patientUid: string }, reader: Reader): Promise<Answer> => {
    const { patientUid } = query
    const { limitedTo } = reader
    const statement = statementOf(OF_PATIENT, query, [patientUid, limitedTo])
    const [row] = await queryLogged<Row>(db, statement, readOf('alerts/list', patientUid, reader))
    reads.rows++
    return { ...answerFrom(row, query, false), ...(limitedTo !== null && { limitedTo }) }
  }
}

function statementOf(
  texts: Texts,
  { state = 'open', limit = DEFAULT_PAGE, cursor }: ListQuery,
  whom: unknown[],
) {
  const { openedAt, patientUid, alertId } = positionOf(cursor) ?? {}
  const text = state === 'ended' || state === 'all' ? texts.byTime : texts.open
  return { ...text, values: [...whom, WANTED[state], limit, openedAt, patientUid, alertId] }
}

/** Of an alert that is open, whether it is acknowledged; of others, whether those that are open count too. */
const WANTED: Record<State, boolean> = { open: false, acknowledged: true, ended: false, all: true }

function answerFrom(row: Row | undefined, { limit = DEFAULT_PAGE }: ListQuery, isOfDoctor: boolean): Answer {
  const behindSince = row?.behind_since ?? null
  const { page, nextCursor } = cutPage(row?.alerts ?? [], limit, ({ alert }) =>
    cursorOf({
      openedAt: instantFrom(alert.opened_at, 6),
      patientUid: alert.patient_uid,
      alertId: alert.alert_id,
    }),
  )
  return {
    code: 'Ok',
    message: MESSAGE,
    behindSince: behindSince === null ? null : instantFrom(behindSince, 6),
    data: page.map(({ alert, shared_as }) => ({
      ...alertFrom(alert),
      ...(isOfDoctor && { sharedAs: shared_as }),
    })),
    nextCursor,
  }
}

/** What waits longer than this is not what an alert usually waits for. */
const BEHIND_AFTER = "interval '10 seconds'"

/** Since when changes of these patients wait to be evaluated. */
const BEHIND_SINCE = `least(
      (select caught_up_at from casesheet.followers where name = '${FOLLOWER}' and caught_up_at < now() - ${BEHIND_AFTER}),
      (
        select min(since)
        from mine
        join care.alert_marks using (patient_uid)
        where since < now() - ${BEHIND_AFTER}
          and (mine.reading_types is null or reading_type = any (mine.reading_types))
      )
    )::text`

type Parameters = { wanted: string; limit: string; place: string; openedAt: string }

function parametersFrom(first: number): Parameters {
  const [wanted, limit, openedAt, patientUid, alertId] = [0, 1, 2, 3, 4].map((nth) => `$${first + nth}`)
  return {
    wanted: `${wanted}::boolean`,
    limit: `${limit}::integer`,
    openedAt: `${openedAt}::timestamptz`,
    place: `(${openedAt}::timestamptz, ${patientUid}::text, ${alertId}::uuid)`,
  }
}

const found = ({ openedAt, place }: Parameters, which: string) => `
        select opened_at, alert_id
        from casesheet.alerts
        where alerts.patient_uid = mine.patient_uid
          and (mine.reading_types is null or alerts.reading_type = any (mine.reading_types))
          and (${openedAt} is null or opened_at <= ${openedAt} and (opened_at, alerts.patient_uid, alert_id) < ${place})
          and ${which}`

const inOrder = ({ limit }: Parameters) => `order by opened_at desc, patient_uid desc, alert_id desc
    limit ${limit} + 1`

// Without the offset, the planner would go by time and pass over all that has ended.
const openPage = (parameters: Parameters) => `page as materialized (
    select mine.patient_uid, shared_as, alert_id, opened_at
    from mine
    cross join lateral (${found(parameters, `ended_at is null and (acknowledged_at is not null) = ${parameters.wanted}`)}
        offset 0
      ) as found
    ${inOrder(parameters)}
  )`

function pageByTime(parameters: Parameters): string {
  const isWanted = `(${parameters.wanted} or ended_at is not null)`
  const newest = (which: string, most: string) => `mine
    cross join lateral (${found(parameters, `${isWanted} and ${which}`)}
        order by opened_at desc, alert_id desc
        limit ${most}
      ) as found`
  return `reach as materialized (
    select opened_at
    from ${newest('true', '1')}
    order by opened_at desc
    offset ${parameters.limit}
    limit 1
  ), page as materialized (
    select mine.patient_uid, shared_as, alert_id, opened_at
    from ${newest("opened_at >= coalesce((select opened_at from reach), '-infinity')", `${parameters.limit} + 1`)}
    ${inOrder(parameters)}
  )`
}

const PRINTED = `select ${BEHIND_SINCE} as behind_since, (
      select json_agg(json_build_object('shared_as', shared_as, 'alert', ${printedAlert('alerts')})
        order by page.opened_at desc, page.patient_uid desc, page.alert_id desc)
      from page
      join casesheet.alerts using (patient_uid, alert_id)
    ) as alerts`

const SHARING = `
    select patient_uid, shared_as, reading_types
    from casesheet.grants
    where doctor_id = $1
      and state = 'given'
      and valid_until > now()
    order by given_at, patient_uid
    limit ${MAX_PATIENTS}`

// An entry of the access log for each patient of the page, once a day.
const LOGGED = `looked as (
    insert into care.alert_looks as look (doctor_id, patient_uid, looked_on)
    select distinct $1, patient_uid, (now() at time zone 'UTC')::date
    from page
    where not exists (
      select from care.alert_looks
      where alert_looks.doctor_id = $1
        and alert_looks.patient_uid = page.patient_uid
        and looked_on >= (now() at time zone 'UTC')::date
    )
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

const ofDoctor = (page: string) => `
  with mine as materialized (${SHARING}
  ), ${page}, ${LOGGED}
  ${PRINTED}`

const ofPatient = (page: string) => `
  with mine as materialized (
    select $1::text as patient_uid, null::text as shared_as, $2::text[] as reading_types
  ), ${page}
  ${PRINTED}`

type Texts = Record<'open' | 'byTime', { name: string; text: string }>

const DOCTORS = parametersFrom(4)
const OF_DOCTOR: Texts = {
  open: { name: 'list-open-alerts', text: ofDoctor(openPage(DOCTORS)) },
  byTime: { name: 'list-alerts', text: ofDoctor(pageByTime(DOCTORS)) },
}
const PATIENTS = parametersFrom(3)
const OF_PATIENT: Texts = {
  open: { name: 'list-open-alerts-of-patient', text: ofPatient(openPage(PATIENTS)) },
  byTime: { name: 'list-alerts-of-patient', text: ofPatient(pageByTime(PATIENTS)) },
}
