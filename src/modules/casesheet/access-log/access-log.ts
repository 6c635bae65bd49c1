// GET readings/access-log: who has read a patient's readings, newest first. One entry for each answer: the pages of a
// streamed range bear the time at which it began, and are shown as one. Reading the log is a read like any other and leaves
// a row too, whoever does it: the token of a patient may be in the hands of a carer, or of a thief.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../../http/answers/paging.ts'
import { checkFor } from '../../../http/json/validation.ts'
import type { Reader } from '../get/read-page.ts'
import { PatientUid } from '../reading.ts'
import { accessCursorOf, accessPositionOf, NEWEST } from './access-cursor.ts'
import { countReads } from './count-reads.ts'
import { findAccesses } from './find-accesses.ts'

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
      description: 'Maximum number of entries. A page of large ones may hold fewer.',
      default: DEFAULT_LIMIT,
    }),
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)
type AccessLogQuery = Static<typeof AccessLogQuery>

const instantOrOpen = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

export const Access = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the answer began, in UTC.' }),
    readBy: Type.String({ description: 'The subject of the token.' }),
    allowedAs: Type.Enum(['patient', 'staff', 'operator'], {
      type: 'string',
      description:
        'Why it was allowed: the token names the patient, or has the scope of staff; or it was an export by an operator of ' +
        'the service.',
    }),
    operation: Type.String({ description: 'What was asked, such as readings/get.' }),
    from: instantOrOpen('The start of the range; null where it was open.'),
    to: instantOrOpen('The end of the range; null where it was open.'),
    readingTypes: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The types asked for; null for all.',
    }),
    readingsCount: Type.Integer({
      minimum: 0,
      description:
        'How many readings were sent, so far where the answer is still on its way. A page that had to be read again ' +
        'while the database was away counts twice.',
    }),
    requestId: Type.String({ description: 'The x-request-id of the answer.' }),
  },
  { $id: 'Access', additionalProperties: false, description: 'One read of a patient, by anyone.' },
)
export type Access = Static<typeof Access>

const MESSAGE = 'Access log obtained successfully.'

const AccessLogAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe<Access>({ $ref: 'Access#' })),
    nextCursor: NextCursor,
  },
  {
    additionalProperties: false,
    description: 'Reads, newest first.',
    'x-examples': {
      last: { summary: 'All there is, or the last page', value: exampleAnswer(null) },
      page: { summary: 'A page, and more to come', value: exampleAnswer(EXAMPLE_CURSOR) },
    },
  },
)

function exampleAnswer(nextCursor: string | null) {
  return { code: 'Ok', message: MESSAGE, data: [EXAMPLE], nextCursor }
}

export const accessLogContract = {
  tags: ['casesheet'],
  operationId: 'readAccessLog',
  summary: 'See who has read the readings of the patient',
  description:
    'For the patient and for staff. One entry for each answer that went out, newest first. Reading the log leaves an entry ' +
    'of its own, which later answers show. patientUid may be left out when the token names exactly one patient.',
  querystring: AccessLogQuery,
  response: {
    200: AccessLogAnswer,
    ...errorAnswers(
      checkFor(AccessLogQuery)({ limit: 0 }),
      'InvalidCursor',
      'PatientMismatch',
      'PatientNotInToken',
      'ScopeMissing',
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
    const after = cursor === undefined ? NEWEST : accessPositionOf(cursor)
    const { entries: data, next } = await findAccesses(db, { patientUid, after, limit, reader })
    reads.rows++
    const nextCursor = next && accessCursorOf(next)
    return { code: 'Ok', message: MESSAGE, data, nextCursor }
  }
}
