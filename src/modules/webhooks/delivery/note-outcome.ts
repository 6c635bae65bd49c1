// What became of a message, stored: the position moves only when it was delivered, and only from where the message began.
import type { Db } from '../../../db/db.ts'
import { advance } from '../../feed/followers/advance.ts'
import { noteAttempt, resultOf } from '../attempts/attempt.ts'
import type { Held, Message } from './next-message.ts'
import { delayAfter } from './schedule.ts'
import type { SignedAttempt } from './send-signed.ts'

export type Outcome =
  /** `isMoved`: false if another process, or a replay, has moved the endpoint meanwhile. */
  | { kind: 'delivered'; isMoved: boolean }
  | { kind: 'failed'; error: string; delayMs: number }
  | { kind: 'paused' }

export type Sent = {
  message: Message
  messageId: string
  attempt: SignedAttempt
  maxDelayMs: number | undefined
}

const GONE = 410

export async function noteOutcome(db: Db, held: Held, sent: Sent): Promise<Outcome> {
  const { message, attempt } = sent
  const result = resultOf(attempt)
  const noted = [
    message.event,
    result.status,
    result.error,
    message.changes,
    Buffer.byteLength(message.body),
    result.durationMs,
    sent.messageId,
  ]
  const ofEndpoint = [held.name, held.processId, held.endpointId, message.replays]
  const { from, to } = message
  const begun = [...ofEndpoint, ...noted, from.generation, from.xid, from.id]
  if (result.error === '') {
    const values = [...begun, to.generation, to.xid, to.id]
    const rows = await db.query(
      {
        name: 'webhook-delivered',
        text: DELIVERED,
        values: [...values, message.hasMore ? null : message.readAt],
      },
      { on: 'follow' },
    )
    return { kind: 'delivered', isMoved: rows.length > 0 }
  }
  const retryAfterMs = attempt.kind === 'answered' ? attempt.retryAfterMs : undefined
  const delayMs = delayAfter(message.failures + 1, { retryAfterMs, maxMs: sent.maxDelayMs })
  const isGone = result.status === GONE
  await db.query(
    { name: 'webhook-failed', text: FAILED, values: [...begun, delayMs, isGone] },
    { on: 'follow' },
  )
  return isGone ? { kind: 'paused' } : { kind: 'failed', error: result.error, delayMs }
}

/** SQL: the attempt, where the statement before it has found the endpoint. */
const noteIf = (condition: string) =>
  noteAttempt(`
    select $3::uuid, $5::text, $6::integer, $7::text, $8::bigint, $9::bigint, $10::integer, $11::text
    where exists (select from ${condition})`)

// A replay may have gone back to where the message began: then the position says nothing, and what was in flight comes again.
const DELIVERED = `
  with advanced as (${advance({
    name: '$1',
    processId: '$2::uuid',
    from: { generation: '$12::uuid', xid: '$13::xid8', id: '$14::uuid' },
    to: { generation: '$15::uuid', xid: '$16::xid8', id: '$17::uuid' },
    caughtUpAt: '$18::timestamptz',
    if: 'exists (select from webhooks.endpoints where endpoint_id = $3::uuid and replays = $4::integer)',
  })}
  ), ended as (
    update webhooks.endpoints
    set page_xid = null,
      page_id = null,
      has_succeeded = true,
      failures = 0,
      failing_since = null,
      next_attempt_at = '-infinity'
    where endpoint_id = $3::uuid
      and replays = $4::integer
      and exists (select from advanced)
  ), noted as (
    ${noteIf('advanced')}
  )
  select name
  from advanced`

// The page may have been skipped meanwhile: what comes behind it has not failed. The lock waits for a skip that is about to commit.
const FAILED = `
  with begun as materialized (
    select
    from casesheet.followers
    where name = $1
      and held_by = $2::uuid
      and (generation, xid, id) = ($12::uuid, $13::xid8, $14::uuid)
    for no key update
  ), failed as (
    update webhooks.endpoints
    set has_succeeded = false,
      failures = failures + 1,
      failed_message_id = $11::text,
      failing_since = coalesce(failing_since, now()),
      next_attempt_at = now() + $15::integer * interval '1 millisecond',
      state = case when $16::boolean then 'paused' else state end,
      paused_because = case when $16 then 'gone' else paused_because end
    where endpoint_id = $3::uuid
      and replays = $4::integer
      and exists (select from begun)
    returning endpoint_id
  )
  ${noteIf('failed')}`
