// GET patients/list: who shares readings with the calling doctor, in the order of the names under which they do. It reads no
// readings, so it leaves no row in the access log.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
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
import { instantFrom } from '../epoch-time.ts'
import { PatientUid } from '../reading.ts'
import { EXAMPLE_GRANT, TERMS, type TermsRow, termsFrom } from './grant.ts'
import { MAX_PAGE } from './list-grants.ts'

/** The place of a patient in the list of a doctor. */
type Place = { listKey: string; patientUid: string }

const FIRST: Place = { listKey: '', patientUid: '' }

const { cursorOf, positionOf } = createCursors<Place>({
  form: 'json',
  partsOf: ({ listKey, patientUid }) => [listKey, patientUid],
  positionFrom: ([listKey = '', patientUid = '']) =>
    isStorable(listKey) && isStorable(patientUid) ? { listKey, patientUid } : undefined,
})

export const SharingPatient = Type.Object(
  {
    patientUid: PatientUid,
    ...TERMS,
    sharedSince: Type.String({
      format: 'date-time',
      description: 'When the patient began to share, in UTC.',
    }),
  },
  {
    $id: 'SharingPatient',
    additionalProperties: false,
    description: 'A patient who shares readings with the doctor.',
  },
)
type SharingPatient = Static<typeof SharingPatient>

const { patientUid, permission, readingTypes, validUntil, sharedAs, contact, changedAt } = EXAMPLE_GRANT
const EXAMPLE = {
  patientUid,
  permission,
  readingTypes,
  validUntil,
  sharedAs,
  contact,
  sharedSince: changedAt,
}
const MESSAGE = 'Patients obtained successfully.'

const PatientsQuery = Type.Object(
  {
    limit: limitParameter({
      description: 'Maximum number of patients per page.',
      default: MAX_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(cursorOf({ listKey: 'mia example, born 2017', patientUid })),
  },
  { additionalProperties: false },
)

export const listPatientsContract = {
  tags: ['casesheet'],
  operationId: 'listPatients',
  summary: 'List the patients who share readings with the doctor',
  description:
    'For a doctor: the token names a doctorId. Ordered by sharedAs, or by the id where there is none, ignoring case and accents. ' +
    'Grants that were revoked or have expired are left out.',
  querystring: PatientsQuery,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<SharingPatient>({ $ref: 'SharingPatient#' })),
        nextCursor: NextCursor,
      },
      {
        additionalProperties: false,
        description: 'Patients, in the order of their names.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(PatientsQuery)({ limit: 0 }),
      'InvalidCursor',
      'NotADoctor',
      'ScopeMissing',
    ),
  },
}

type Row = TermsRow & { patient_uid: string; list_key: string; given_at: string }

type Asked = Static<typeof PatientsQuery> & { doctorId: string }

export function createListPatients(db: Db) {
  return async ({ doctorId, limit = MAX_PAGE, cursor }: Asked, subject: string) => {
    const after = positionOf(cursor) ?? FIRST
    const statement = { ...listPatientsStatement({ doctorId, after, limit }), behind: DURABLE }
    const rows = await db.query<Row>(statement, { subject })
    const cursorAfter = (row: Row) => cursorOf({ listKey: row.list_key, patientUid: row.patient_uid })
    const { page, nextCursor } = cutPage(rows, limit, cursorAfter)
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data: page.map(patientFrom),
      nextCursor,
    }
  }
}

function patientFrom(row: Row): SharingPatient {
  return { patientUid: row.patient_uid, ...termsFrom(row), sharedSince: instantFrom(row.given_at, 6) }
}

function listPatientsStatement({
  doctorId,
  after,
  limit,
}: {
  doctorId: string
  after: Place
  limit: number
}): Statement {
  return {
    name: 'list-patients',
    text: `
      select patient_uid, list_key, permission, reading_types, valid_until::text as valid_until, shared_as, contact,
        given_at::text as given_at
      from casesheet.grants
      where doctor_id = $1
        and state = 'given'
        and valid_until > now()
        and (list_key, patient_uid) > ($2, $3)
      order by list_key, patient_uid
      limit $4::integer + 1`,
    values: [doctorId, after.listKey, after.patientUid, limit],
  }
}
