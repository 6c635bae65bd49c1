// POST rules/set: a doctor sets a rule, for a patient or for all. The same rule again changes nothing; with a ruleId it takes the place of that
// one. The database draws the versions, keeps the history and limits how many are set.
import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { codeOf } from '../../../error-code.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal } from '../../../refusal.ts'
import type { RefusedPatients } from '../../casesheet/add/refused-patients.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { type Author, TARGET_WRITES } from '../targets/set-target.ts'
import { EXAMPLE_RULE, RULE_COLUMNS, Rule, RuleId, type RuleRow, ruleFrom } from './rule.ts'
import { RULE_OF_BODY, type RuleTerms } from './rule-terms.ts'

const MESSAGE = 'The rule is set.'
const { patientUid, readingType, field, unit, severity, label, value, clear } = EXAMPLE_RULE
const EXAMPLE = { patientUid, readingType, field, unit, severity, label, value, clear }

const SetBody = Type.Object(
  {
    ...RULE_OF_BODY,
    ruleId: Type.Optional(
      Type.String({
        ...RuleId,
        description:
          'The own rule of the same patient that this one replaces. Without it, another one is set.',
      }),
    ),
  },
  {
    additionalProperties: false,
    'x-examples': {
      value: { summary: 'Twice in two days', value: EXAMPLE },
      all: {
        summary: 'For all who share: a severe symptom',
        value: { readingType: 'symptom', severity: 'urgent', symptom: { severity: 'SEVERE' } },
      },
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
        value: { patientUid, readingType: 'heartRate', severity: 'urgent', missing: { for: 'P2D' } },
      },
    },
  },
)
type SetBody = Static<typeof SetBody>

export const setRuleContract = {
  tags: ['care'],
  operationId: 'setRule',
  summary: 'Set a rule for a patient, or for all',
  description:
    'For doctors whose grant has the permission manage and holds the type; for any doctor without patientUid, where it holds for all who ' +
    'share with the permission manage. Exactly one of value, change, missing and symptom is required. It looks at what was measured in ' +
    'the 24 hours before, and from then on. The same rule again changes nothing. With a ruleId it replaces that one. RuleExists: the ' +
    'same, but for the label, is set already. An author has at most 50 for a patient, and 50 for all.',
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
      () => checkFor(SetBody)({ ...EXAMPLE, severity: 'high' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'PatientErased',
      'RuleUnknown',
      'RuleExists',
      'TooManyRules',
      'AlertsAreOff',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

type ToSet = Author & { rule: RuleTerms; ruleId: string; isNew: boolean }

/** A row is null throughout where nothing was written. */
type Row = { is_granted: boolean } & (RuleRow | { rule_id: null })

export function createSetRule(db: Db, refused: RefusedPatients) {
  const write = shareStatements<ToSet, Row, Row>(db, {
    ...TARGET_WRITES,
    kind: 'rules/set',
    statementFor: ([toSet]) => setStatement(toSet as ToSet, refused),
    answersFrom: (rows) => rows,
  })
  async function setOne(toSet: ToSet, isGone: IsGone): Promise<RuleRow> {
    const row = await write(toSet, isGone).catch((error) => {
      throw refusalOf(error) ?? error
    })
    mustStillBeGranted(row)
    if (row.rule_id === null) throw new Refusal('RuleUnknown', 'You have set no such rule.')
    const isAnother = row.rule_id !== toSet.ruleId && row.label !== toSet.rule.label
    if (isAnother) throw ruleExists()
    return row
  }
  const setUnlessRefused = refused.guard(
    async ([toSet]: (ToSet & { patientUid: string })[], isGone: IsGone) => setOne(toSet as ToSet, isGone),
  )
  return async (rule: RuleTerms, replaced: string | undefined, author: Author, isGone: IsGone) => {
    const { patientUid: ofPatient } = author
    // Drawn before the statement, which may be sent to the database twice.
    const toSet = { ...author, rule, ruleId: replaced ?? randomUUID(), isNew: replaced === undefined }
    const row =
      ofPatient === null
        ? await setOne(toSet, isGone)
        : await setUnlessRefused([{ ...toSet, patientUid: ofPatient }], isGone)
    return { code: 'Ok' as const, message: MESSAGE, data: ruleFrom(row, false) }
  }
}

function ruleExists() {
  return new Refusal('RuleExists', 'You have set the same rule already.')
}

const UNIQUE_VIOLATION = '23505'
/** Raised by casesheet.limit_rules. */
const TOO_MANY = '22E04'

function refusalOf(error: unknown): Refusal | undefined {
  if (codeOf(error) === UNIQUE_VIOLATION) return ruleExists()
  if (codeOf(error) === TOO_MANY)
    return new Refusal('TooManyRules', 'You have set 50 rules for them already. Remove one first.')
  return undefined
}

function setStatement(toSet: ToSet, refused: RefusedPatients) {
  const { patientUid: ofPatient, rule, by, doctorId, grantId } = toSet
  return {
    name: toSet.isNew ? 'add-rule' : 'replace-rule',
    text: toSet.isNew ? ADD_RULE : REPLACE_RULE,
    values: [
      ofPatient,
      toSet.ruleId,
      rule.readingType,
      rule.field,
      rule.severity,
      JSON.stringify(rule.terms),
      rule.label,
      by,
      doctorId,
      grantId,
      ...(ofPatient === null ? [null, null] : refused.identify([{ patientUid: ofPatient }])),
    ],
  }
}

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
const setting = (write: string) => `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when $1::text is not null and exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($11::bytea, $12::bytea[])
      end
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$9', grant: '$10' })}
  ), asked as materialized (
    select $10::uuid is null or exists (select from granted) as is_granted
    from durable
  ), written as (
    ${write}
    returning *
  )
  select is_granted, rules.*
  from asked
  left join (select ${RULE_COLUMNS} from written as rules) as rules on true`

// One that is there already is answered as it is, also where another request added it since the statement began: the update writes nothing new.
const ADD_RULE = setting(`
    insert into casesheet.rules as before
      (patient_uid, rule_id, reading_type, field, severity, terms, label, set_by, author_kind, author_id, author_name)
    select $1, $2::uuid, $3, $4, $5, $6::jsonb, $7, $8, 'doctor', $9, (select left(name, 200) from appointments.doctors where doctor_id = $9)
    from asked
    where is_granted
    on conflict (author_kind, author_id, patient_uid, reading_type, field, severity, terms) where state = 'set'
    do update set label = before.label`)

const REPLACE_RULE = setting(`
    update casesheet.rules
    set reading_type = $3, field = $4, severity = $5, terms = $6::jsonb, label = $7, set_by = $8
    where rule_id = $2::uuid
      and author_kind = 'doctor'
      and author_id = $9
      and patient_uid is not distinct from $1
      and state = 'set'
      and (select is_granted from asked)`)
