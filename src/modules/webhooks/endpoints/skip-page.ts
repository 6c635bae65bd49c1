// POST endpoints/skip: passes the page that a receiver keeps refusing, so that it gets what comes behind. Only a page whose last attempt
// failed is passed, so a request that is repeated passes no second one.
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import {
  ENDPOINT_COLUMNS,
  EndpointNamed,
  type EndpointRow,
  EXAMPLE_ENDPOINT,
  FOLLOWER_PREFIX,
  MAY_NOT_CHANGE,
  mustBeEndpoint,
  STORED_COLUMNS,
  withFollower,
} from './endpoint.ts'
import { endpointAnswer } from './pause-endpoint.ts'

const SKIPPED = 'The page was skipped.'
const NOT_SKIPPED = 'Nothing was skipped: the last attempt did not fail.'

export const skipPageContract = {
  tags: ['webhooks'],
  operationId: 'skipPage',
  summary: 'Pass a page that an endpoint keeps refusing',
  description:
    'The endpoint is not sent the page whose last attempt failed, and gets what comes behind it at once. attempts/list says who skipped ' +
    'which positions. Where the last attempt did not fail, nothing is skipped. endpoints/replay sends the page again.',
  body: EndpointNamed,
  response: {
    200: endpointAnswer(SKIPPED, EXAMPLE_ENDPOINT),
    ...errorAnswers(checkFor(EndpointNamed)({ endpointId: '1' }), ...MAY_NOT_CHANGE, 'EndpointNotFound'),
  },
}

export type SkippedRow = EndpointRow & { is_skipped: boolean }

export function createSkipPage(db: Db) {
  return async ({ endpointId }: EndpointNamed, subject: string) =>
    skipAnswer(await db.query<SkippedRow>(skipStatement(endpointId, subject), { subject }))
}

export function skipAnswer(rows: SkippedRow[]) {
  const endpoint = mustBeEndpoint(rows)
  return { code: 'Ok' as const, message: rows[0]?.is_skipped ? SKIPPED : NOT_SKIPPED, endpoint }
}

export function skipStatement(endpointId: string, skippedBy: string) {
  return { name: 'skip-page', text: SKIP_PAGE, values: [endpointId, skippedBy] }
}

// The follower first, as in every statement that changes both. A message of a new generation has no page.
const SKIP_PAGE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), failing as materialized (
    select name, followers.generation, xid, id, feed.generation as to_generation,
      case when feed.generation = followers.generation then page_xid else '0' end as to_xid,
      case when feed.generation = followers.generation then page_id else '${LOWEST_ID}' end as to_id
    from webhooks.endpoints
    join casesheet.followers on name = '${FOLLOWER_PREFIX}' || endpoint_id
    cross join casesheet.feed
    where endpoint_id = $1::uuid
      and failures > 0
      and (page_xid is not null or feed.generation <> followers.generation)
  ), moved as (
    update casesheet.followers
    set generation = to_generation, xid = to_xid, id = to_id
    from failing, durable
    where followers.name = failing.name
      and (followers.generation, followers.xid, followers.id) = (failing.generation, failing.xid, failing.id)
    returning 1
  ), changed as (
    update webhooks.endpoints
    set page_xid = null,
      page_id = null,
      failures = 0,
      failing_since = null,
      next_attempt_at = '-infinity'
    where endpoint_id = $1
      and exists (select from moved)
    returning ${STORED_COLUMNS}
  ), noted as (
    insert into webhooks.attempts
      (at, endpoint_id, event, status, error, attempts, changes, bytes, longest_ms, last_message_id, skipped_by,
        skipped_after, skipped_up_to)
    select now(), $1, coalesce(last.event, ''), 0, 'skipped', 0, 0, 0, 0, coalesce(last.last_message_id, ''), $2::text,
      xid || '.' || id, to_xid || '.' || to_id
    from failing
    left join lateral (
      select event, last_message_id
      from webhooks.attempts
      where endpoint_id = $1
        and error not in ('', 'skipped')
        and event <> 'endpoint.test'
      order by at desc
      limit 1
    ) as last on true
    where exists (select from moved)
  )
  select is_skipped, ${ENDPOINT_COLUMNS}
  from ${withFollower(`(
    select true as is_skipped, endpoints.*
    from changed as endpoints
    union all
    select false, ${STORED_COLUMNS}
    from webhooks.endpoints
    where endpoint_id = $1
      and not exists (select from changed)
  )`)}`
