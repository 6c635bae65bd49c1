// GET endpoints/list: all endpoints, in the order in which they were added.
import { type Static, Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { createCursors, cursorParameter, limitParameter, NextCursor } from '../../../http/pages.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import {
  ENDPOINT_COLUMNS,
  EndpointOfAnswer,
  type EndpointRow,
  EXAMPLE_ENDPOINT,
  endpointFrom,
  withFollower,
} from './endpoint.ts'

const MAX_PAGE = 100
/** A thousand ids of patients may take 512 KB: a page ends behind the endpoint that goes beyond this. */
const MAX_PATIENT_BYTES = 524_288

type Position = { addedAt: string; endpointId: string }

const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'json',
  partsOf: ({ addedAt, endpointId }) => [addedAt, endpointId],
  positionFrom: ([addedAt = '', endpointId = '']) =>
    INSTANT.test(addedAt) && Date.parse(addedAt) > 0 && UUID_FORM.test(endpointId)
      ? { addedAt, endpointId }
      : undefined,
})

const EXAMPLE_CURSOR = cursorOf({
  addedAt: '2026-11-17 08:15:30.125+00',
  endpointId: EXAMPLE_ENDPOINT.endpointId,
})
const MESSAGE = 'Endpoints obtained successfully.'

const EndpointsQuery = Type.Object(
  {
    limit: limitParameter({
      description: 'Maximum number of endpoints per page.',
      default: MAX_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)

export const listEndpointsContract = {
  tags: ['webhooks'],
  operationId: 'listEndpoints',
  summary: 'Get the endpoints of webhooks',
  description:
    'All of them, in the order in which they were added, without their secrets. A page may have fewer than asked for, where endpoints ' +
    'name many patients.',
  querystring: EndpointsQuery,
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(EndpointOfAnswer),
        nextCursor: NextCursor,
      },
      {
        additionalProperties: false,
        description: 'Endpoints, in the order in which they were added.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_ENDPOINT], nextCursor: null }],
      },
    ),
    ...errorAnswers(() => checkFor(EndpointsQuery)({ limit: 0 }), 'InvalidCursor', 'ScopeMissing'),
  },
}

export function createListEndpoints(db: Queries) {
  return async (query: Static<typeof EndpointsQuery>, subject: string) => {
    const rows = await db.query<ListedRow>(listStatement(query), { subject })
    const last = rows.at(-1)
    const nextCursor = last?.has_more
      ? cursorOf({ addedAt: last.added_at, endpointId: last.endpoint_id })
      : null
    return { code: 'Ok' as const, message: MESSAGE, data: rows.map(endpointFrom), nextCursor }
  }
}

type ListedRow = EndpointRow & { has_more: boolean }

function listStatement({ limit = MAX_PAGE, cursor }: Static<typeof EndpointsQuery>) {
  const after = positionOf(cursor)
  return {
    name: 'list-endpoints',
    text: LIST_ENDPOINTS,
    values: [after?.addedAt ?? '-infinity', after?.endpointId ?? null, limit],
  }
}

const LIST_ENDPOINTS = `
  with found as materialized (
    select ${ENDPOINT_COLUMNS}, endpoints.added_at as at
    from ${withFollower('webhooks.endpoints')}
    where endpoints.added_at > $1::timestamptz
      or (endpoints.added_at = $1 and endpoints.endpoint_id > $2::uuid)
    order by endpoints.added_at, endpoints.endpoint_id
    limit $3::integer + 1
  ), measured as (
    select found.*,
      row_number() over in_order as number,
      lead(endpoint_id) over in_order is not null as has_more,
      coalesce(
        sum(octet_length(patient_uids::text)) over (in_order rows between unbounded preceding and 1 preceding), 0
      ) as bytes_before
    from found
    window in_order as (order by at, endpoint_id)
  )
  select measured.*
  from measured
  where number <= $3
    and bytes_before < ${MAX_PATIENT_BYTES}
  order by number`
