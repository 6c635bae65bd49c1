// POST endpoints/replay: an endpoint gets changes once more, from a time on or from the beginning. Positions are transaction ids; marks
// say which of them had ended at which time.
import { type Static, Type } from 'typebox'
import type { Queries } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { refuseFields } from '../../../refusal.ts'
import { INSTANT_FORM, instantIn } from '../../casesheet/grants/valid-until.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
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

const BEGINNING = 'beginning'
const SINCE = 'a time that has passed as RFC 3339 writes it, such as 2026-11-17T00:00:00Z, or beginning'
const MESSAGE = 'The endpoint gets the changes again.'

const EXAMPLE = { endpointId: EXAMPLE_ENDPOINT.endpointId, since: '2026-11-17T00:00:00Z' }

const ReplayBody = Type.Object(
  {
    endpointId: EndpointId,
    since: Type.String({
      pattern: `${INSTANT_FORM}|^${BEGINNING}$`,
      description:
        'Changes that were committed since then are sent again, and maybe some before; beginning: all that is stored.',
      examples: [EXAMPLE.since],
      'x-mustBe': SINCE,
    }),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type ReplayBody = Static<typeof ReplayBody>

export const replayEndpointContract = {
  tags: ['webhooks'],
  operationId: 'replayEndpoint',
  summary: 'Send changes to an endpoint again',
  description:
    'Sets its place in the sequence of changes back, never forward, and tries at once. Events of alerts that it was told since then come again too. Messages of a replay have other ids than those ' +
    'before, so that receivers do not take them for repetitions. A paused endpoint stays paused.',
  body: ReplayBody,
  response: {
    200: endpointAnswer(MESSAGE, { ...EXAMPLE_ENDPOINT, replays: 1 }),
    ...errorAnswers(
      () => checkFor(ReplayBody)({ ...EXAMPLE, since: 'yesterday' }),
      ...MAY_NOT_CHANGE,
      'EndpointNotFound',
    ),
  },
}

export function createReplayEndpoint(db: Queries, now: () => number) {
  return async ({ endpointId, since }: ReplayBody, subject: string) => {
    const values = [endpointId, mustBePast(since, now())]
    const statement = { name: 'replay-endpoint', text: REPLAY_ENDPOINT, values }
    const rows = await db.query<EndpointRow>(statement, { subject })
    return { code: 'Ok' as const, message: MESSAGE, endpoint: mustBeEndpoint(rows) }
  }
}

function mustBePast(since: string, now: number): string {
  if (since === BEGINNING) return '-infinity'
  const instant = instantIn(since)
  if (instant === undefined || instant > now)
    throw refuseFields([{ pointer: '/since', message: `must be ${SINCE}` }])
  return new Date(instant).toISOString()
}

// The follower first, as in every statement that changes both. A follower of an ended generation begins anew anyway.
const REPLAY_ENDPOINT = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), mark as materialized (
    select generation, coalesce(
      (
        select feed_marks.xid
        from casesheet.feed_marks
        where feed_marks.generation = feed.generation
          and feed_marks.at <= $2::timestamptz
        order by feed_marks.at desc
        limit 1
      ),
      '0'
    ) as xid
    from casesheet.feed
  ), set_back as (
    update casesheet.followers
    set xid = mark.xid, id = '${LOWEST_ID}'
    from mark
    where followers.name = '${FOLLOWER_PREFIX}' || $1::uuid
      and followers.generation = mark.generation
      and (followers.xid, followers.id) > (mark.xid, '${LOWEST_ID}'::uuid)
    returning 1
  ), changed as (
    update webhooks.endpoints
    set replays = replays + 1,
      page_xid = null,
      page_id = null,
      failures = 0,
      failing_since = null,
      next_attempt_at = '-infinity'
    from durable
    where endpoint_id = $1
      and (select count(*) from set_back) >= 0
    returning ${STORED_COLUMNS}
  ), told_again as (
    -- What was written since then became what it is since then.
    update casesheet.alert_deliveries
    set state = 'waiting', at = now(), is_pending = true, message_id = null
    from changed
    where alert_deliveries.endpoint_id = changed.endpoint_id
      and alert_deliveries.at >= $2
  )
  select ${ENDPOINT_COLUMNS}
  from ${withFollower('changed')}`
