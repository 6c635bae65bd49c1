// POST endpoints/skip: passes the page that a receiver keeps refusing, so that it gets what comes behind. The page is named by the message
// of its last attempt, so a request that is repeated passes no second one.
import { type Static, Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { EXAMPLE_ATTEMPT } from '../attempts/attempt.ts'
import {
  ENDPOINT_COLUMNS,
  EndpointId,
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
const NOT_SKIPPED = 'Nothing was skipped: the last attempt did not fail, or was of another message.'

const EXAMPLE = { endpointId: EXAMPLE_ENDPOINT.endpointId, messageId: EXAMPLE_ATTEMPT.lastMessageId }

const SkipBody = Type.Object(
  {
    endpointId: EndpointId,
    messageId: Type.String({
      pattern: '^msg_[A-Za-z0-9_-]{32}$',
      description: 'Id of the message that is refused: lastMessageId of the newest failure in attempts/list.',
      examples: [EXAMPLE.messageId],
      'x-mustBe': 'the lastMessageId of the newest failure, as attempts/list gives it',
    }),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type SkipBody = Static<typeof SkipBody>

export const skipPageContract = {
  tags: ['webhooks'],
  operationId: 'skipPage',
  summary: 'Pass a page that an endpoint keeps refusing',
  description:
    'The endpoint is not sent the page or the event of this message again, and gets what comes behind it at once. attempts/list says who skipped ' +
    'which positions. If the last attempt did not fail, or was of another message, nothing is skipped; a repeated request therefore skips ' +
    'no second page. endpoints/replay sends the page again.',
  body: SkipBody,
  response: {
    200: endpointAnswer(SKIPPED, EXAMPLE_ENDPOINT),
    ...errorAnswers(
      () => checkFor(SkipBody)({ ...EXAMPLE, messageId: '1' }),
      ...MAY_NOT_CHANGE,
      'EndpointNotFound',
    ),
  },
}

type SkippedRow = EndpointRow & { is_skipped: boolean }

export function createSkipPage(db: Queries) {
  return async ({ endpointId, messageId }: SkipBody, subject: string) => {
    const statement = { name: 'skip-page', text: SKIP_PAGE, values: [endpointId, subject, messageId] }
    const rows = await db.query<SkippedRow>(statement, { subject })
    const endpoint = mustBeEndpoint(rows)
    return { code: 'Ok' as const, message: rows[0]?.is_skipped ? SKIPPED : NOT_SKIPPED, endpoint }
  }
}

// The follower first, as in every statement that changes both. The event of an alert has no page: it is not sent again. The announcement of a new generation has no page, and is passed only if it
// was refused itself: after a restore it comes behind a page of the generation before.
const SKIP_PAGE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), last as materialized (
    select event
    from webhooks.attempts
    where endpoint_id = $1::uuid
      and last_message_id = $3::text
      and error not in ('', 'skipped')
    order by at desc
    limit 1
  ), refused as materialized (
    select endpoint_id
    from webhooks.endpoints
    where endpoint_id = $1
      and failures > 0
      and failed_message_id = $3
      and exists (select from casesheet.alert_deliveries where endpoint_id = $1 and is_pending and message_id = $3)
    for no key update
  ), alert as (
    update casesheet.alert_deliveries
    set is_pending = false, state = 'failed', at = now()
    from refused
    where alert_deliveries.endpoint_id = refused.endpoint_id
      and is_pending
      and message_id = $3
    returning event_id
  ), failing as materialized (
    select name, event, followers.generation, xid, id,
      case when is_announcement then feed.generation else followers.generation end as to_generation,
      case when is_announcement then '0' else page_xid end as to_xid,
      case when is_announcement then '${LOWEST_ID}' else page_id end as to_id
    from webhooks.endpoints
    join casesheet.followers on name = '${FOLLOWER_PREFIX}' || endpoint_id
    cross join casesheet.feed
    left join last on true
    cross join lateral (select event is not distinct from 'feed.reset' as is_announcement) as message
    where endpoint_id = $1
      and failures > 0
      and failed_message_id = $3
      and not exists (select from alert)
      and case when is_announcement then feed.generation <> followers.generation else page_xid is not null end
  ), moved as (
    update casesheet.followers
    set generation = to_generation, xid = to_xid, id = to_id
    from failing, durable
    where followers.name = failing.name
      and (followers.generation, followers.xid, followers.id) = (failing.generation, failing.xid, failing.id)
    returning 1
  ), changed as (
    update webhooks.endpoints
    set page_xid = case when exists (select from moved) then null else page_xid end,
      page_id = case when exists (select from moved) then null else page_id end,
      failures = 0,
      failing_since = null,
      next_attempt_at = '-infinity'
    where endpoint_id = $1
      and (exists (select from moved) or exists (select from alert))
    returning ${STORED_COLUMNS}
  ), noted as (
    insert into webhooks.attempts
      (at, endpoint_id, event, status, error, attempts, changes, bytes, longest_ms, last_message_id, skipped_by,
        skipped_after, skipped_up_to)
    select now(), $1, coalesce((select event from last), ''), 0, 'skipped', 0, 0, 0, 0, $3, $2::text, skipped_after, skipped_up_to
    from (
      select xid || '.' || id as skipped_after, to_xid || '.' || to_id as skipped_up_to
      from failing
      where exists (select from moved)
      union all
      select event_id::text, event_id::text
      from alert
    ) as skipped
  )
  select is_skipped, ${ENDPOINT_COLUMNS}
  from ${withFollower(`(
    select true as is_skipped, endpoints.*
    from changed as endpoints
    union all
    select exists (
        select from webhooks.attempts
        where endpoint_id = $1
          and last_message_id = $3
          and error = 'skipped'
      ), ${STORED_COLUMNS}
    from webhooks.endpoints
    where endpoint_id = $1
      and not exists (select from changed)
  )`)}`
