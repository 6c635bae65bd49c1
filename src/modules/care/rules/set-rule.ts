// POST rules/set: a doctor sets a rule for a patient. The same rule again changes nothing and keeps its author; one with the ruleId of
// another takes its place. The database draws the versions, keeps the history and limits how many are set.
import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { codeOf } from '../../../error-code.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import type { RefusedPatients } from '../../casesheet/add/refused-patients.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { EXAMPLE_RULE, RULE_COLUMNS, Rule, type RuleRow, type RuleTerms, ruleFrom } from './rule.ts'
import { TERMS_OF_BODY } from './rule-terms.ts'

const MESSAGE = 'The rule is set.'
const { patientUid, readingType, unit, severity, sustained, clear, maxAge, label } = EXAMPLE_RULE
const EXAMPLE = { patientUid, readingType, severity }

export const RuleId = Type.String({
  pattern: '^[\\dA-Fa-f]{8}(-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}$',
  description: 'The id of a rule, as rules/list gave it.',
  examples: [EXAMPLE_RULE.ruleId],
  'x-mustBe': 'the ruleId of a rule, as rules/list gave it',
})

export const ReplacedRuleId = Type.Optional(
  Type.String({
    ...RuleId,
    description: 'The rule that this one replaces. Without it, another one is set.',
  }),
)

const SetBody = Type.Object(
  { ...TERMS_OF_BODY, ruleId: ReplacedRuleId },
  {
    additionalProperties: false,
    'x-examples': {
      sustained: {
        summary: 'Three of the last four readings',
        value: { ...EXAMPLE, unit, sustained, clear, maxAge, label },
      },
      threshold: { summary: 'One reading', value: { ...EXAMPLE, threshold: { above: 150 } } },
      change: {
        summary: 'A change',
        value: {
          patientUid,
          readingType: 'bodyWeight',
          unit: 'kg',
          severity: 'warning',
          change: { by: 2, within: 'P3D' },
        },
      },
      missing: {
        summary: 'No reading',
        value: { patientUid, readingType: 'bloodPressure', severity: 'notice', missing: { for: 'P2D' } },
      },
    },
  },
)
export type SetBody = Static<typeof SetBody>

export const setRuleContract = {
  tags: ['care'],
  operationId: 'setRule',
  summary: 'Set a rule for the readings of a patient',
  description:
    'For doctors whose grant has the permission manage and holds the type. Exactly one of threshold, sustained, change and missing is ' +
    'required. The rule looks at readings that are measured from now on. The same rule again changes nothing. With a ruleId it ' +
    'replaces that one, whose open alerts are resolved. At most 50 rules are set for a patient, and 10,000 by a doctor.',
  body: SetBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Rule>({ $ref: 'Rule#' }) },
      {
        description: 'Committed. The rule as it is now.',
        examples: [{ code: 'Ok', message: MESSAGE, data: EXAMPLE_RULE }],
      },
    ),
    ...errorAnswers(
      () => checkFor(SetBody)({ ...EXAMPLE, sustained, severity: 'high' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'PatientErased',
      'RuleUnknown',
      'RuleExists',
      'TooManyRules',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToSet = ManagingDoctor & {
  patientUid: string
  terms: RuleTerms
  /** The rule that it replaces. */
  ruleId: string | null
  /** The id of a new one. */
  newId: string
}

/** A row is null throughout where nothing was written or found. */
type Row = { is_granted: boolean; is_known: boolean; is_shared: boolean; is_taken: boolean } & (
  | RuleRow
  | { rule_id: null }
)

/** Rules that other requests change without end while this one is looked up again. */
const MAX_ATTEMPTS = 8

export function createSetRule(db: Db, refused: RefusedPatients) {
  const write = shareStatements<ToSet, Row, Row | undefined>(db, {
    ...WRITES,
    kind: 'rules/set',
    statementFor: ([rule]) => setStatement(rule as ToSet, refused.identify([rule as ToSet])),
    answersFrom: (rows) => [rows[0]],
  })
  const setUnlessRefused = refused.guard(async ([rule]: ToSet[], isGone: IsGone) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await write(rule as ToSet, isGone).catch(undefinedIfTaken)
      // None where another request has changed these rules since the statement began: the next one sees it.
      if (!row) continue
      mustStillBeGranted(row)
      mustBeFree(row)
      if (row.rule_id !== null) return row
    }
    throw new Error('The rule could not be read after it was set.')
  })
  return async (body: SetBody, terms: RuleTerms, doctor: ManagingDoctor, isGone: IsGone) => {
    // Drawn before the statement, which may be sent to the database twice.
    const named = { patientUid: body.patientUid, ruleId: body.ruleId ?? null }
    const rule = { ...doctor, ...named, terms, newId: randomUUID() }
    try {
      const row = await setUnlessRefused([rule], isGone)
      return { code: 'Ok' as const, message: MESSAGE, data: ruleFrom(row) }
    } catch (error) {
      throw tooManyRules(codeOf(error)) ?? error
    }
  }
}

const UNIQUE_VIOLATION = '23505'

/** Of a rule that another request has set since the statement began. */
function undefinedIfTaken(error: unknown): undefined {
  if (codeOf(error) !== UNIQUE_VIOLATION) throw error
}

function mustBeFree({ is_known, is_shared, is_taken }: Row) {
  if (!is_known) throw ruleUnknown()
  if (!is_shared) throw typeNotShared()
  if (is_taken) throw new Refusal('RuleExists', 'Another rule of this patient says the same.')
}

function ruleUnknown(): Refusal {
  return new Refusal('RuleUnknown', 'The patient has no such rule.')
}

/** Of a rule whose type the grant does not hold. */
export function typeNotShared(): Refusal {
  return new Refusal('NotShared', 'This patient does not share readings of this type with you.')
}

// SQLSTATEs that casesheet.limit_rules raises.
const [TOO_MANY_OF_PATIENT, TOO_MANY_OF_DOCTOR] = ['22E04', '22E05']

function tooManyRules(code: string): Refusal | undefined {
  if (code === TOO_MANY_OF_PATIENT)
    return new Refusal('TooManyRules', 'The patient has 50 rules already. Remove one first.')
  if (code === TOO_MANY_OF_DOCTOR)
    return new Refusal('TooManyRules', 'You have set 10,000 rules already. Remove one first.')
  return undefined
}

function setStatement(rule: ToSet, identified: [keyId: string | null, digests: string | null]) {
  const { terms, by, doctorId, grantId } = rule
  return {
    name: 'set-rule',
    text: SET_RULE,
    values: [
      rule.patientUid,
      terms.readingType,
      terms.field ?? null,
      terms.severity,
      JSON.stringify(terms),
      rule.ruleId,
      rule.newId,
      by,
      doctorId,
      grantId,
      ...identified,
    ],
  }
}

/** SQL: whether the locked grant holds the type of a rule. */
export function isTypeShared({
  rule,
  doctor,
  grant,
}: {
  rule: string
  doctor: string
  grant: string
}): string {
  return `exists (
        select
        from casesheet.grants
        where grants.patient_uid = $1
          and grants.doctor_id = ${doctor}
          and grants.grant_id = ${grant}::uuid
          and (grants.reading_types is null or ${rule}.reading_type = any (grants.reading_types))
      )`
}

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
// `meant` is the rule that is set already: by its id, or because it says the same.
const SET_RULE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($11::bytea, $12::bytea[])
      end
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$9', grant: '$10' })}
  ), asked as materialized (
    select exists (select from granted) as is_granted
    from durable
  ), known as materialized (
    select rule_id, reading_type, terms = $5::jsonb as is_same
    from casesheet.rules
    where patient_uid = $1
      and state = 'set'
      and (select is_granted from asked)
  ), meant as materialized (
    select rule_id, ${isTypeShared({ rule: 'known', doctor: '$9', grant: '$10' })} as is_shared
    from known
    where case when $6::uuid is null then is_same else rule_id = $6::uuid end
  ), judged as materialized (
    select is_granted,
      $6::uuid is null or exists (select from meant) as is_known,
      not exists (select from meant where not is_shared) as is_shared,
      exists (
        select
        from known
        where rule_id not in (select rule_id from meant)
          and is_same
      ) as is_taken
    from asked
  ), added as (
    insert into casesheet.rules
      (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
    select $1, $7::uuid, $2, $3, $4, $5::jsonb, $8, $9
    from judged
    where is_granted
      and is_known
      and is_shared
      and not is_taken
      and not exists (select from meant)
    on conflict do nothing
    returning ${RULE_COLUMNS}
  ), replaced as (
    update casesheet.rules
    set reading_type = $2, field = $3, severity = $4, terms = $5::jsonb, changed_by = $8, doctor_id = $9
    where patient_uid = $1
      and rule_id in (select rule_id from meant where is_shared)
      and state = 'set'
      and terms <> $5::jsonb
      and not (select is_taken from judged)
    returning ${RULE_COLUMNS}
  ), shown as (
    select *
    from added
    union all
    select *
    from replaced
    union all
    select ${RULE_COLUMNS}
    from casesheet.rules
    where patient_uid = $1
      and rule_id in (select rule_id from meant where is_shared)
      and state = 'set'
      and terms = $5::jsonb
  )
  select is_granted, is_known, is_shared, is_taken, shown.*
  from judged
  left join shown on is_granted`
