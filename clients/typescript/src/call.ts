// One call of one operation: token, request, answer, and what is repeated when it fails.
import { mustBeCallOptions, mustBeQuery } from './check-arguments.ts'
import { connectionFailed } from './connection-failed.ts'
import { readAnswer, unexpectedAnswer } from './read-answer.ts'
import { type MayRepeat, withRetries } from './retry.ts'
import { RoundsError } from './rounds-error.ts'
import type { Tokens } from './tokens.ts'
import { firstOf, within } from './within.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * `signal` cancels the call; `timeoutMs` bounds it as a whole, all attempts and waits included; `mayRepeat` is called before a
 * failed attempt is repeated. `reason` is why staff reads (3 to 200 characters): the access log shows it to the patient.
 */
export type CallOptions = {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  mayRepeat?: MayRepeat | undefined
  reason?: string | undefined
}

export type Settings = {
  fetch: Fetch
  tokens: Tokens
  attempts: number
  attemptTimeoutMs: number
  timeoutMs: number
}

export type Request = {
  url: string
  /** The patient that the call is about, where it names one: their token is used where tokens are by patient. */
  patientUid?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  /** The media type of an answer that is handed on unread, instead of JSON in Rounds' envelope. */
  streamed?: string
}

export async function callOperation(
  settings: Settings,
  request: Request,
  options: CallOptions = {},
): Promise<unknown> {
  mustBeCallOptions(options)
  const { signal, timeoutMs = settings.timeoutMs, mayRepeat, reason } = options
  const { patientUid } = request
  const giveUpAt = performance.now() + timeoutMs
  // Made once, so that a caller who goes on changing the reading cannot change what a retry sends.
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)

  async function attempt(attemptSignal: AbortSignal): Promise<unknown> {
    const token = await settings.tokens.current(patientUid)
    // A stream goes on after the attempt has ended, and the caller may still cancel it.
    const sendSignal = request.streamed === undefined ? attemptSignal : firstOf(attemptSignal, signal)
    const send = (bearer: string) => fetchAnswer(settings.fetch, request, requestInit(bearer, sendSignal))
    try {
      return await send(token)
    } catch (error) {
      if (!isTokenRefusal(error)) throw error
      const fresh = await settings.tokens.insteadOf(token, patientUid)
      if (fresh === token) throw error
      return await send(fresh)
    }
  }
  function requestInit(token: string, attemptSignal: AbortSignal): RequestInit {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(reason === undefined ? {} : { 'x-access-reason': encodeURIComponent(reason) }),
      ...request.headers,
    }
    // Rounds never redirects; following one could carry readings to another service. Not 'error': with that, Node's fetch fails where
    // it repeats a request that was answered 421, as every fetch does once.
    const init: RequestInit = { redirect: 'manual', signal: attemptSignal }
    if (body === undefined) return { ...init, headers }
    return { ...init, method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
  }
  return within({ ms: timeoutMs, signal }, (wholeSignal) =>
    withRetries({ attempts: settings.attempts, giveUpAt, signal: wholeSignal, mayRepeat }, () =>
      within({ ms: settings.attemptTimeoutMs, signal: wholeSignal }, attempt),
    ),
  )
}

async function fetchAnswer(fetch: Fetch, { url, streamed }: Request, init: RequestInit): Promise<unknown> {
  const response = await connected(async () => mustNotRedirect(await fetch(url, init)))
  if (streamed !== undefined && isOfType(response, streamed)) return response
  const text = await connected(() => response.text())
  if (streamed !== undefined && response.ok) throw unexpectedAnswer(response)
  return readAnswer(response, text, Date.now())
}

/** Browsers show nothing of a redirect but that it is one. */
function mustNotRedirect(response: Response): Response {
  if (response.type !== 'opaqueredirect' && !REDIRECTS.has(response.status)) return response
  void response.body?.cancel().catch(() => {})
  throw new Error('The answer is a redirect.')
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

async function connected<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw connectionFailed(cause)
  }
}

function isOfType({ ok, headers }: Response, mediaType: string): boolean {
  return ok && headers.get('content-type')?.split(';', 1)[0]?.trim() === mediaType
}

function isTokenRefusal(error: unknown): boolean {
  return error instanceof RoundsError && (error.code === 'TokenExpired' || error.code === 'TokenInvalid')
}

/** A query as text; a list repeats its name, and what is left out stays out. */
export function queryText(query: object): string {
  mustBeQuery(query)
  // Texts, numbers and booleans, as was checked.
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : `${name}=${encodeURIComponent(String(one))}`)),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
