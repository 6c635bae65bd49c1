// GET grants/history: who gave, changed or revoked a grant of the patient, and when. The database writes it, and nobody can change it.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { createCursors, cutPage, NextCursor } from '../../../http/pages.ts'
import { isInstant } from '../access-log/find-accesses.ts'
import { instantFrom } from '../epoch-time.ts'
import { LOWEST_ID, UUID_FORM } from '../reading-id.ts'
import { DoctorId, EXAMPLE_GRANT, TERMS, type TermsRow, termsFrom } from './grant.ts'
import { MAX_PAGE, OF_PATIENT, pageOfPatient } from './list-grants.ts'

type Position = { at: string; grantId: string }

/** Before everything: no change is of that time. */
const NEWEST: Position = { at: 'infinity', grantId: LOWEST_ID }

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'words',
  partsOf: ({ at, grantId }) => [at, grantId],
  positionFrom: ([at = '', grantId = '']) =>
    isInstant(at) && UUID_FORM.test(grantId) ? { at, grantId } : undefined,
})

export const GrantChange = Type.Object(
  {
    doctorId: DoctorId,
    action: Type.Enum(['give', 'change', 'revoke'], { type: 'string' }),
    ...TERMS,
    by: Type.String({
      description:
        'Who did it: the subject of the token. `the doctor left the directory` where an import of the directory ended it.',
    }),
    at: Type.String({ format: 'date-time', description: 'When that was, in UTC.' }),
  },
  {
    $id: 'GrantChange',
    additionalProperties: false,
    description: 'What was done with a grant, and what it said from then on, or until it was revoked.',
  },
)
type GrantChange = Static<typeof GrantChange>

const {
  doctorId,
  permission,
  readingTypes,
  validUntil,
  sharedAs,
  contact,
  changedBy: by,
  changedAt: at,
} = EXAMPLE_GRANT
const EXAMPLE = { doctorId, action: 'give', permission, readingTypes, validUntil, sharedAs, contact, by, at }
const MESSAGE = 'History of grants obtained successfully.'
const HistoryQuery = pageOfPatient(
  'changes',
  cursorOf({ at, grantId: '2c4b63a1-58f2-4a7e-9a53-0d3c5be6c1aa' }),
)

export const grantHistoryContract = {
  tags: ['casesheet'],
  operationId: 'grantHistory',
  summary: 'See who gave, changed or revoked grants of the patient',
  description:
    'For the patient and carers. One entry per change, newest first. A grant that expires leaves no entry. patientUid is ' +
    'optional if the token names exactly one patient.',
  querystring: HistoryQuery,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<GrantChange>({ $ref: 'GrantChange#' })),
        nextCursor: NextCursor,
      },
      {
        additionalProperties: false,
        description: 'Changes, newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE], nextCursor: null }],
      },
    ),
    ...errorAnswers(() => checkFor(HistoryQuery)({ limit: 0 }), ...OF_PATIENT),
  },
}

type Asked = Static<typeof HistoryQuery> & { patientUid: string }

type Row = TermsRow & {
  doctor_id: string
  grant_id: string
  action: GrantChange['action']
  changed_by: string
  changed_at: string
}

export function createGrantHistory(db: Db) {
  return async ({ patientUid, limit = MAX_PAGE, cursor }: Asked, subject: string) => {
    const after = positionOf(cursor) ?? NEWEST
    const rows = await db.query<Row>(historyStatement({ patientUid, after, limit }), { subject })
    const { page, nextCursor } = cutPage(rows, limit, ({ changed_at, grant_id }) =>
      cursorOf({ at: instantFrom(changed_at, 6), grantId: grant_id }),
    )
    return { code: 'Ok' as const, message: MESSAGE, data: page.map(changeFrom), nextCursor }
  }
}

function changeFrom(row: Row): GrantChange {
  return {
    doctorId: row.doctor_id,
    action: row.action,
    ...termsFrom(row),
    by: row.changed_by,
    at: instantFrom(row.changed_at, 6),
  }
}

function historyStatement({
  patientUid,
  after,
  limit,
}: {
  patientUid: string
  after: Position
  limit: number
}) {
  return {
    name: 'grant-history',
    text: `
      select doctor_id, grant_id, action, permission, reading_types, valid_until::text as valid_until, shared_as, contact, changed_by,
        changed_at::text as changed_at
      from casesheet.grant_changes
      where patient_uid = $1
        and (changed_at, grant_id) < ($2::timestamptz, $3::uuid)
      order by changed_at desc, grant_id desc
      limit $4::integer + 1`,
    values: [patientUid, after.at, after.grantId, limit],
  }
}
