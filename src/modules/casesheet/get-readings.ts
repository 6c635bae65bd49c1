// GET readings/get: a patient's readings between two times, both included. With `limit` a page and a cursor; without it
// the whole range, however long, streamed page by page in bounded memory. Each page is one statement that also writes
// the access log, so that no byte of a reading leaves before the row that says who read it is committed.
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { IsGone } from '../../db/batch.ts'
import { errorAnswers } from '../../http/openapi.ts'
import { CursorParameter, limitParameter } from '../../http/paging.ts'
import { Refusal } from '../../refusal.ts'
import { cursorOf, positionOf } from './cursor.ts'
import { EpochTime, millisecondsOf } from './epoch-time.ts'
import type { Page, Range, Reader, ReadPage } from './read-page.ts'
import { PatientUid, ReadingType } from './reading.ts'

// About 64 KiB of answer when readings are small, which is what the driver reads from its socket at a time.
const STREAMED_PAGE = 250

export const GetQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    from: Type.Optional(EpochTime),
    to: Type.Optional(EpochTime),
    readingType: Type.Optional(
      Type.Array(ReadingType, { maxItems: 50, description: 'Only readings of this type; may be repeated.' }),
    ),
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], { description: 'Oldest first (asc, the default) or newest first.' }),
    ),
    limit: limitParameter({
      description:
        'Answer a page of at most so many, or fewer when they are large. Without it the whole range is streamed.',
    }),
    cursor: CursorParameter,
  },
  { additionalProperties: false },
)
export type GetQuery = Static<typeof GetQuery>

export const StoredReading = Type.Object(
  {
    patientUid: Type.String(),
    readingType: Type.String(),
    timestamp: Type.Number({ description: 'The very number that was sent.' }),
    readingId: Type.String({ format: 'uuid', description: 'Made from the content of the reading.' }),
    measuredAt: Type.String({
      format: 'date-time',
      description: 'The instant that timestamp means, in UTC.',
    }),
    receivedAt: Type.String({ format: 'date-time' }),
  },
  {
    $id: 'StoredReading',
    additionalProperties: true,
    description: 'The reading as it was sent, with the three fields that the service gives.',
  },
)

const GetAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'StoredReading#' })),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  },
  {
    description: 'The readings in order of time.',
    examples: [
      {
        code: 'Ok',
        message: 'Readings obtained successfully.',
        data: [
          {
            patientUid: 'patient-1',
            readingType: 'symptom',
            timestamp: 1762000000000,
            symptoms: [{ symptom: 'headache', severity: 'MODERATE' }],
            readingId: '3d1f6c2e-8b0a-8f4e-9c57-2a1b0c9d8e7f',
            measuredAt: '2025-11-01T12:26:40.000Z',
            receivedAt: '2025-11-01T12:26:41.250Z',
          },
        ],
        nextCursor: null,
      },
    ],
  },
)

export const getContract = {
  tags: ['casesheet'],
  operationId: 'getReadings',
  summary: 'Fetch readings of the patient',
  description:
    'Both ends of the range are included; either may be left out. patientUid may be left out when the token names ' +
    'exactly one patient. Every read is logged before it is answered.',
  querystring: GetQuery,
  response: {
    // Sent as text or as a stream, made of the stored texts.
    200: Type.Unsafe<string | Readable>(GetAnswer),
    ...errorAnswers(400, 403),
  },
}

const HEAD = '{"code":"Ok","message":"Readings obtained successfully.","data":['

/** The answer's JSON: a text where one page is all there is or all that was asked for, else a stream. */
export async function getReadings(
  readPage: ReadPage,
  query: GetQuery & { patientUid: string },
  { reader, isGone }: { reader: Reader; isGone: IsGone },
): Promise<string | Readable> {
  const range = rangeOf(query)
  const size = query.limit ?? STREAMED_PAGE
  const first = await readPage({ range, reader, page: 0, size }, isGone)
  if (query.limit !== undefined || first.next === null) {
    return `${HEAD}${first.readings}],"nextCursor":${JSON.stringify(first.next && cursorOf(first.next, range))}}`
  }
  return Readable.from(streamFrom(first))

  async function* streamFrom({ readings, next, size: fitting }: Page) {
    yield HEAD + readings
    let after = next
    let nextSize = fitting
    for (let page = 1; after !== null; page++) {
      const more = await readPage({ range: { ...range, after }, reader, page, size: nextSize }, isGone)
      if (more.readings !== '') yield `,${more.readings}`
      after = more.next
      nextSize = more.size
    }
    yield '],"nextCursor":null}'
  }
}

function rangeOf({
  patientUid,
  from,
  to,
  readingType,
  order = 'asc',
  cursor,
}: GetQuery & { patientUid: string }): Range {
  if (from !== undefined && to !== undefined && millisecondsOf(from) > millisecondsOf(to)) {
    throw new Refusal('InvalidRange', 'from must not be after to.')
  }
  const readingTypes = readingType ? [...new Set(readingType)] : null
  const range = { patientUid, from, to, order, readingTypes }
  return { ...range, after: cursor === undefined ? null : positionOf(cursor, range) }
}
