// What happened to a patient's care, as one list: looks, symptoms, notes, alerts, targets, rules, sharing, withdrawals.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { DoctorId, Permission } from '../../casesheet/grants/grant.ts'
import { EVENTS, endedBecauseOrNull, numberOrNull, SentTo, sentToFrom } from '../alerts/alert.ts'
import { closed, oneOf, orNull, textOrNull } from '../answer-forms.ts'
import { EXAMPLE_LOOK, LOOK_TERMS, type LookTermsRow, lookTermsFrom } from '../looks/look.ts'
import { VisibleTo } from '../looks/note.ts'
import { Rule, type RuleRow, RuleSeverity, ruleFrom } from '../rules/rule.ts'
import { type TargetRow, targetFrom } from '../targets/stored-target.ts'
import { Target } from '../targets/target.ts'

const id = Type.String({ format: 'uuid' })

const EVERY = {
  at: Type.String({
    format: 'date-time',
    description: 'When that was, in UTC; of a symptom or a note, when it was measured.',
  }),
  by: textOrNull(
    'Who did it: the name, or the subject of the token where no name is known; null for Rounds.',
  ),
}

const { judges: _judges, setBy: _setBy, setAt: _setAt, ...TARGET } = Target.properties
const { isSuspended: _suspended, setBy: _ruleSetBy, setAt: _ruleSetAt, ...RULE } = Rule.properties

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
const TimelineNote = closed(
  { kind: Type.Literal('note'), ...EVERY, readingId: id, text: Type.String() },
  'What the patient wrote as a reading of the type note, unless it was withdrawn.',
)
const TimelineAlert = closed(
  {
    kind: Type.Literal('alert'),
    ...EVERY,
    event: oneOf(
      'What became of it. reopened: it is worse than what was seen, or that was taken back.',
      ...EVENTS,
    ),
    alertId: id,
    ruleId: id,
    label: textOrNull('What its rule is called; null for nothing.'),
    severity: RuleSeverity,
    value: numberOrNull('The value that it is about; null without a number, and where the grant ended.'),
    unit: textOrNull('Its unit, in UCUM.'),
    why: textOrNull('One sentence; null where the grant ended.'),
    endedBecause: endedBecauseOrNull,
    note: textOrNull('What was said as it was acknowledged. A note for doctors is shown to doctors only.'),
    visibleTo: orNull(VisibleTo, 'Who sees the note; null without one.'),
    sentTo: SentTo,
  },
  'What became of an alert.',
)
const TimelineTarget = closed(
  {
    kind: Type.Literal('target'),
    ...EVERY,
    action: oneOf('What was done.', 'set', 'removed'),
    target: closed(TARGET, 'The target as it was set, or until it was removed.'),
  },
  'A target was set or removed: of the patient, or for all, while its author had the permission manage.',
)
const TimelineRule = closed(
  {
    kind: Type.Literal('rule'),
    ...EVERY,
    action: oneOf('What was done.', 'set', 'removed'),
    rule: closed(RULE, 'The rule as it was set, or until it was removed.'),
  },
  'A rule was set or removed: of the patient, or for all, while its author had the permission manage.',
)
const TimelineSharing = closed(
  {
    kind: Type.Literal('sharing'),
    ...EVERY,
    action: oneOf('What became of the grant.', 'given', 'changed', 'revoked', 'expired'),
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
    action: oneOf('What was done.', 'withdrawn', 'restored'),
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
    TimelineNote,
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
  | { kind: 'note'; printed: { reading_id: string; text: string } }
  | {
      kind: 'alert'
      printed: Pick<
        Static<typeof TimelineAlert>,
        'event' | 'label' | 'severity' | 'value' | 'unit' | 'why' | 'note'
      > & {
        alert_id: string
        rule_id: string
        ended_because: Static<typeof TimelineAlert>['endedBecause']
        visible_to: VisibleTo | null
        sent_to: SentTo | null
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
    case 'note': {
      const { reading_id: readingId, text } = row.printed
      return { kind: row.kind, ...every, readingId, text }
    }
    case 'alert': {
      const { alert_id: alertId, rule_id: ruleId, ended_because: endedBecause, ...event } = row.printed
      const { visible_to: visibleTo, sent_to, ...printed } = event
      const sentTo = sentToFrom(sent_to)
      return { kind: row.kind, ...every, alertId, ruleId, ...printed, endedBecause, visibleTo, sentTo }
    }
    case 'target': {
      const { judges: _, setBy: _by, setAt: _at, ...target } = targetFrom(named(row.printed, row), false)
      return { kind: row.kind, ...every, action: DONE[row.printed.action], target }
    }
    case 'rule': {
      const { isSuspended: _, setBy: _by, setAt: _at, ...rule } = ruleFrom(named(row.printed, row), false)
      return { kind: row.kind, ...every, action: DONE[row.printed.action], rule }
    }
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

/** With the name of the author that was kept, else as the directory names the doctor. */
const named = <Set extends TargetRow | RuleRow>(set: Set, { doctor_name }: TimelineRow): Set => ({
  ...set,
  author_name: set.author_name ?? doctor_name,
})
