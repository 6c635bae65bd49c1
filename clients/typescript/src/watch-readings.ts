// The changes of one patient as they are committed, for a screen: server-sent events on plain fetch, because EventSource can
// send no token. A stream that ends, or falls silent, is opened again behind its last event. Where the body of an answer is no
// stream (React Native), there is none to open: the caller is asked to read again every half minute.
import { callOperation, queryText, type Settings } from './call.ts'
import { mustBeCallOptions, mustBeFunction, mustBeMs, mustBeOptions } from './check-arguments.ts'
import { connectionFailed } from './connection-failed.ts'
import type { Change } from './contract.ts'
import { RoundsError } from './rounds-error.ts'
import { createEventParser, type ServerSentEvent } from './server-sent-events.ts'
import { repeatable } from './tokens.ts'
import { pause, within } from './within.ts'

// The service sends a heartbeat every 15 s.
const MAX_SILENCE_MS = 45_000
const FIRST_RETRY_MS = 3_000
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [500, 60_000]
const POLL_MS = 30_000

export type WatchOptions = {
  /** May be left out when the token names exactly one patient. */
  patientUid?: string | undefined
  /** A reading that was added, withdrawn or restored, as it is now, or the erasure of the patient. The next one waits for it. */
  onChange: (change: Change) => void | Promise<void>
  /**
   * Read the range that you show: once the stream is open for the first time, and whenever changes may have been missed. What
   * changes meanwhile comes afterwards. Where there are no streams, it is called every `pollMs`, and `onChange` never.
   */
  onReset: () => void | Promise<void>
  /**
   * It ended for good, for what does not pass (such as 403) or what a function above threw. Without it, that is an unhandled
   * rejection.
   */
  onEnd?: ((error: unknown) => void) | undefined
  /** Whether changes arrive now: the stream was opened, or was lost and is being opened again. For a light on a screen. */
  onConnection?: ((isOpen: boolean) => void) | undefined
  /**
   * How many seconds changes have been held back by a transaction that stays open in the database; 0 when that is over. Without a
   * call, silence means that nothing has changed.
   */
  onDelay?: ((heldBackSeconds: number) => void) | undefined
  /** Why staff reads, as in the options of a call. */
  reason?: string | undefined
  /** How long to wait between two calls of `onReset` where there are no streams, as in React Native. Default 30,000. */
  pollMs?: number | undefined
  /** In place of the function that is returned. */
  signal?: AbortSignal | undefined
}

const OPTIONS = [
  'patientUid',
  'onChange',
  'onReset',
  'onEnd',
  'onConnection',
  'onDelay',
  'reason',
  'pollMs',
  'signal',
]

/** Returns how to stop: no function is called after that. */
export function watchReadings(settings: Settings, url: string, options: WatchOptions): () => void {
  mustBeOptions(options, 'watch', OPTIONS)
  const { onChange, onReset, onEnd, onConnection, onDelay, reason, pollMs = POLL_MS, signal } = options
  mustBeFunction(onChange, 'onChange')
  mustBeFunction(onReset, 'onReset')
  if (onEnd !== undefined) mustBeFunction(onEnd, 'onEnd')
  if (onConnection !== undefined) mustBeFunction(onConnection, 'onConnection')
  if (onDelay !== undefined) mustBeFunction(onDelay, 'onDelay')
  mustBeMs(pollMs, 'pollMs')
  mustBeCallOptions({ signal, reason })
  const address = `${url}${queryText({ patientUid: options.patientUid })}`
  const stopping = new AbortController()
  const stop = () => {
    signal?.removeEventListener('abort', stop)
    stopping.abort()
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop)
  const unending = {
    tokens: repeatable(settings.tokens),
    attempts: Number.POSITIVE_INFINITY,
    timeoutMs: Number.POSITIVE_INFINITY,
  }
  const watch = new Watch({ ...settings, ...unending }, address, { ...options, pollMs }, stopping.signal)
  watch.run().catch((error: unknown) => {
    if (stopping.signal.aborted) return
    stop()
    if (onEnd === undefined) throw error
    onEnd(error)
  })
  return stop
}

/**
 *   mode    what it means
 *   stream  a stream is open, or is opened again after `#retryMs`
 *   poll    the answer was no stream, or this runtime has none: for good
 */
class Watch {
  readonly #settings: Settings
  readonly #url: string
  readonly #options: WatchOptions & { pollMs: number }
  readonly #stopping: AbortSignal
  #mode: 'stream' | 'poll' = hasStreams() ? 'stream' : 'poll'
  #lastEventId: string | undefined
  #retryMs = FIRST_RETRY_MS
  #isOpen = false
  #isDelayed = false

  constructor(
    settings: Settings,
    url: string,
    options: WatchOptions & { pollMs: number },
    stopping: AbortSignal,
  ) {
    this.#settings = settings
    this.#url = url
    this.#options = options
    this.#stopping = stopping
  }

  async run() {
    while (!this.#stopping.aborted) {
      try {
        if (this.#mode === 'stream') await this.#readStream()
        else await this.#poll()
      } catch (error) {
        if (error instanceof NoStream) {
          this.#mode = 'poll'
          continue
        }
        if (!(error instanceof RoundsError) || !error.retryable) throw error
      }
      // Never sooner than asked for, and apart from others whose streams ended with this one.
      const ms = this.#mode === 'stream' ? this.#retryMs : this.#options.pollMs
      await pause(ms * (1 + Math.random()), this.#stopping)
    }
  }

  async #poll() {
    let isRead = false
    try {
      await this.#options.onReset()
      isRead = true
    } finally {
      this.#setOpen(isRead)
    }
  }

  async #readStream() {
    const { patientUid, reason } = this.#options
    // Of this stream alone, so that nothing of it stays behind.
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    this.#stopping.addEventListener('abort', leave)
    try {
      const headers: Record<string, string> = { accept: EVENTS }
      if (this.#lastEventId !== undefined) headers['last-event-id'] = this.#lastEventId
      const request = {
        url: this.#url,
        patientUid,
        headers,
        streamed: EVENTS,
      }
      const { body } = (await callOperation(this.#settings, request, {
        signal: leaving.signal,
        reason,
      })) as Response
      if (!body) throw new NoStream()
      this.#setOpen(true)
      for await (const event of eventsOf(body, leaving.signal)) {
        await this.#dispatch(event)
        if (this.#stopping.aborted) return
      }
    } finally {
      this.#stopping.removeEventListener('abort', leave)
      leave()
      this.#setOpen(false)
    }
  }

  #setOpen(isNow: boolean) {
    if (isNow === this.#isOpen || this.#stopping.aborted) return
    this.#isOpen = isNow
    this.#options.onConnection?.(isNow)
  }

  #setDelay(heldBackSeconds: number) {
    this.#isDelayed = heldBackSeconds > 0
    this.#options.onDelay?.(heldBackSeconds)
  }

  async #dispatch(event: ServerSentEvent) {
    const { onChange, onReset } = this.#options
    if (event.retryMs !== undefined) {
      this.#retryMs = Math.min(Math.max(event.retryMs, SHORTEST_RETRY_MS), LONGEST_RETRY_MS)
    }
    const isFirst = event.event === 'open' && this.#lastEventId === undefined
    if (event.event === 'change') await onChange(changeIn(event.data))
    else if (event.event === 'reset' || isFirst) await onReset()
    else if (event.event === 'delay') this.#setDelay(heldBackIn(event.data))
    // The stream before may have been lost before it said that the delay was over; this one says so if it is not.
    if (event.event === 'open' && this.#isDelayed) this.#setDelay(0)
    // Not before it was dealt with.
    this.#lastEventId = event.id ?? this.#lastEventId
  }
}

const EVENTS = 'text/event-stream'

/** The answer came, and its body cannot be read piece by piece. */
class NoStream extends Error {}

/** Whether bodies are streams here. Where they are not, fetch would wait for the end of the stream, and so for ever. */
function hasStreams(): boolean {
  return typeof Response !== 'function' || 'body' in Response.prototype
}

async function* eventsOf(body: NonNullable<Response['body']>, signal: AbortSignal) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parse = createEventParser()
  for (;;) {
    const { done, value } = await within({ ms: MAX_SILENCE_MS, signal }, () =>
      reader.read().catch((cause: unknown) => {
        throw connectionFailed(cause)
      }),
    )
    if (done) return
    yield* parse(decoder.decode(value, { stream: true }))
  }
}

const changeIn = (data: string) => jsonIn(data) as Change

const heldBackIn = (data: string) =>
  Number((jsonIn(data) as { heldBackSeconds?: unknown }).heldBackSeconds ?? 0)

function jsonIn(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    const message = 'An event of the stream is not JSON, so it did not come from Rounds.'
    throw new RoundsError({ code: 'UnexpectedAnswer', message, retryable: false, status: 200, cause })
  }
}
