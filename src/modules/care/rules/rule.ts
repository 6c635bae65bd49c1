// A rule: what a doctor wants to be notified of, for the readings of one patient and type. Nothing is a rule until a doctor sets it.
// Every change makes another version, which looks at the readings of the day before, and at those from then on.
import { type Static, Type } from 'typebox'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { DoctorId, EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { PatientUid } from '../../casesheet/reading.ts'

export const SEVERITIES = ['notice', 'warning', 'urgent'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A value is beyond the bound if it is greater than `above`, or less than `below`. */
export type Bound = { above: number; below?: never } | { below: number; above?: never }

export type InARow = { count: number; of: number; for?: never }
export type Throughout = { for: string; count?: never; of?: never }

/** A value is clear of the rule on its other side; with `atMost` and `atLeast` the bound itself is clear too. */
export type ClearBound =
  | { below: number; above?: never; atMost?: never; atLeast?: never }
  | { above: number; below?: never; atMost?: never; atLeast?: never }
  | { atMost: number; below?: never; above?: never; atLeast?: never }
  | { atLeast: number; below?: never; above?: never; atMost?: never }

/** What a rule watches for, by the names of the interface. */
type Conditions = {
  threshold: Bound
  sustained: Bound & (InARow | Throughout)
  change: { by: number; within: string }
  missing: { for: string }
}
type Condition = keyof Conditions

type Only<Name extends Condition> = Pick<Conditions, Name> & {
  [Other in Exclude<Condition, Name>]?: never
}

/** What a rule of values says beside its condition. */
type Measured<Clear> = { field: string; unit: Unit; clear: Clear; maxAge: string }

/** What a rule of values says; `clear` is complete. */
export type MeasuredTerms = RuleBasics &
  (
    | (Measured<ClearBound & { count: number }> & (Only<'threshold'> | Only<'sustained'>))
    | (Measured<{ count: number }> & Only<'change'>)
  )

type MissingTerms = RuleBasics &
  Only<'missing'> & { field?: never; unit?: never; clear?: never; maxAge?: never }

type RuleBasics = {
  readingType: string
  severity: Severity
  label?: string
}

/** What a rule says, as it is stored: what is absent is left out. */
export type RuleTerms = MeasuredTerms | MissingTerms

export const EXAMPLE_RULE = {
  patientUid: EXAMPLE_GRANT.patientUid,
  ruleId: '0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94',
  readingType: 'heartRate',
  field: 'value',
  unit: '/min',
  severity: 'urgent',
  threshold: null,
  sustained: { above: 130, count: 3, of: 4 },
  change: null,
  missing: null,
  clear: { below: 120, count: 2 },
  maxAge: 'PT2H',
  label: 'Agreed in October',
  setBy: 'dr-willow',
  doctorId: EXAMPLE_GRANT.doctorId,
  setAt: '2026-11-17T08:15:30.125460Z',
} as const

const textOrNone = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const objectOrNone = <Value>(description: string, properties: Record<string, object>, required: string[]) =>
  Type.Unsafe<Value | null>({
    type: ['object', 'null'],
    properties,
    required,
    additionalProperties: false,
    description,
  })

const number = (description: string) => Type.Number({ description })
const count = (description: string) => Type.Integer({ description })
const duration = (description: string) => Type.String({ description })

const SIDES = {
  above: number('Values greater than this one.'),
  below: number('Values less than this one.'),
}

/** What a rule says, as all answers show it. */
const RULE_TERMS = {
  readingType: Type.String({ description: 'A type of the catalogue.' }),
  field: textOrNone('The field of the reading; null for missing, which looks at no value.'),
  unit: textOrNone('The unit of the bounds, in UCUM; null for missing.'),
  severity: Type.Enum([...SEVERITIES], { type: 'string', description: 'How much it matters.' }),
  threshold: objectOrNone<Conditions['threshold']>('Holds at every reading beyond the bound.', SIDES, []),
  sustained: objectOrNone<Conditions['sustained']>(
    'Holds if count of the last readings are beyond the bound, or all of them throughout a time.',
    {
      ...SIDES,
      count: count('How many of the last readings.'),
      of: count('Of how many.'),
      for: duration('Throughout this time, as ISO 8601 writes it.'),
    },
    [],
  ),
  change: objectOrNone<Conditions['change']>(
    'Holds if a value is so much above the lowest of the time before it, or below the highest if by is negative.',
    { by: number('By how much.'), within: duration('Within this time, as ISO 8601 writes it.') },
    ['by', 'within'],
  ),
  missing: objectOrNone<Conditions['missing']>(
    'Holds if no reading of the type was measured for a time.',
    { for: duration('For this time, as ISO 8601 writes it.') },
    ['for'],
  ),
  clear: objectOrNone<MeasuredTerms['clear']>(
    'When an alert resolves: after count readings in a row that are clear. Without a bound: at which the rule does not hold. Null for missing, ' +
      'which resolves at the next reading.',
    {
      ...SIDES,
      atMost: number('Values no greater than this one.'),
      atLeast: number('Values no less than this one.'),
      count: count('How many readings in a row.'),
    },
    ['count'],
  ),
  maxAge: textOrNone(
    'Alerts by readings that arrive later than this are recorded, and not announced; null for missing.',
  ),
  label: textOrNone('A text beside it, such as why it was chosen; null for none.'),
}

export const Rule = Type.Object(
  {
    patientUid: PatientUid,
    ruleId: Type.String({ format: 'uuid' }),
    ...RULE_TERMS,
    setBy: Type.String({ description: 'Who set it: the subject of the token.' }),
    doctorId: DoctorId,
    setAt: Type.String({
      format: 'date-time',
      description:
        'When that was, in UTC. It looks at readings that were measured in the 24 hours before, and from then on.',
    }),
  },
  {
    $id: 'Rule',
    additionalProperties: false,
    description:
      'What a doctor wants to be notified of. Exactly one of threshold, sustained, change and missing is set.',
    examples: [EXAMPLE_RULE],
  },
)
export type Rule = Static<typeof Rule>

export type RuleRow = {
  patient_uid: string
  rule_id: string
  terms: RuleTerms
  changed_by: string
  doctor_id: string
  changed_at: string
}

/** SQL: the columns of a RuleRow. */
export const RULE_COLUMNS =
  'patient_uid, rule_id, terms, changed_by, doctor_id, changed_at::text as changed_at'

/** What is absent is null. */
function termsShown(terms: RuleTerms) {
  return {
    readingType: terms.readingType,
    field: terms.field ?? null,
    unit: terms.unit ?? null,
    severity: terms.severity,
    threshold: terms.threshold ?? null,
    sustained: terms.sustained ?? null,
    change: terms.change ?? null,
    missing: terms.missing ?? null,
    clear: terms.clear ?? null,
    maxAge: terms.maxAge ?? null,
    label: terms.label ?? null,
  }
}

export function ruleFrom(row: RuleRow): Rule {
  return {
    patientUid: row.patient_uid,
    ruleId: row.rule_id,
    ...termsShown(row.terms),
    setBy: row.changed_by,
    doctorId: row.doctor_id,
    setAt: instantFrom(row.changed_at, 6),
  }
}
