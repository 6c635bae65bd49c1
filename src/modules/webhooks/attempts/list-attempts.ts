// GET attempts/list: what became of the attempts to deliver to an endpoint, newest first.
import { type Static, Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
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
import { EndpointId, EXAMPLE_ENDPOINT, endpointNotFound } from '../endpoints/endpoint.ts'
import { ATTEMPT_COLUMNS, Attempt, type AttemptRow, attemptFrom, EXAMPLE_ATTEMPT } from './attempt.ts'

const MAX_PAGE = 1_000
const DEFAULT_PAGE = 100

type Position = Pick<AttemptRow, 'at' | 'event' | 'status' | 'error'>

/** As PostgreSQL prints a minute in UTC, or the time of a skip. */
const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'json',
  partsOf: ({ at, event, status, error }) => [at, event, String(status), error],
  positionFrom: ([at = '', event = '', status = '', error = '']) =>
    INSTANT.test(at) && Date.parse(at) > 0 && /^\d{1,3}$/.test(status) && isStorable(event + error)
      ? { at, event, status: Number(status), error }
      : undefined,
})

const EXAMPLE_CURSOR = cursorOf({ ...EXAMPLE_ATTEMPT, at: '2026-11-17 08:15:00+00' })
const MESSAGE = 'Attempts obtained successfully.'

const AttemptsQuery = Type.Object(
  {
    endpointId: EndpointId,
    limit: limitParameter({
      description: 'Maximum number of entries per page.',
      default: DEFAULT_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)
type AttemptsQuery = Static<typeof AttemptsQuery>

export const listAttemptsContract = {
  tags: ['webhooks'],
  operationId: 'listAttempts',
  summary: 'See what became of attempts to deliver',
  description:
    'Of one endpoint, newest first, for 30 days: one entry for each minute, event and outcome, and one for each skipped page. Messages ' +
    'themselves are not kept.',
  querystring: AttemptsQuery,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Attempt>({ $ref: 'Attempt#' })),
        nextCursor: NextCursor,
      },
      {
        additionalProperties: false,
        description: 'Attempts, newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_ATTEMPT], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(AttemptsQuery)({ endpointId: EXAMPLE_ENDPOINT.endpointId, limit: 0 }),
      'InvalidCursor',
      'ScopeMissing',
      'EndpointNotFound',
    ),
  },
}

/** A row is null throughout where there was no attempt. */
type FoundAttempt = AttemptRow | { at: null }

export function createListAttempts(db: Queries) {
  return async (query: AttemptsQuery, subject: string) => {
    const rows = await db.query<FoundAttempt>(attemptsStatement(query), { subject })
    if (rows.length === 0) throw endpointNotFound()
    const found = rows.flatMap((row) => (row.at === null ? [] : row))
    const { page, nextCursor } = cutPage(found, query.limit ?? DEFAULT_PAGE, cursorOf)
    return { code: 'Ok' as const, message: MESSAGE, data: page.map(attemptFrom), nextCursor }
  }
}

function attemptsStatement({ endpointId, limit = DEFAULT_PAGE, cursor }: AttemptsQuery) {
  const before = positionOf(cursor)
  return {
    name: 'list-attempts',
    text: LIST_ATTEMPTS,
    values: [
      endpointId,
      before?.at ?? 'infinity',
      before?.event ?? '',
      before?.status ?? 0,
      before?.error ?? '',
      limit,
    ],
  }
}

const LIST_ATTEMPTS = `
  select found.*
  from webhooks.endpoints
  left join lateral (
    select ${ATTEMPT_COLUMNS}, attempts.at as minute
    from webhooks.attempts
    where attempts.endpoint_id = $1::uuid
      and (attempts.at, attempts.event, attempts.status, attempts.error) < ($2::timestamptz, $3, $4::integer, $5)
    order by attempts.at desc, attempts.event desc, attempts.status desc, attempts.error desc
    limit $6::integer + 1
  ) as found on true
  where endpoints.endpoint_id = $1
  order by found.minute desc, found.event desc, found.status desc, found.error desc`
