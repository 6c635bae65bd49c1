// GET readings/get: a patient's readings between two times, both included. With `limit` a page and a cursor; without it
// the whole range, however long, streamed page by page in bounded memory. The row of the
// access log that says who read a page is committed before any byte of it leaves.
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { IsGone } from '../../../db/batch.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../../http/pages.ts'
import { Refusal } from '../../../refusal.ts'
import { MAY_NOT_READ } from '../access.ts'
import { AccessReason } from '../access-log/access-reason.ts'
import { EpochTime, microsecondsOf } from '../epoch-time.ts'
import { LimitedTo, limitedToHeader } from '../grants/limited-to.ts'
import type { Reader } from '../reader.ts'
import { PatientUid, ReadingType } from '../reading.ts'
import { CSV_HEAD, printCsvRow } from './print-csv.ts'
import { cursorOf, positionOf, type Range } from './range.ts'
import type { Page, ReadPage } from './read-page.ts'
import { type Format, READINGS_MESSAGE } from './reading-formats.ts'
import { EXAMPLE_CURSOR, STORED_HEART_RATE, STORED_SYMPTOM } from './stored-examples.ts'

// About 64 KiB of answer when readings are small, which is what the driver reads from its socket at a time.
const STREAMED_PAGE = 250

/** Of every operation that reads readings. */
export const withdrawnParameter = Type.Optional(
  Type.Enum(['include'], {
    description:
      'Show withdrawn readings too, each with `withdrawn`: when, by whom, why that was allowed (`allowedAs`) and why ' +
      '(`reason`), and in `corrections` its last ten withdrawals and restorations. They are left out by default.',
    ...exampleBeside('include'),
  }),
)

export const GetQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    from: Type.Optional(EpochTime(1_761_955_200)),
    to: Type.Optional(EpochTime(1_762_041_600)),
    readingType: Type.Optional(
      Type.Array(ReadingType, {
        maxItems: 50,
        description: 'Only readings of this type; may be repeated.',
        ...exampleBeside(['symptom', 'heartRate']),
      }),
    ),
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], {
        description: 'Oldest first (asc, the default) or newest first.',
        ...exampleBeside('asc'),
      }),
    ),
    limit: limitParameter({
      description:
        'Maximum number of readings per page. A page takes at most about 1 MiB, so it holds fewer large readings. Without ' +
        'limit, the whole range is streamed.',
    }),
    withdrawn: withdrawnParameter,
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)
export type GetQuery = Static<typeof GetQuery>

export const StoredReading = Type.Object(
  {
    patientUid: Type.String(),
    readingType: Type.String(),
    timestamp: Type.Number({ description: 'The number exactly as it was sent.' }),
    readingId: Type.String({ format: 'uuid', description: 'Derived from the content of the reading.' }),
    measuredAt: Type.String({
      format: 'date-time',
      description: 'The instant of timestamp, in UTC.',
    }),
    receivedAt: Type.String({ format: 'date-time' }),
  },
  {
    $id: 'StoredReading',
    additionalProperties: true,
    description: 'The reading as it was sent, and three fields that the service adds.',
  },
)

const GetAnswer = Type.Object({
  code: Type.Literal('Ok'),
  message: Type.String(),
  data: Type.Array(Type.Unsafe({ $ref: 'StoredReading#' })),
  nextCursor: NextCursor,
  limitedTo: LimitedTo,
})

export const getContract = {
  tags: ['casesheet'],
  operationId: 'getReadings',
  summary: 'Fetch readings of the patient',
  description:
    'Both ends of the range are inclusive and optional. patientUid is optional if the token names exactly one patient. ' +
    'Every read is recorded in the access log before it is answered. `Accept` selects JSON (the default), CSV or ' +
    'newline-delimited JSON.',
  querystring: GetQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: {
      description: 'The readings in order of time.',
      headers: {
        'content-disposition': Type.String({
          description: 'A file name; for CSV and newline-delimited JSON only.',
        }),
        link: Type.String({
          description: 'rel="next": the next page of CSV or newline-delimited JSON, if any.',
        }),
        ...limitedToHeader,
        'x-next-cursor': Type.String({ description: 'The cursor of that page.' }),
      },
      // Sent as bytes or as a stream, made of the stored texts.
      content: {
        'application/json': {
          schema: Type.Unsafe<Buffer | Readable>(GetAnswer),
          examples: {
            range: {
              summary: 'A whole range',
              value: exampleAnswer([STORED_SYMPTOM, STORED_HEART_RATE], null),
            },
            page: {
              summary: 'A page, with limit',
              value: exampleAnswer([STORED_SYMPTOM], EXAMPLE_CURSOR),
            },
          },
        },
        'text/csv': {
          schema: Type.Unsafe<Buffer | Readable>(Type.String()),
          example: CSV_HEAD + printCsvRow(STORED_SYMPTOM) + printCsvRow(STORED_HEART_RATE),
        },
        'application/x-ndjson': {
          schema: Type.Unsafe<Buffer | Readable>(Type.String()),
          example: `${JSON.stringify(STORED_SYMPTOM)}\n${JSON.stringify(STORED_HEART_RATE)}\n`,
        },
      },
    },
    ...errorAnswers(
      () => checkFor(GetQuery)({ limit: 0 }),
      'InvalidRange',
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

type PrintedPage = Pick<Page, 'next' | 'at' | 'isLarge'> & { isEmpty: boolean; bytes: Buffer }

/** The body is a stream unless one page is all there is or all that was asked for. */
export type Obtained = { body: Buffer | Readable; nextCursor: string | null }

export async function getReadings(
  readPage: ReadPage,
  query: GetQuery & { patientUid: string },
  { reader, isGone, format }: { reader: Reader; isGone: IsGone; format: Format },
): Promise<Obtained> {
  const range = rangeOf(query)
  const { print, begin, between, end } = format
  const isStreamed = query.limit === undefined
  const page = {
    reader,
    size: query.limit ?? STREAMED_PAGE,
    maxBytes: isStreamed ? format.maxStreamedBytes : format.maxPageBytes,
    costOfByte: format.costOfByte,
  }
  const first = await readPage({ ...page, range, page: 0, beganAt: null, isLarge: false }, isGone)
  if (!isStreamed || first.next === null) {
    const nextCursor = first.next && cursorOf(first.next, range)
    const around = { before: begin, after: end(nextCursor, reader) }
    return { body: print(first.listed, range.patientUid, around), nextCursor }
  }
  return { body: Readable.from(streamFrom(printed(first, begin))), nextCursor: null }

  /** Only its bytes are held until the reader takes them: the text that they were made of is as large. */
  function printed({ listed, next, at, isLarge }: Page, before: string): PrintedPage {
    const bytes = print(listed, range.patientUid, { before, after: '' })
    return { next, at, isLarge, isEmpty: listed.count === 0, bytes }
  }

  async function* streamFrom({ bytes, next, at: beganAt, isLarge: isFirstLarge }: PrintedPage) {
    yield bytes
    let after = next
    let isLarge = isFirstLarge
    for (let number = 1; after !== null; number++) {
      const request = { ...page, range: { ...range, after }, page: number, beganAt, isLarge }
      const more = printed(await readPage(request, isGone), between)
      if (!more.isEmpty) yield more.bytes
      after = more.next
      isLarge = more.isLarge
    }
    const last = end(null, reader)
    if (last !== '') yield Buffer.from(last)
  }
}

export function rangeOf({
  patientUid,
  from,
  to,
  readingType,
  order = 'asc',
  withdrawn,
  cursor,
}: GetQuery & { patientUid: string }): Range {
  if (from !== undefined && to !== undefined && microsecondsOf(from) > microsecondsOf(to)) {
    throw new Refusal('InvalidRange', 'from must not be after to.')
  }
  const readingTypes = readingType ? [...new Set(readingType)] : null
  const range = {
    patientUid,
    from,
    to,
    order,
    readingTypes,
    withdrawn: withdrawn === 'include' ? ('shown' as const) : ('left-out' as const),
  }
  return { ...range, after: positionOf(cursor, range) }
}

function exampleAnswer(data: object[], nextCursor: string | null) {
  return { code: 'Ok', message: READINGS_MESSAGE, data, nextCursor }
}
