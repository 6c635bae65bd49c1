// One call of one operation: token, request, answer, and what is repeated when it fails.
import { readAnswer } from './read-answer.ts'
import { withRetries } from './retry.ts'
import { RoundsError } from './rounds-error.ts'
import type { Tokens } from './tokens.ts'
import { within } from './within.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** `signal` cancels the call; `timeoutMs` bounds it as a whole, all attempts and waits included. */
export type CallOptions = { signal?: AbortSignal; timeoutMs?: number }

export type Settings = {
  fetch: Fetch
  tokens: Tokens
  attempts: number
  attemptTimeoutMs: number
  timeoutMs: number
}

export type Request = { url: string; body?: unknown }

export async function callOperation(
  settings: Settings,
  request: Request,
  { signal, timeoutMs = settings.timeoutMs }: CallOptions = {},
): Promise<unknown> {
  const giveUpAt = performance.now() + timeoutMs
  // Made once, so that a caller who goes on changing the reading cannot change what a retry sends.
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)

  async function attempt(attemptSignal: AbortSignal): Promise<unknown> {
    const token = await settings.tokens.current()
    const send = (bearer: string) =>
      fetchAnswer(settings.fetch, request.url, requestInit(bearer, attemptSignal))
    try {
      return await send(token)
    } catch (error) {
      if (!isTokenRefusal(error)) throw error
      const fresh = await settings.tokens.insteadOf(token)
      if (fresh === token) throw error
      return await send(fresh)
    }
  }
  function requestInit(token: string, attemptSignal: AbortSignal): RequestInit {
    const authorization = `Bearer ${token}`
    // Rounds never redirects; following one could carry readings to where nobody meant to send them.
    const init: RequestInit = { redirect: 'error', signal: attemptSignal }
    if (body === undefined) return { ...init, headers: { authorization } }
    return { ...init, method: 'POST', body, headers: { authorization, 'content-type': 'application/json' } }
  }
  return within({ ms: timeoutMs, signal }, (wholeSignal) =>
    withRetries({ attempts: settings.attempts, giveUpAt, signal: wholeSignal }, () =>
      within({ ms: settings.attemptTimeoutMs, signal: wholeSignal }, attempt),
    ),
  )
}

async function fetchAnswer(fetch: Fetch, url: string, init: RequestInit): Promise<unknown> {
  const { response, text } = await receive(fetch, url, init)
  return readAnswer(response, text, Date.now())
}

async function receive(fetch: Fetch, url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (cause) {
    throw new RoundsError({
      code: 'ConnectionFailed',
      message: 'The service could not be reached, or the connection was cut.',
      retryable: true,
      cause,
    })
  }
}

function isTokenRefusal(error: unknown): boolean {
  return error instanceof RoundsError && (error.code === 'TokenExpired' || error.code === 'TokenInvalid')
}

/** A query as text; a list repeats its name, and what is left out stays out. */
export function queryText(query: object): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : `${name}=${encodeURIComponent(String(one))}`)),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
