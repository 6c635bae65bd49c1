// POST rules/remove: ends a rule. It may be repeated, and where there is none it changes nothing.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { EXAMPLE_RULE } from './rule.ts'
import { isTypeShared, RuleId, typeNotShared } from './set-rule.ts'

const EXAMPLE = { patientUid: EXAMPLE_RULE.patientUid, ruleId: EXAMPLE_RULE.ruleId }
const MESSAGE = 'The rule is removed.'

const RemoveBody = Type.Object(
  { patientUid: PatientUid, ruleId: RuleId },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type RemoveBody = Static<typeof RemoveBody>

export const removeRuleContract = {
  tags: ['care'],
  operationId: 'removeRule',
  summary: 'Remove a rule of a patient',
  description:
    'For the same callers as rules/set. May be repeated, also where there is no such rule. Open alerts of the rule are resolved.',
  body: RemoveBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String() },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE }] },
    ),
    ...errorAnswers(
      () => checkFor(RemoveBody)({ ...EXAMPLE, ruleId: '' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToRemove = RemoveBody & ManagingDoctor
type Row = { is_granted: boolean; is_shared: boolean }

export function createRemoveRule(db: Db) {
  const write = shareStatements<ToRemove, Row, Row[]>(db, {
    ...WRITES,
    kind: 'rules/remove',
    statementFor: ([rule]) => removeStatement(rule as ToRemove),
    answersFrom: (rows) => [rows],
  })
  return async (body: RemoveBody, doctor: ManagingDoctor, isGone: IsGone) => {
    const rows = await write({ ...body, ...doctor }, isGone)
    rows.forEach(mustStillBeGranted)
    if (rows.some(({ is_shared }) => !is_shared)) throw typeNotShared()
    return { code: 'Ok' as const, message: MESSAGE }
  }
}

function removeStatement(rule: ToRemove) {
  const { patientUid, ruleId, by, doctorId, grantId } = rule
  return {
    name: 'remove-rule',
    text: REMOVE_RULE,
    values: [patientUid, ruleId, by, doctorId, grantId],
  }
}

// The empty message makes the commit wait for the standby, also where nothing is left to remove: an earlier attempt may have removed it
// on the primary only.
const REMOVE_RULE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$4', grant: '$5' })}
  ), asked as materialized (
    select exists (select from granted) as is_granted
    from durable
  ), named as materialized (
    select rule_id, ${isTypeShared({ rule: 'rules', doctor: '$4', grant: '$5' })} as is_shared
    from casesheet.rules
    where patient_uid = $1
      and rule_id = $2::uuid
      and state = 'set'
      and (select is_granted from asked)
  ), removed as (
    update casesheet.rules
    set state = 'removed', changed_by = $3, doctor_id = $4
    where patient_uid = $1
      and rule_id in (select rule_id from named where is_shared)
      and state = 'set'
  )
  select is_granted, not exists (select from named where not is_shared) as is_shared
  from asked`
