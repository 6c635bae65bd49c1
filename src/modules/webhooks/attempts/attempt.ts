// What became of attempts to deliver: one entry for each endpoint, minute, event and outcome, however many there were.
import { type Static, Type } from 'typebox'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { SignedAttempt } from '../delivery/send-signed.ts'

export const EXAMPLE_ATTEMPT = {
  at: '2026-11-17T08:15:00.000Z',
  outcome: 'failed',
  event: 'readings.changed',
  status: 503,
  error: 'status',
  attempts: 3,
  changes: 120,
  bytes: 30_512,
  longestMs: 184,
  lastMessageId: 'msg_Jx2mQ8r0cE3vK5nT7yB1aZ4dF6gH9wLp',
} as const

const Skipped = Type.Object(
  {
    by: Type.String({ description: 'The subject of the token, or who ran the command.' }),
    after: Type.String({ description: 'The position behind which the page began: a transaction and an id.' }),
    upTo: Type.String({ description: 'The position of its last change.' }),
  },
  { additionalProperties: false, description: 'Of a page that endpoints/skip passed.' },
)

export const Attempt = Type.Object(
  {
    at: Type.String({
      format: 'date-time',
      description: 'The minute in which the attempts ended, or when the page was skipped, in UTC.',
    }),
    outcome: Type.Enum(['delivered', 'failed', 'skipped'], { type: 'string' }),
    event: Type.String({
      description: 'The type of the messages; of the skipped page, where one was skipped.',
    }),
    status: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The HTTP status of the answers; null if there was none.',
    }),
    error: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Why they failed, in one word: timeout, refused, dns, tls, address (not allowed), redirect, closed, status or key (the secret was stored under another WEBHOOK_KEY); null if they did not.',
    }),
    skipped: Type.Optional(Skipped),
    attempts: Type.Integer({ description: 'How many there were.' }),
    changes: Type.Integer({ description: 'How many changes they held, together.' }),
    bytes: Type.Integer({ description: 'How many bytes were sent, together.' }),
    longestMs: Type.Integer({ description: 'How long the longest of them took.' }),
    lastMessageId: Type.String({
      description: 'webhook-id of the last of them; of the skipped page, where one was skipped.',
    }),
  },
  {
    $id: 'Attempt',
    additionalProperties: false,
    description: 'Attempts of one minute to deliver to an endpoint, with one outcome.',
    examples: [EXAMPLE_ATTEMPT],
  },
)
export type Attempt = Static<typeof Attempt>

export type AttemptRow = {
  at: string
  event: string
  status: number
  error: string
  attempts: number
  changes: number
  bytes: number
  longest_ms: number
  last_message_id: string
  skipped_by: string | null
  skipped_after: string | null
  skipped_up_to: string | null
}

/** SQL: the columns of an AttemptRow. */
export const ATTEMPT_COLUMNS = `attempts.at::text as at, attempts.event, attempts.status, attempts.error, attempts.attempts,
        attempts.changes::float8 as changes, attempts.bytes::float8 as bytes, attempts.longest_ms, attempts.last_message_id,
        attempts.skipped_by, attempts.skipped_after, attempts.skipped_up_to`

export function attemptFrom(row: AttemptRow): Attempt {
  const { skipped_by: by, skipped_after: after, skipped_up_to: upTo } = row
  const skipped = by !== null && after !== null && upTo !== null ? { by, after, upTo } : undefined
  return {
    at: instantFrom(row.at, 3),
    outcome: skipped ? 'skipped' : row.error === '' ? 'delivered' : 'failed',
    event: row.event,
    status: row.status === 0 ? null : row.status,
    error: skipped || row.error === '' ? null : row.error,
    ...(skipped && { skipped }),
    attempts: row.attempts,
    changes: row.changes,
    bytes: row.bytes,
    longestMs: row.longest_ms,
    lastMessageId: row.last_message_id,
  }
}

/** What is stored of an attempt: the status or 0, and in one word why it failed, or nothing. */
export function resultOf(attempt: SignedAttempt): { status: number; error: string; durationMs: number } {
  const { durationMs } = attempt
  if (attempt.kind === 'failed') return { status: 0, error: attempt.error, durationMs }
  const { status } = attempt
  if (status >= 200 && status < 300) return { status, error: '', durationMs }
  return { status, error: status >= 300 && status < 400 ? 'redirect' : 'status', durationMs }
}

/**
 * SQL: notes an attempt in the entry of its minute. `attempt` is a select of endpoint_id, event, status, error, changes, bytes, longest_ms and
 * last_message_id.
 */
export const noteAttempt = (attempt: string) => `insert into webhooks.attempts
    (at, endpoint_id, event, status, error, changes, bytes, longest_ms, last_message_id)
  select date_trunc('minute', now()), attempt.*
  from (${attempt}
  ) as attempt
  on conflict (endpoint_id, at, event, status, error) do update
  set attempts = attempts.attempts + 1,
    changes = attempts.changes + excluded.changes,
    bytes = attempts.bytes + excluded.bytes,
    longest_ms = greatest(attempts.longest_ms, excluded.longest_ms),
    last_message_id = excluded.last_message_id`
