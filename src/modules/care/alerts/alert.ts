// An alert: a span of time in which a rule of a doctor holds for the readings of a patient, and what became of it. Spans follow from the
// readings, the rules and the clock (../evaluation); who has acknowledged one stands beside.
import { type Static, Type } from 'typebox'
import { Refusal } from '../../../refusal.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { DoctorId, EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import { EXAMPLE_RULE, type Rule, type RuleRow, ruleFrom, type Severity } from '../rules/rule.ts'

/** The most severe first. */
export const SEVERITIES = ['urgent', 'warning', 'notice'] as const satisfies Severity[]

const STATES = ['pending', 'open', 'acknowledged', 'resolved', 'retracted'] as const
const EVENTS = ['recorded', 'opened', 'reopened', 'acknowledged', 'resolved', 'retracted'] as const

export const EXAMPLE_ALERT = {
  alertId: 'd2f7a6c4-1b38-4f0e-9c55-7e0a4b9d1f63',
  patientUid: EXAMPLE_GRANT.patientUid,
  ruleId: EXAMPLE_RULE.ruleId,
  severity: EXAMPLE_RULE.severity,
  state: 'open',
  readingType: EXAMPLE_RULE.readingType,
  field: EXAMPLE_RULE.field,
  since: '2026-11-17T08:14:58.000Z',
  openedAt: '2026-11-17T08:15:02.125460Z',
  until: null,
  resolvedAt: null,
  why: 'Heart rate above 130/min in 3 of 4 readings, 142/min at 08:14.',
  readings: [
    {
      readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
      measuredAt: '2026-11-17T08:14:58.000Z',
      value: 142,
      unit: '/min',
    },
  ],
  quiet: null,
  announcedAt: '2026-11-17T08:15:02.301200Z',
  acknowledged: null,
  rule: EXAMPLE_RULE,
} as const

export const AlertId = Type.String({
  pattern: UUID_FORM.source,
  description: 'Id of the alert, as alerts/list gives it.',
  examples: [EXAMPLE_ALERT.alertId],
  'x-mustBe': 'the alertId of an alert, as alerts/list gives it',
})

const instant = (description: string) => Type.String({ format: 'date-time', description })
const instantOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

export const ReadingOfAlert = Type.Object({
  readingId: Type.String({ format: 'uuid' }),
  measuredAt: instant('When it was measured, in UTC.'),
  value: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'The value of the field as it was sent; null where readings are missing.',
  }),
  unit: textOrNull('Its unit, in UCUM.'),
})

export const Alert = Type.Object(
  {
    alertId: AlertId,
    patientUid: PatientUid,
    ruleId: Type.String({ format: 'uuid' }),
    severity: Type.Enum([...SEVERITIES], { type: 'string' }),
    state: Type.Enum([...STATES], {
      type: 'string',
      description:
        'pending: the rule begins to hold. open: it holds. acknowledged: it holds, and a doctor has seen it. resolved: it held until a ' +
        'reading ended it. retracted: as is known now, it never held.',
    }),
    readingType: ReadingType,
    field: textOrNull('The field that the rule looks at; null where readings are missing.'),
    since: instant('When the reading was measured by which the rule holds, or from when on one is missing.'),
    openedAt: instant('From when on that could be known: when the last of those readings arrived.'),
    until: instantOrNull('When the reading was measured that ended it; null if none has.'),
    resolvedAt: instantOrNull('From when on that could be known.'),
    why: Type.String({ description: 'One sentence.' }),
    readings: Type.Array(ReadingOfAlert, {
      maxItems: 20,
      description: 'The readings by which it opened, at most 20.',
    }),
    quiet: Type.Unsafe<'late' | 'inhibited' | null>({
      enum: ['late', 'inhibited', null],
      description:
        'Why it was not announced. late: the readings arrived later than maxAge. inhibited: an alert of the same field is more severe.',
    }),
    announcedAt: instantOrNull('When it was first announced.'),
    acknowledged: Type.Unsafe<{ at: string; by: string; doctorId: string; note: string | null } | null>({
      anyOf: [
        Type.Object({
          at: instant('When that was, in UTC.'),
          by: Type.String({ description: 'The subject of the token.' }),
          doctorId: DoctorId,
          note: textOrNull('What the doctor says about it. The patient reads it.'),
        }),
        { type: 'null' },
      ],
      description: 'Who has acknowledged it.',
    }),
    rule: Type.Unsafe<Rule>({ $ref: 'Rule#' }),
    sharedAs: Type.Optional(
      textOrNull('The name under which the patient shares; in the list of a doctor only.'),
    ),
  },
  {
    $id: 'Alert',
    additionalProperties: false,
    description: 'A span of time in which a rule holds for the readings of a patient.',
    examples: [EXAMPLE_ALERT],
  },
)
export type Alert = Static<typeof Alert>

export const EXAMPLE_EVENT = {
  event: 'acknowledged',
  at: '2026-11-17T08:21:40.017302Z',
  severity: EXAMPLE_ALERT.severity,
  why: EXAMPLE_ALERT.why,
  isAnnounced: true,
  by: 'dr-willow',
  doctorId: EXAMPLE_GRANT.doctorId,
  note: 'Called: resting, feels well.',
} as const

export const AlertEvent = Type.Object(
  {
    event: Type.Enum([...EVENTS], {
      type: 'string',
      description:
        'recorded: the alert opened, and was not announced. opened: it was announced. reopened: it was announced again, because it holds ' +
        'again. acknowledged: a doctor did that. resolved, retracted: it ended, or never was.',
    }),
    at: instant('When that was, in UTC.'),
    severity: Type.Enum([...SEVERITIES], { type: 'string' }),
    why: Type.String({ description: 'One sentence, as it was then.' }),
    isAnnounced: Type.Boolean({ description: 'Whether webhooks report it.' }),
    by: textOrNull('Who did it: the subject of the token; null where it was Rounds.'),
    doctorId: textOrNull('The doctor of that token.'),
    note: textOrNull('What the doctor says about it.'),
  },
  {
    $id: 'AlertEvent',
    additionalProperties: false,
    description: 'What became of an alert, and by whom.',
    examples: [EXAMPLE_EVENT],
  },
)
export type AlertEvent = Static<typeof AlertEvent>

export function alertUnknown(): Refusal {
  return new Refusal('AlertUnknown', 'The patient has no such alert.')
}

/** An alert as the statements print it, as JSON. */
export type AlertRow = {
  patient_uid: string
  alert_id: string
  rule_id: string
  reading_type: string
  field: string | null
  severity: Severity
  condition: 'pending' | 'open' | 'resolved' | 'retracted'
  since: string
  until: string | null
  opened_at: string
  resolved_at: string | null
  readings: Alert['readings']
  why: string
  quiet: Alert['quiet']
  announced_at: string | null
  acknowledged: { at: string; by: string; doctor_id: string; note: string | null } | null
  rule: RuleRow
}

/** SQL: a row of alerts as an AlertRow. */
export const printedAlert = (alert: string) => `json_build_object(
        'patient_uid', ${alert}.patient_uid, 'alert_id', ${alert}.alert_id, 'rule_id', ${alert}.rule_id,
        'reading_type', ${alert}.reading_type, 'field', ${alert}.field, 'severity', ${alert}.severity,
        'condition', ${alert}.condition, 'since', ${alert}.since::text, 'until', ${alert}.until::text,
        'opened_at', ${alert}.opened_at::text, 'resolved_at', ${alert}.resolved_at::text, 'readings', ${alert}.readings,
        'why', ${alert}.why, 'quiet', ${alert}.quiet, 'announced_at', ${alert}.announced_at::text,
        'acknowledged', case when ${alert}.acknowledged_at is not null then json_build_object(
          'at', ${alert}.acknowledged_at::text, 'by', ${alert}.acknowledged_by, 'doctor_id', ${alert}.acknowledged_doctor,
          'note', ${alert}.acknowledged_note
        ) end,
        'rule', (
          select json_build_object(
            'patient_uid', patient_uid, 'rule_id', rule_id, 'terms', terms, 'changed_by', changed_by, 'doctor_id', doctor_id,
            'changed_at', changed_at::text
          )
          from casesheet.rule_changes
          where rule_changes.patient_uid = ${alert}.patient_uid
            and rule_changes.version_id = ${alert}.version_id
        )
      )`

const instantIfAny = (text: string | null) => (text === null ? null : instantFrom(text, 6))

export function alertFrom(row: AlertRow): Alert {
  const { acknowledged } = row
  const isAcknowledged = row.condition === 'open' && acknowledged !== null
  return {
    alertId: row.alert_id,
    patientUid: row.patient_uid,
    ruleId: row.rule_id,
    severity: row.severity,
    state: isAcknowledged ? 'acknowledged' : row.condition,
    readingType: row.reading_type,
    field: row.field,
    since: instantFrom(row.since, 6),
    openedAt: instantFrom(row.opened_at, 6),
    until: instantIfAny(row.until),
    resolvedAt: instantIfAny(row.resolved_at),
    why: row.why,
    readings: row.readings,
    quiet: row.quiet,
    announcedAt: instantIfAny(row.announced_at),
    acknowledged: acknowledged && {
      at: instantFrom(acknowledged.at, 6),
      by: acknowledged.by,
      doctorId: acknowledged.doctor_id,
      note: acknowledged.note,
    },
    rule: ruleFrom(row.rule),
  }
}
