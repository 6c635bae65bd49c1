// GET grants/list: what the patient shares or has shared, one entry for each doctor.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
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
import { PatientUid } from '../reading.ts'
import { EXAMPLE_GRANT, GRANT_COLUMNS, Grant, type GrantRow, grantFrom } from './grant.ts'

/** Entries may be large: a grant names up to fifty types. */
export const MAX_PAGE = 100

const { cursorOf, positionOf } = createCursors<string>({
  form: 'json',
  partsOf: (doctorId) => [doctorId],
  positionFrom: ([doctorId]) => (doctorId && isStorable(doctorId) ? doctorId : undefined),
})

const EXAMPLE_CURSOR = cursorOf(EXAMPLE_GRANT.doctorId)
const MESSAGE = 'Grants obtained successfully.'

/** The query of a list about a patient. */
export function pageOfPatient(entries: string, exampleCursor: string) {
  return Type.Object(
    {
      patientUid: Type.Optional(PatientUid),
      limit: limitParameter({
        description: `Maximum number of ${entries} per page.`,
        default: MAX_PAGE,
        maximum: MAX_PAGE,
      }),
      cursor: cursorParameter(exampleCursor),
    },
    { additionalProperties: false },
  )
}

const GrantsQuery = pageOfPatient('grants', EXAMPLE_CURSOR)

/** What refuses a caller who asks for a patient's grants. */
export const OF_PATIENT = ['InvalidCursor', 'PatientMismatch', 'PatientNotInToken', 'ScopeMissing'] as const

export const listGrantsContract = {
  tags: ['casesheet'],
  operationId: 'listGrants',
  summary: 'See with whom the patient shares readings',
  description:
    'For the patient and carers. One grant per doctor, as it is now, ordered by doctorId: those in force, and those that were ' +
    'revoked or have expired. patientUid is optional if the token names exactly one patient.',
  querystring: GrantsQuery,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Grant>({ $ref: 'Grant#' })),
        nextCursor: NextCursor,
      },
      {
        additionalProperties: false,
        description: 'Grants, ordered by doctorId.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_GRANT], nextCursor: null }],
      },
    ),
    ...errorAnswers(() => checkFor(GrantsQuery)({ limit: 0 }), ...OF_PATIENT),
  },
}

type Asked = Static<typeof GrantsQuery> & { patientUid: string }

export function createListGrants(db: Db) {
  return async ({ patientUid, limit = MAX_PAGE, cursor }: Asked, subject: string) => {
    const after = positionOf(cursor) ?? ''
    const rows = await db.query<GrantRow>(listStatement({ patientUid, after, limit }), { subject })
    const { page, nextCursor } = cutPage(rows, limit, ({ doctor_id }) => cursorOf(doctor_id))
    return { code: 'Ok' as const, message: MESSAGE, data: page.map(grantFrom), nextCursor }
  }
}

function listStatement({ patientUid, after, limit }: { patientUid: string; after: string; limit: number }) {
  return {
    name: 'list-grants',
    text: `
      select ${GRANT_COLUMNS}
      from casesheet.grants
      where patient_uid = $1
        and doctor_id > $2
      order by doctor_id
      limit $3::integer + 1`,
    values: [patientUid, after, limit],
  }
}
