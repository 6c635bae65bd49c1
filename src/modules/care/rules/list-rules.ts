// GET rules/list: the rules of a patient that are set now, or those of all patients who share with the calling doctor. The rules of one
// patient are a read like any other, whose row of the access log is written behind it. The list of a doctor shows no
// readings and leaves none.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { DURABLE } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import {
  createCursors,
  cursorParameter,
  cutPage,
  isStorable,
  limitParameter,
  NextCursor,
} from '../../../http/pages.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import { MAX_PAGE } from '../../casesheet/grants/list-grants.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { LOWEST_ID, UUID_FORM } from '../../casesheet/reading-id.ts'
import { readOf } from '../logged-read.ts'
import { EXAMPLE_RULE, RULE_COLUMNS, Rule, type RuleRow, ruleFrom } from './rule.ts'

/** The place of a rule, after the name and the id of its patient; in the list of one patient, after its type and the time it was set. */
type Place = { first: string; second: string; ruleId: string }

const START: Place = { first: '', second: '', ruleId: LOWEST_ID }

const { cursorOf, positionOf } = createCursors<Place>({
  form: 'json',
  partsOf: ({ first, second, ruleId }) => [first, second, ruleId],
  positionFrom: ([first = '', second = '', ruleId = '']) =>
    isStorable(first) && isStorable(second) && UUID_FORM.test(ruleId) ? { first, second, ruleId } : undefined,
})

const EXAMPLE_CURSOR = cursorOf({
  first: 'mia example, born 2017',
  second: EXAMPLE_RULE.patientUid,
  ruleId: EXAMPLE_RULE.ruleId,
})
const MESSAGE = 'Rules obtained successfully.'

const RulesQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    limit: limitParameter({
      description: 'Maximum number of rules per page.',
      default: MAX_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)
export type RulesQuery = Static<typeof RulesQuery>

export const listRulesContract = {
  tags: ['care'],
  operationId: 'listRules',
  summary: 'Get the rules of a patient, or of all patients who share with the doctor',
  description:
    'Those that are set now. With patientUid: for the same callers as readings/get, ordered by type and time; a doctor sees those of the ' +
    'types that are shared; every read is logged. Without it and with a token that names a doctorId: the rules of all patients who share ' +
    'with the doctor, in pages, ordered by the name of the patient. With any other token patientUid is optional if it names exactly one patient.',
  querystring: RulesQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Rule>({ $ref: 'Rule#' })),
        nextCursor: NextCursor,
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Rules that are set.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_RULE], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(RulesQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

export function createListRules(db: Db) {
  const reads = countReads(db.metrics, 'rules/list')
  return async (query: RulesQuery & { patientUid: string }, reader: Reader) => {
    const { patientUid, limit = MAX_PAGE, cursor } = query
    const after = positionOf(cursor) ?? START
    const rows = await queryLogged<RuleRow>(
      db,
      { name: 'list-rules', text: LIST_RULES, values: [patientUid, reader.limitedTo] },
      readOf('rules/list', patientUid, reader),
    )
    reads.rows++
    // There are 50 at most.
    const found = rows.filter((row) => isAfter(placeOf(row), after))
    const { page, nextCursor } = cutPage(found, limit, (row) => cursorOf(placeOf(row)))
    const { limitedTo } = reader
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data: page.map(ruleFrom),
      nextCursor,
      ...(limitedTo !== null && { limitedTo }),
    }
  }
}

const placeOf = ({ terms, changed_at, rule_id }: RuleRow): Place => ({
  first: terms.readingType,
  second: changed_at,
  ruleId: rule_id,
})

function isAfter(one: Place, other: Place): boolean {
  if (one.first !== other.first) return one.first > other.first
  return one.second === other.second ? one.ruleId > other.ruleId : one.second > other.second
}

const LIST_RULES = `
  select *
  from (
    select ${RULE_COLUMNS}
    from casesheet.rules
    where patient_uid = $1
      and state = 'set'
      and ($2::text[] is null or reading_type = any ($2))
  ) as found
  order by (terms ->> 'readingType') collate "C", changed_at collate "C", rule_id`

type ListedRow = RuleRow & { list_key: string }

/** Of all patients who share with the doctor. */
export function createListRulesOfDoctor(db: Db) {
  return async ({ limit = MAX_PAGE, cursor }: RulesQuery, doctor: { doctorId: string; subject: string }) => {
    const { doctorId, subject } = doctor
    const after = positionOf(cursor) ?? START
    const place = [after.first, after.second, after.ruleId]
    const values = [doctorId, ...place, limit]
    const statement = { name: 'list-rules-of-doctor', text: LIST_RULES_OF_DOCTOR, values, behind: DURABLE }
    const rows = await db.query<ListedRow>(statement, { subject })
    const cursorAfter = ({ list_key, patient_uid, rule_id }: ListedRow) =>
      cursorOf({ first: list_key, second: patient_uid, ruleId: rule_id })
    const { page, nextCursor } = cutPage(rows, limit, cursorAfter)
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data: page.map(ruleFrom),
      nextCursor,
    }
  }
}

// Patients are looked through in the order of the index of grants until the page is full. The inner limit keeps the planner from joining
// all rules: a patient has 50 at most.
const LIST_RULES_OF_DOCTOR = `
  select list_key, found.*
  from (
    select patient_uid, list_key, reading_types
    from casesheet.grants
    where doctor_id = $1
      and state = 'given'
      and valid_until > now()
      and (list_key, patient_uid) >= ($2, $3)
    order by list_key, patient_uid
  ) as sharing
  cross join lateral (
    select ${RULE_COLUMNS}
    from casesheet.rules
    where rules.patient_uid = sharing.patient_uid
      and state = 'set'
      and (sharing.reading_types is null or reading_type = any (sharing.reading_types))
      and ((sharing.list_key, sharing.patient_uid) > ($2, $3) or rule_id > $4::uuid)
    order by rule_id
    limit 50
  ) as found
  order by list_key, sharing.patient_uid, found.rule_id
  limit $5::integer + 1`
