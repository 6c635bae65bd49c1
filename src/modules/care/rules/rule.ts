// A rule: what a doctor or practice wants to be notified of, for one patient or for all who share with the permission manage. Nothing is a
// rule until somebody sets it, and nobody's replaces another author's.
import { type Static, Type } from 'typebox'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { ONE_VISIBLE_LINE } from '../../casesheet/reading.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import { closed, instant, oneOf, orNull, textOrNull } from '../answer-forms.ts'
import { authorOf } from '../targets/stored-target.ts'
import { TargetAuthor } from '../targets/target.ts'
import { DURATION_FORM } from './duration.ts'

/** The more urgent first. */
export const SEVERITIES = ['urgent', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Of symptoms, the least severe first. */
const SYMPTOM_SEVERITIES = ['MILD', 'MODERATE', 'SEVERE'] as const

/** A value is beyond the bound if it is greater than `above`, or less than `below`. */
export type Bound = { above: number; below?: never } | { below: number; above?: never }

/** What a rule watches for, by the names of the interface. */
type Conditions = {
  value: Bound & { times: number; within?: string }
  change: { by: number; within: string }
  missing: { for: string }
  symptom: { severity: (typeof SYMPTOM_SEVERITIES)[number] }
}
export const KINDS = ['value', 'change', 'missing', 'symptom'] as const satisfies (keyof Conditions)[]
export type Kind = keyof Conditions

type Only<Name extends Kind> = Pick<Conditions, Name> & { [Other in Exclude<Kind, Name>]?: never }

/** As it is stored: `times` always, `within` only beside several. */
export type Terms =
  | ({ unit: Unit; clear?: Bound } & Only<'value'>)
  | ({ unit: Unit; clear?: never } & Only<'change'>)
  | ({ unit?: never; clear?: never } & (Only<'missing'> | Only<'symptom'>))

export function kindOf(terms: Terms): Kind {
  const kind = KINDS.find((name) => terms[name] !== undefined)
  if (kind === undefined) throw new Error('A stored rule has no condition.')
  return kind
}

// Requests and answers write a rule with the same schemas.

const MAX_LABEL_CHARS = 100
const MOST_TIMES = 20

/** The shortest and the longest duration of each name. */
export const DURATIONS = { within: ['PT1M', 'P30D'], for: ['PT1H', 'P365D'] } as const
export const mustBeDuration = (name: keyof typeof DURATIONS) =>
  `a duration in days, hours and minutes from ${DURATIONS[name].join(' to ')}, such as P2D`

const number = (description: string, mustBe = 'a number') =>
  Type.Number({ description, examples: [160], 'x-mustBe': mustBe })
const duration = (name: keyof typeof DURATIONS, description: string) =>
  Type.String({
    pattern: DURATION_FORM,
    description: `${description} From ${DURATIONS[name].join(' to ')}.`,
    examples: ['P2D'],
    'x-mustBe': mustBeDuration(name),
  })

const SIDES = {
  above: Type.Optional(number('Values greater than this one.')),
  below: Type.Optional(number('Values less than this one.')),
}

export const CONDITIONS = {
  value: Type.Optional(
    closed(
      {
        ...SIDES,
        times: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MOST_TIMES,
            description: 'So many values are beyond the bound, the newest among them. Default: 1.',
            examples: [2],
            'x-mustBe': `a whole number from 1 to ${MOST_TIMES}`,
          }),
        ),
        within: Type.Optional(duration('within', 'In this time; required where times is above 1.')),
      },
      'Holds if values are beyond the bound, above or below. A value at the bound is not beyond it.',
    ),
  ),
  change: Type.Optional(
    closed(
      {
        by: number(
          'So much above the lowest value of the time before; if it is negative, below the highest.',
          'a number other than 0',
        ),
        within: duration('within', 'The time before the newest value.'),
      },
      'Holds if the value rose or fell by so much.',
    ),
  ),
  missing: Type.Optional(
    closed({ for: duration('for', 'For so long.') }, 'Holds if no reading of the type was measured.'),
  ),
  symptom: Type.Optional(
    closed(
      {
        severity: Type.Enum([...SYMPTOM_SEVERITIES], {
          type: 'string',
          description: 'The lowest that counts. A severity that is none of these counts as SEVERE.',
          examples: ['SEVERE'],
          'x-mustBe': `one of ${SYMPTOM_SEVERITIES.join(', ')}`,
        }),
      },
      'Holds for 72 hours after such a symptom. The type is symptom.',
    ),
  ),
  clear: Type.Optional(
    closed(
      SIDES,
      'An alert on values ends at the first one on this side: below where the rule looks above, and above where it looks below. Without it, as ' +
        'soon as the rule no longer holds for the newest value.',
    ),
  ),
}

export const RuleSeverity = Type.Enum([...SEVERITIES], {
  type: 'string',
  description: 'urgent: for now. warning: for this week.',
  examples: ['warning'],
  'x-mustBe': `one of ${SEVERITIES.join(', ')}`,
})

export const RuleLabel = Type.String({
  minLength: 1,
  maxLength: MAX_LABEL_CHARS,
  pattern: ONE_VISIBLE_LINE,
  description: 'What it is called in lists and alerts. Another label changes nothing else.',
  examples: ['High twice'],
  'x-mustBe': `a text of 1 to ${MAX_LABEL_CHARS} characters on one line, without control characters`,
})

const RULE_ID = '0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94'

export const RuleId = Type.String({
  pattern: UUID_FORM.source,
  description: 'The id of a rule, as rules/list gives it.',
  examples: [RULE_ID],
  'x-mustBe': 'the ruleId of a rule, as rules/list gives it',
})

export const Rule = Type.Object(
  {
    ruleId: Type.String({ format: 'uuid', description: 'Stays the same when the rule is changed.' }),
    patientUid: textOrNull('The patient; null where it holds for all who share with the permission manage.'),
    readingType: Type.String({ description: 'A type of the catalogue, or symptom.' }),
    field: textOrNull('The field of the reading; null for missing and symptom, which look at no value.'),
    unit: textOrNull('The unit of the numbers, in UCUM; null for missing and symptom.'),
    severity: RuleSeverity,
    label: orNull(RuleLabel, 'What it is called; null for none.'),
    ...CONDITIONS,
    author: closed({ ...TargetAuthor.properties, kind: oneOf('Whose rule it is.', 'doctor', 'practice') }),
    setBy: Type.String({ description: 'Who set it: the subject of the token.' }),
    setAt: instant('When that was, in UTC.'),
    isSuspended: Type.Boolean({
      description:
        'The patient no longer shares the type with its author with the permission manage, so it is not evaluated. False for all patients.',
    }),
  },
  {
    $id: 'Rule',
    additionalProperties: false,
    description: 'What a doctor wants to be notified of: exactly one of value, change, missing and symptom.',
  },
)
export type Rule = Omit<Static<typeof Rule>, 'author'> & {
  author: { kind: 'doctor' | 'practice'; doctorId?: string; name: string }
}

export const EXAMPLE_RULE: Rule = {
  ruleId: RULE_ID,
  patientUid: EXAMPLE_GRANT.patientUid,
  readingType: 'bloodPressure',
  field: 'systolic',
  unit: 'mm[Hg]',
  severity: 'warning',
  label: 'High twice',
  value: { above: 160, times: 2, within: 'P2D' },
  clear: { below: 150 },
  author: { kind: 'doctor', doctorId: EXAMPLE_GRANT.doctorId, name: 'Dr Sample' },
  setBy: 'dr-willow',
  setAt: '2026-11-17T08:15:30.125460Z',
  isSuspended: false,
}

export type RuleRow = {
  rule_id: string
  author_kind: 'doctor' | 'practice'
  author_id: string
  author_name: string | null
  patient_uid: string | null
  reading_type: string
  field: string | null
  severity: Severity
  terms: Terms
  label: string | null
  set_by: string
  set_at: string
}

/** SQL: the columns of a RuleRow. */
export const RULE_COLUMNS = `rule_id, author_kind, author_id, author_name, rules.patient_uid, rules.reading_type, field, severity, terms,
      label, set_by, set_at::text as set_at`

export function ruleFrom(row: RuleRow, isSuspended: boolean): Rule {
  const { author_kind: kind } = row
  return {
    ruleId: row.rule_id,
    patientUid: row.patient_uid,
    readingType: row.reading_type,
    field: row.field,
    unit: null,
    severity: row.severity,
    label: row.label,
    ...row.terms,
    author: { ...authorOf(row), kind },
    setBy: row.set_by,
    setAt: instantFrom(row.set_at, 6),
    isSuspended,
  }
}
