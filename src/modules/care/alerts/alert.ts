// An alert: a span of time in which a rule holds for the readings of a patient, and who has acknowledged it. Spans follow from the readings, the
// rules, the grants and the clock (../evaluation).
import { type Static, Type } from 'typebox'
import { Refusal } from '../../../refusal.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import { closed, instant, instantOrNull, oneOf, orNull, textOrNull } from '../answer-forms.ts'
import { EXAMPLE_RULE, KINDS, type Kind, RuleSeverity, type Severity } from '../rules/rule.ts'

export const EVENTS = ['opened', 'reopened', 'acknowledged', 'ended'] as const
const ENDED_BECAUSE = [
  'values',
  'symptomOver',
  'ruleChanged',
  'ruleRemoved',
  'grantEnded',
  'withdrawn',
] as const
type EndedBecause = (typeof ENDED_BECAUSE)[number]

const ALERT_ID = 'd2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63'

export const AlertId = Type.String({
  pattern: UUID_FORM.source,
  description: 'Id of the alert, as alerts/list gives it.',
  examples: [ALERT_ID],
  'x-mustBe': 'the alertId of an alert, as alerts/list gives it',
})

export const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

const AlertReading = closed({
  readingId: Type.String({ format: 'uuid' }),
  value: numberOrNull(
    'In the unit of the rule; for a change, by how much it rose or fell. Null without a number.',
  ),
  unit: textOrNull('Its unit, in UCUM.'),
  outOfRange: Type.Optional(oneOf('What a sensor marked instead of a value.', 'low', 'high')),
  symptom: Type.Optional(Type.String()),
  severity: Type.Optional(Type.String({ description: 'Of the symptom, as it was sent.' })),
  measuredAt: instant('When it was measured, in UTC.'),
  receivedAt: instant('When it arrived, in UTC.'),
})

export const SentTo = Type.Array(
  closed({
    endpointId: Type.String({ format: 'uuid' }),
    name: Type.String({ description: 'What the endpoint was called then.' }),
    at: instant('When that was.'),
    state: oneOf('failed: the last attempt did.', 'waiting', 'accepted', 'failed'),
  }),
  { description: 'The webhook endpoints that are told. Empty: nobody is, and no receiver is set up.' },
)
export type SentTo = Static<typeof SentTo>

export const endedBecauseOrNull = orNull(
  oneOf('', ...ENDED_BECAUSE),
  'values: a reading ended it. symptomOver: 72 hours after the last one. ruleChanged, ruleRemoved: by its author. grantEnded: the patient no ' +
    'longer shares it with the author. withdrawn: the readings that held it were. Null while it is open.',
)

export const Alert = Type.Object(
  {
    alertId: AlertId,
    patientUid: PatientUid,
    sharedAs: Type.Optional(
      textOrNull('The name under which the patient shares; in the list of a doctor only.'),
    ),
    ruleId: Type.String({ format: 'uuid' }),
    label: textOrNull('What its rule is called; null for nothing.'),
    severity: RuleSeverity,
    kind: oneOf('What its rule watches for.', ...KINDS),
    state: oneOf(
      'open: its rule holds. acknowledged: it holds, and a doctor has seen it. ended: see endedBecause.',
      'open',
      'acknowledged',
      'ended',
    ),
    isLate: Type.Boolean({
      description: 'Its readings arrived more than 24 hours after they were measured, so nobody is told.',
    }),
    readingType: Type.String({ description: 'The type of its readings.' }),
    field: textOrNull('The field that the rule looks at; null for missing and symptom.'),
    limit: numberOrNull('What its rule compares with; null for missing and symptom.'),
    worst: orNull(
      AlertReading,
      'The worst reading since it opened; where readings are missing, the last one before, if any.',
    ),
    newest: orNull(AlertReading, 'The newest reading that its rule looked at; null for none.'),
    openedAt: instant('When Rounds opened it, in UTC.'),
    acknowledged: orNull(
      closed({
        at: instant('When that was, in UTC.'),
        by: Type.String({ description: 'The name, or the subject of the token where no name is known.' }),
        value: numberOrNull('The worst value then. A worse one opens the alert again.'),
      }),
      'Who has seen it; null for nobody.',
    ),
    endedAt: instantOrNull('When it ended, in UTC; null while it is open.'),
    endedBecause: endedBecauseOrNull,
    sentTo: SentTo,
    why: Type.String({ description: 'One sentence.' }),
  },
  {
    $id: 'Alert',
    additionalProperties: false,
    description: 'A span of time in which a rule holds for the readings of a patient.',
  },
)
export type Alert = Static<typeof Alert>

const { patientUid, sharedAs } = EXAMPLE_GRANT
const { ruleId, label, severity, readingType, field } = EXAMPLE_RULE
const WORST = {
  readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
  value: 224,
  unit: 'mm[Hg]',
  measuredAt: '2026-11-17T08:14:58.000Z',
  receivedAt: '2026-11-17T08:15:02.125Z',
}

export const EXAMPLE_ALERT: Alert = {
  alertId: ALERT_ID,
  patientUid,
  sharedAs,
  ruleId,
  label,
  severity,
  kind: 'value',
  state: 'open',
  isLate: false,
  readingType,
  field,
  limit: 160,
  worst: WORST,
  newest: WORST,
  openedAt: '2026-11-17T08:15:02.301200Z',
  acknowledged: null,
  endedAt: null,
  endedBecause: null,
  sentTo: [
    {
      endpointId: '3f6f2a52-8f0e-4c8a-9b0e-6a1c2d3e4f50',
      name: 'pager',
      at: '2026-11-17T08:15:02.702310Z',
      state: 'accepted',
    },
  ],
  why: 'Systolic blood pressure above 160 mmHg twice in 2 days, 224 mmHg at 08:14.',
}

/** Where there is none, or of a type that is not shared. */
export const alertUnknown = () => new Refusal('AlertUnknown', 'The patient has no such alert.')

/** An alert as the statements print it, as JSON. */
export type AlertRow = {
  alert_id: string
  patient_uid: string
  rule_id: string
  label: string | null
  severity: Severity
  kind: Kind
  is_late: boolean
  reading_type: string
  field: string | null
  limit: number | null
  worst: Alert['worst']
  newest: Alert['newest']
  opened_at: string
  acknowledged_at: string | null
  acknowledged_by: string | null
  acknowledged_value: number | null
  ended_at: string | null
  ended_because: EndedBecause | null
  sent_to: SentTo | null
  why: string
}

/** SQL: endpoints that were told, as a SentTo with the times as the database writes them; of each the last delivery. */
export const printedDeliveries = (where: string) => `(
          select json_agg(json_build_object('endpointId', endpoint_id, 'name', name, 'at', at::text, 'state', state) order by name, endpoint_id)
          from (
            select distinct on (endpoint_id) endpoint_id, name, at, state
            from casesheet.alert_deliveries
            where ${where}
            order by endpoint_id, delivery_id desc
          ) as last
        )`

/** SQL: a row of alerts as an AlertRow. */
export const printedAlert = (alert: string) => `json_build_object(
        'alert_id', ${alert}.alert_id, 'patient_uid', ${alert}.patient_uid, 'rule_id', ${alert}.rule_id, 'label', ${alert}.label,
        'severity', ${alert}.severity, 'kind', ${alert}.kind, 'is_late', ${alert}.is_late, 'reading_type', ${alert}.reading_type,
        'field', ${alert}.field, 'limit', ${alert}."limit", 'worst', ${alert}.worst, 'newest', ${alert}.newest,
        'opened_at', ${alert}.opened_at::text, 'acknowledged_at', ${alert}.acknowledged_at::text,
        'acknowledged_by', coalesce(${alert}.acknowledged_name, ${alert}.acknowledged_by),
        'acknowledged_value', ${alert}.acknowledged_value, 'ended_at', ${alert}.ended_at::text,
        'ended_because', ${alert}.ended_because, 'why', ${alert}.why,
        'sent_to', ${printedDeliveries(`alert_deliveries.patient_uid = ${alert}.patient_uid
              and alert_deliveries.alert_id = ${alert}.alert_id
              and event in ('opened', 'reopened')`)}
      )`

export const sentToFrom = (rows: SentTo | null): SentTo =>
  (rows ?? []).map((row) => ({ ...row, at: instantFrom(row.at, 6) }))

export function alertFrom(row: AlertRow): Alert {
  const { acknowledged_at: acknowledgedAt, ended_at: endedAt } = row
  const seen = acknowledgedAt === null ? 'open' : 'acknowledged'
  return {
    alertId: row.alert_id,
    patientUid: row.patient_uid,
    ruleId: row.rule_id,
    label: row.label,
    severity: row.severity,
    kind: row.kind,
    state: endedAt === null ? seen : 'ended',
    isLate: row.is_late,
    readingType: row.reading_type,
    field: row.field,
    limit: row.limit,
    worst: row.worst,
    newest: row.newest,
    openedAt: instantFrom(row.opened_at, 6),
    acknowledged:
      acknowledgedAt === null
        ? null
        : {
            at: instantFrom(acknowledgedAt, 6),
            by: row.acknowledged_by ?? '',
            value: row.acknowledged_value,
          },
    endedAt: endedAt === null ? null : instantFrom(endedAt, 6),
    endedBecause: row.ended_because,
    sentTo: sentToFrom(row.sent_to),
    why: row.why,
  }
}
