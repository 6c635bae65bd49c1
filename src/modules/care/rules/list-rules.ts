// GET rules/list: all rules about a patient, or those that a doctor has set for all. A read of a patient like any other: its row of the access
// log is written behind it.
import { Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { closed } from '../answer-forms.ts'
import { readOf } from '../logged-read.ts'
import { createReadForAll, setAbout } from '../what-is-set.ts'
import { EXAMPLE_RULE, RULE_COLUMNS, Rule, type RuleRow, ruleFrom } from './rule.ts'

const MESSAGE = 'Rules obtained successfully.'

const RulesQuery = closed({ patientUid: Type.Optional(PatientUid) })

export const listRulesContract = {
  tags: ['care'],
  operationId: 'listRules',
  summary: 'Get the rules about a patient, or those for all',
  description:
    'Those that are set now: of all doctors for the patient, and for all of doctors with whom the patient shares with the permission ' +
    'manage. For the same callers as readings/get; a doctor sees those of the types that are shared. Without patientUid: for a doctor ' +
    'their own for all; for others it is optional if the token names exactly one patient. Every read of a patient is logged.',
  querystring: RulesQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Rule>({ $ref: 'Rule#' })),
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Rules, ordered by type; of a type those for the patient first, the newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_RULE] }],
      },
    ),
    ...errorAnswers(() => checkFor(RulesQuery)({ limit: 0 }), ...MAY_NOT_READ, 'MisdirectedRequest'),
  },
}

type SeenRow = RuleRow & { manages: boolean }

export function createListRules(db: Db) {
  const reads = countReads(db.metrics, 'rules/list')
  return async (patientUid: string, reader: Reader) => {
    const { limitedTo } = reader
    const rows = await queryLogged<SeenRow>(
      db,
      { name: 'list-rules', text: LIST_RULES, values: [patientUid, limitedTo] },
      readOf('rules/list', patientUid, reader),
    )
    reads.rows++
    const data = rows.map((row) => ruleFrom(row, !row.manages))
    return { code: 'Ok' as const, message: MESSAGE, data, ...(limitedTo !== null && { limitedTo }) }
  }
}

export function createListForAll(db: Db) {
  const readForAll = createReadForAll<RuleRow>(db, 'rules', RULE_COLUMNS)
  return async (doctorId: string, subject: string) => {
    const rows = await readForAll(doctorId, subject)
    return { code: 'Ok' as const, message: MESSAGE, data: rows.map((row) => ruleFrom(row, false)) }
  }
}

const LIST_RULES = `
  with seen as (${setAbout('rules', RULE_COLUMNS)}
  )
  select *
  from seen
  where $2::text[] is null or reading_type = any ($2)
  order by reading_type, patient_uid is null, set_at::timestamptz desc, rule_id`
