// What came back over HTTP → the answer, or the error it stands for. Between a device and Rounds stand proxies, gateways
// and login pages of hotels that answer 200 to anything, so an answer counts only when it is in Rounds' own words.
import type { ErrorAnswer } from './contract.ts'
import { RoundsError } from './rounds-error.ts'

// What gateways say of a service that is busy or away.
const PASSING_STATUS = new Set([408, 429, 502, 503, 504])

type Head = { ok: boolean; status: number; headers: { get: (name: string) => string | null } }

export function readAnswer({ ok, status, headers }: Head, text: string, now: number): unknown {
  const body = parsed(text)
  if (ok && (body['code'] === 'Ok' || body['status'] === 'success')) return body
  const retryAfterMs = retryAfter(headers.get('retry-after'), now)
  if (!ok && isErrorAnswer(body)) throw new RoundsError({ ...body, status, retryAfterMs })
  throw unexpectedAnswer(
    { status, headers },
    {
      // A success that begins like ours and is not whole was cut off on its way.
      retryable: PASSING_STATUS.has(status) || (ok && text.startsWith('{')),
      retryAfterMs,
    },
  )
}

type Retry = { retryable: boolean; retryAfterMs: number | undefined }

export function unexpectedAnswer(
  { status, headers }: Pick<Head, 'status' | 'headers'>,
  retry: Retry = { retryable: false, retryAfterMs: undefined },
): RoundsError {
  return new RoundsError({
    code: 'UnexpectedAnswer',
    message: `The answer (status ${status}) did not come from Rounds, or not whole.`,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    ...retry,
  })
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isErrorAnswer(body: Record<string, unknown>): body is ErrorAnswer {
  return (
    body['status'] === 'error' && typeof body['code'] === 'string' && typeof body['retryable'] === 'boolean'
  )
}

/** Seconds or a date, as HTTP has it; in milliseconds from now. */
function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return ms >= 0 ? ms : undefined
}
