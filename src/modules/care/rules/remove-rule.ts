// POST rules/remove: ends a doctor's own rule. It may be repeated, and needs no grant: it shows nothing of the patient, and a rule that is suspended
// may be removed too.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal } from '../../../refusal.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { EXAMPLE_RULE, RuleId } from './rule.ts'

const EXAMPLE = { ruleId: EXAMPLE_RULE.ruleId }
const MESSAGE = 'The rule is removed.'

const RemoveBody = Type.Object({ ruleId: RuleId }, { additionalProperties: false, examples: [EXAMPLE] })
type RemoveBody = Static<typeof RemoveBody>

export const removeRuleContract = {
  tags: ['care'],
  operationId: 'removeRule',
  summary: 'Remove a rule that the doctor has set',
  description:
    'Ends its open alerts. It may be repeated. RuleUnknown: the doctor never had such a rule. The timeline keeps what was removed.',
  body: RemoveBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String() },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE }] },
    ),
    ...errorAnswers(
      () => checkFor(RemoveBody)({ ruleId: '' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'RuleUnknown',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToRemove = RemoveBody & { by: string; doctorId: string }
type Row = { was_set: boolean }

export function createRemoveRule(db: Db) {
  const write = shareStatements<ToRemove, Row, Row>(db, {
    ...WRITES,
    keysOf: ({ ruleId }) => [ruleId],
    kind: 'rules/remove',
    statementFor: ([rule]) => removeStatement(rule as ToRemove),
    answersFrom: (rows) => rows,
  })
  return async (toRemove: ToRemove, isGone: IsGone) => {
    const { was_set } = await write(toRemove, isGone)
    if (!was_set) throw new Refusal('RuleUnknown', 'You have set no such rule.')
    return { code: 'Ok' as const, message: MESSAGE }
  }
}

function removeStatement({ ruleId, by, doctorId }: ToRemove) {
  return { name: 'remove-rule', text: REMOVE_RULE, values: [ruleId, by, doctorId] }
}

// The empty message makes the commit wait for the standby, also where nothing is left to remove: an earlier attempt may have removed it
// on the primary only.
const REMOVE_RULE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), removed as (
    update casesheet.rules
    set state = 'removed', set_by = $2
    where rule_id = $1::uuid
      and author_kind = 'doctor'
      and author_id = $3
      and state = 'set'
  )
  select exists (
    select from casesheet.rules
    where rule_id = $1
      and author_kind = 'doctor'
      and author_id = $3
  ) as was_set
  from durable`
