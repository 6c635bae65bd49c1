// What became of a message, stored: the position moves only when it was delivered, and only from where the message began.
import type { Db } from '../../../db/db.ts'
import { advance } from '../../feed/followers/advance.ts'
import { noteAttempt, resultOf } from '../attempts/attempt.ts'
import type { AlertMessage } from './next-alert.ts'
import type { Message } from './next-message.ts'
import { delayAfter } from './schedule.ts'
import type { SignedAttempt } from './send-signed.ts'
import type { Held } from './sendable.ts'

export type Outcome =
  /** `isMoved`: false if another process, or a replay, has moved the endpoint meanwhile. */
  | { kind: 'delivered'; isMoved: boolean }
  | { kind: 'failed'; error: string; delayMs: number }
  | { kind: 'paused' }

export type Sent = {
  message: Message | AlertMessage
  messageId: string
  attempt: SignedAttempt
  maxDelayMs: number | undefined
}

const GONE = 410

export async function noteOutcome(db: Db, held: Held, sent: Sent): Promise<Outcome> {
  const { message, messageId, attempt } = sent
  const { status, error, durationMs } = resultOf(attempt)
  const { event, changes, replays } = message
  const bytes = Buffer.byteLength(message.body)
  const noted = [event, status, error, changes, bytes, durationMs, messageId]
  const of = [held.name, held.processId, held.endpointId, replays, ...noted, ...subjectOf(message)]
  const run = (name: string, text: string, values: unknown[]) =>
    db.query({ name, text, values }, { on: 'follow' })
  const isAlert = 'alert' in message
  if (error === '') {
    const rows = isAlert
      ? await run('webhook-alert-delivered', ALERT_DELIVERED, of)
      : await run('webhook-delivered', DELIVERED, [...of, ...placeBehind(message)])
    return { kind: 'delivered', isMoved: rows.length > 0 }
  }
  const retryAfterMs = attempt.kind === 'answered' ? attempt.retryAfterMs : undefined
  const delayMs = delayAfter(message.failures + 1, { retryAfterMs, maxMs: sent.maxDelayMs })
  const isGone = status === GONE
  const failed = [...of, delayMs, isGone]
  if (isAlert) await run('webhook-alert-failed', ALERT_FAILED, failed)
  else await run('webhook-failed', FAILED, failed)
  return isGone ? { kind: 'paused' } : { kind: 'failed', error, delayMs }
}

/** $12 to $14: which event it told, or from where on it told changes. */
function subjectOf(message: Message | AlertMessage): string[] {
  if ('alert' in message) return [message.alert.patientUid, message.alert.alertId, message.alert.eventId]
  return [message.from.generation, message.from.xid, message.from.id]
}

const placeBehind = ({ to, hasMore, readAt }: Message) => [
  to.generation,
  to.xid,
  to.id,
  hasMore ? null : readAt,
]

/** SQL: the attempt, where the statement before it has found the endpoint. */
const noteIf = (condition: string) =>
  noteAttempt(`
    select $3::uuid, $5::text, $6::integer, $7::text, $8::bigint, $9::bigint, $10::integer, $11::text
    where exists (select from ${condition})`)

/** SQL: the endpoint begins anew, where the CTE of this name has a row. */
const accepted = (condition: string, also = '') => `
    update webhooks.endpoints
    set ${also}has_succeeded = true,
      failures = 0,
      failing_since = null,
      next_attempt_at = '-infinity'
    where endpoint_id = $3::uuid
      and replays = $4::integer
      and exists (select from ${condition})`

/** SQL: the endpoint waits, where the CTE of this name has a row. */
const failure = (condition: string) => `
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
      and exists (select from ${condition})
    returning endpoint_id`

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
  ), ended as (${accepted('advanced', 'page_xid = null, page_id = null, ')}
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
  ), failed as (${failure('begun')}
  )
  ${noteIf('failed')}`

/** SQL: what became of the event, unless it was sent by another process, skipped or replayed meanwhile. The endpoint is locked first. */
const tell = (set: string) => `held as materialized (
    select endpoint_id
    from webhooks.endpoints
    where endpoint_id = $3::uuid
      and replays = $4::integer
      and exists (select from casesheet.followers where name = $1 and held_by = $2::uuid)
    for no key update
  ), told as (
    update casesheet.alert_deliveries
    set ${set}, at = now(), message_id = $11::text
    from held
    where patient_uid = $12
      and alert_id = $13::uuid
      and event_id = $14::uuid
      and alert_deliveries.endpoint_id = held.endpoint_id
      and is_pending
    returning event_id
  )`

const ALERT_DELIVERED = `
  with ${tell("state = 'accepted', is_pending = false")}, ended as (${accepted('told')}
  ), noted as (
    ${noteIf('told')}
  )
  select event_id
  from told`

const ALERT_FAILED = `
  with ${tell("state = 'failed'")}, failed as (${failure('told')}
  )
  ${noteIf('failed')}`
