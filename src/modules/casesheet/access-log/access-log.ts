// GET readings/access-log: who has read and who has corrected a patient's readings, newest first. One entry for each answer: the pages of a
// streamed range bear the time at which it began, and are shown as one. Reading the log is a read like any other and leaves
// a row too, also with the token of the patient: a carer or a thief may hold it.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../../http/pages.ts'
import { MAY_NOT_READ } from '../access.ts'
import { LimitedTo } from '../grants/limited-to.ts'
import type { Reader } from '../reader.ts'
import { PatientUid } from '../reading.ts'
import { Access, countReads } from './access-entry.ts'
import { AccessReason } from './access-reason.ts'
import { accessCursorOf, accessPositionOf, findAccesses, NEWEST } from './find-accesses.ts'

const DEFAULT_LIMIT = 100

const EXAMPLE = {
  at: '2025-11-02T08:15:30.125460Z',
  readBy: 'dr-willow',
  allowedAs: 'staff',
  operation: 'readings/get',
  from: '2025-11-01T00:00:00.000Z',
  to: null,
  readingTypes: ['symptom'],
  readingsCount: 12,
  requestId: '6f1c1c1e-0d5e-4c55-8d3c-0f5d6b1f0a11',
}
const EXAMPLE_CURSOR = accessCursorOf({ ...EXAMPLE, digest: '5d41402abc4b2a76b9719d911017c592' })

const AccessLogQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    limit: limitParameter({
      description: 'Maximum number of entries per page. A page of large entries holds fewer.',
      default: DEFAULT_LIMIT,
    }),
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)
type AccessLogQuery = Static<typeof AccessLogQuery>

const MESSAGE = 'Access log obtained successfully.'

const AccessLogAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe<Access>({ $ref: 'Access#' })),
    nextCursor: NextCursor,
    limitedTo: LimitedTo,
  },
  {
    additionalProperties: false,
    description: 'Reads, newest first.',
    'x-examples': {
      last: { summary: 'All entries, or the last page', value: exampleAnswer(null) },
      page: { summary: 'A page with more to follow', value: exampleAnswer(EXAMPLE_CURSOR) },
    },
  },
)

function exampleAnswer(nextCursor: string | null) {
  return { code: 'Ok', message: MESSAGE, data: [EXAMPLE], nextCursor }
}

export const accessLogContract = {
  tags: ['casesheet'],
  operationId: 'readAccessLog',
  summary: 'See who has read or corrected the readings of the patient',
  description:
    'For the patient, for doctors with whom the patient shares (their own reads only, where not all types are shared), and for ' +
    'staff. One entry per answer, newest first. Reading the log adds an entry too, which later ' +
    'answers include. An entry of readings/withdraw or readings/restore says in `correction` which reading it has changed. patientUid is optional if the token names exactly one patient.',
  querystring: AccessLogQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: AccessLogAnswer,
    ...errorAnswers(
      () => checkFor(AccessLogQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

type Asked = AccessLogQuery & { patientUid: string }

export function createReadAccessLog(db: Db) {
  const reads = countReads(db.metrics, 'readings/access-log')
  return async (
    { patientUid, limit = DEFAULT_LIMIT, cursor }: Asked,
    reader: Reader,
  ): Promise<Static<typeof AccessLogAnswer>> => {
    const after = accessPositionOf(cursor) ?? NEWEST
    const { entries: data, next } = await findAccesses(db, { patientUid, after, limit, reader })
    reads.rows++
    const nextCursor = next && accessCursorOf(next)
    const { limitedTo } = reader
    return { code: 'Ok', message: MESSAGE, data, nextCursor, ...(limitedTo !== null && { limitedTo }) }
  }
}
