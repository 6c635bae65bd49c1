// What happened to a patient's care, as one list: looks, symptoms, alerts, targets, rules, sharing, withdrawals.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { DoctorId, Permission } from '../../casesheet/grants/grant.ts'
import { AlertEvent } from '../alerts/alert.ts'
import { EXAMPLE_LOOK, LOOK_TERMS, type LookTermsRow, lookTermsFrom } from '../looks/look.ts'
import { Rule, type RuleRow, ruleFrom } from '../rules/rule.ts'
import { type TargetRow, targetFrom } from '../targets/stored-target.ts'
import { Target } from '../targets/target.ts'

const id = Type.String({ format: 'uuid' })
const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const words = <Word extends string>(description: string, ...all: Word[]) =>
  Type.Enum(all, { type: 'string', description })

const closed = <Properties extends Parameters<typeof Type.Object>[0]>(
  properties: Properties,
  description: string,
) => Type.Object(properties, { additionalProperties: false, description })

const EVERY = {
  at: Type.String({
    format: 'date-time',
    description: 'When that was, in UTC; of a symptom, when it was measured.',
  }),
  by: textOrNull(
    'Who did it: the name, or the subject of the token where no name is known; null for Rounds.',
  ),
}

const { judges: _judges, setBy: _setBy, setAt: _setAt, ...TARGET } = Target.properties

const TimelineLook = closed({ kind: Type.Literal('look'), ...EVERY, ...LOOK_TERMS }, 'A doctor has looked.')
const TimelineSymptom = closed(
  {
    kind: Type.Literal('symptom'),
    ...EVERY,
    readingId: id,
    symptom: Type.String(),
    severity: Type.String({ description: 'As it was sent.' }),
  },
  'A symptom, unless it was withdrawn.',
)
const TimelineAlert = closed(
  {
    kind: Type.Literal('alert'),
    ...EVERY,
    event: AlertEvent.properties.event,
    alertId: id,
    ruleId: id,
    label: textOrNull('What its rule is called; null for nothing.'),
    severity: AlertEvent.properties.severity,
    value: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'The last value by which it opened; null for other events, and where readings are missing.',
    }),
    unit: textOrNull('Its unit, in UCUM.'),
    why: AlertEvent.properties.why,
    note: textOrNull('What was said as it was acknowledged.'),
  },
  'What became of an alert.',
)
const TimelineTarget = closed(
  {
    kind: Type.Literal('target'),
    ...EVERY,
    action: words('What was done.', 'set', 'removed'),
    target: closed(TARGET, 'The target as it was set, or until it was removed.'),
  },
  'A target was set or removed: of the patient, or for all, while its author had the permission manage.',
)
const TimelineRule = closed(
  {
    kind: Type.Literal('rule'),
    ...EVERY,
    action: words('What was done.', 'set', 'removed'),
    rule: closed(Rule.properties, 'The rule as it was set, or until it was removed.'),
  },
  'A rule was set or removed.',
)
const TimelineSharing = closed(
  {
    kind: Type.Literal('sharing'),
    ...EVERY,
    action: words('What became of the grant.', 'given', 'changed', 'revoked', 'expired'),
    doctorId: DoctorId,
    practiceId: textOrNull('The practice with which the patient shares; null for a doctor.'),
    permission: Permission,
    validUntil: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the grant ends, in UTC; null if it stays until it is revoked.',
    }),
  },
  'What the patient shares with a doctor has changed.',
)
const TimelineWithdrawal = closed(
  {
    kind: Type.Literal('withdrawal'),
    ...EVERY,
    action: words('What was done.', 'withdrawn', 'restored'),
    readingId: id,
    reason: textOrNull('Why; null if that was not said.'),
  },
  'A reading was withdrawn, or restored.',
)

const { patientUid: _uid, undoUntil: _until, ...LOOK } = EXAMPLE_LOOK
export const EXAMPLE_ENTRY = { kind: 'look', ...LOOK } as const

export const TimelineEntry = Type.Union(
  [
    TimelineLook,
    TimelineSymptom,
    TimelineAlert,
    TimelineTarget,
    TimelineRule,
    TimelineSharing,
    TimelineWithdrawal,
  ],
  { $id: 'TimelineEntry', description: 'Something that happened; `kind` says what.' },
)
export type TimelineEntry = Static<typeof TimelineEntry>

/** What each source prints of an entry, beside when and who. */
type Printed =
  | { kind: 'look'; printed: LookTermsRow }
  | { kind: 'symptom'; printed: { reading_id: string; symptom: string; severity: string } }
  | {
      kind: 'alert'
      printed: Pick<
        Static<typeof TimelineAlert>,
        'event' | 'label' | 'severity' | 'value' | 'unit' | 'why' | 'note'
      > & {
        alert_id: string
        rule_id: string
      }
    }
  | { kind: 'target'; printed: TargetRow & { action: 'set' | 'remove' } }
  | { kind: 'rule'; printed: RuleRow & { action: 'set' | 'remove' } }
  | {
      kind: 'sharing'
      printed: {
        action: keyof typeof SHARED
        doctor_id: string
        permission: 'view' | 'manage'
        valid_until: string
      }
    }
  | {
      kind: 'withdrawal'
      printed: { action: 'withdraw' | 'restore'; reading_id: string; reason: string | null }
    }

export type TimelineRow = Printed & {
  at: string
  id: string
  nth: number
  by: string | null
  doctor_name: string | null
}

const DONE = { set: 'set', remove: 'removed' } as const
const SHARED = { give: 'given', change: 'changed', revoke: 'revoked', expire: 'expired' } as const
const CORRECTED = { withdraw: 'withdrawn', restore: 'restored' } as const

export function entryFrom(row: TimelineRow): TimelineEntry {
  const every = { at: instantFrom(row.at, 6), by: row.by }
  switch (row.kind) {
    case 'look':
      return { kind: row.kind, ...every, ...lookTermsFrom(row.printed) }
    case 'symptom': {
      const { reading_id: readingId, symptom, severity } = row.printed
      return { kind: row.kind, ...every, readingId, symptom, severity }
    }
    case 'alert': {
      const { alert_id: alertId, rule_id: ruleId, ...printed } = row.printed
      return { kind: row.kind, ...every, alertId, ruleId, ...printed }
    }
    case 'target': {
      const {
        judges: _,
        setBy: _by,
        setAt: _at,
        ...target
      } = targetFrom({ ...row.printed, author_name: row.printed.author_name ?? row.doctor_name }, false)
      return { kind: row.kind, ...every, action: DONE[row.printed.action], target }
    }
    case 'rule':
      return { kind: row.kind, ...every, action: DONE[row.printed.action], rule: ruleFrom(row.printed) }
    case 'sharing': {
      const { action, doctor_id: doctorId, permission, valid_until } = row.printed
      const validUntil = valid_until === 'infinity' ? null : instantFrom(valid_until, 6)
      return {
        kind: row.kind,
        ...every,
        action: SHARED[action],
        doctorId,
        practiceId: null,
        permission,
        validUntil,
      }
    }
  }
  const { action, reading_id: readingId, reason } = row.printed
  return { kind: row.kind, ...every, action: CORRECTED[action], readingId, reason }
}
