// The changes of one patient as they are committed, for a screen: server-sent events on plain fetch, because EventSource can
// send no token. A stream that ends, or falls silent, is opened again behind its last event.
import { callOperation, queryText, type Settings } from './call.ts'
import { mustBeCallOptions, mustBeFunction, mustBeOptions } from './check-arguments.ts'
import { connectionFailed } from './connection-failed.ts'
import type { Change } from './contract.ts'
import { RoundsError } from './rounds-error.ts'
import { createEventParser, type ServerSentEvent } from './server-sent-events.ts'
import { pause, within } from './within.ts'

// The service sends a heartbeat every 15 s.
const MAX_SILENCE_MS = 45_000
const FIRST_RETRY_MS = 3_000
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [500, 60_000]

export type WatchOptions = {
  /** May be left out when the token names exactly one patient. */
  patientUid?: string | undefined
  /** A reading that was added, withdrawn or restored, as it is now, or the erasure of the patient. The next one waits for it. */
  onChange: (change: Change) => void | Promise<void>
  /**
   * Read the range that you show: once the stream is open for the first time, and whenever changes may have been missed. What
   * changes meanwhile comes afterwards.
   */
  onReset: () => void | Promise<void>
  /**
   * It ended for good, for what does not pass (such as 403) or what a function above threw. Without it, that is an unhandled
   * rejection.
   */
  onEnd?: ((error: unknown) => void) | undefined
  /** Whether changes arrive now: the stream was opened, or was lost and is being opened again. For a light on a screen. */
  onConnection?: ((isOpen: boolean) => void) | undefined
  /** In place of the function that is returned. */
  signal?: AbortSignal | undefined
}

const OPTIONS = ['patientUid', 'onChange', 'onReset', 'onEnd', 'onConnection', 'signal']

/** Returns how to stop: no function is called after that. */
export function watchReadings(settings: Settings, url: string, options: WatchOptions): () => void {
  mustBeOptions(options, 'watch', OPTIONS)
  const { patientUid, onChange, onReset, onEnd, onConnection, signal } = options
  mustBeFunction(onChange, 'onChange')
  mustBeFunction(onReset, 'onReset')
  if (onEnd !== undefined) mustBeFunction(onEnd, 'onEnd')
  if (onConnection !== undefined) mustBeFunction(onConnection, 'onConnection')
  mustBeCallOptions({ signal })
  const address = `${url}${queryText({ patientUid })}`
  const stopping = new AbortController()
  const stop = () => {
    signal?.removeEventListener('abort', stop)
    stopping.abort()
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop)
  const unending: Settings = {
    ...settings,
    attempts: Number.POSITIVE_INFINITY,
    timeoutMs: Number.POSITIVE_INFINITY,
  }
  let lastEventId: string | undefined
  let retryMs = FIRST_RETRY_MS
  let isOpen = false

  async function watch() {
    while (!stopping.signal.aborted) {
      try {
        await readStream()
      } catch (error) {
        if (!(error instanceof RoundsError) || !error.retryable) throw error
      }
      // Never sooner than asked for, and apart from others whose streams ended with this one.
      await pause(retryMs * (1 + Math.random()), stopping.signal)
    }
  }

  async function readStream() {
    // Of this stream alone, so that nothing of it stays behind.
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    stopping.signal.addEventListener('abort', leave)
    try {
      const headers: Record<string, string> = { accept: EVENTS }
      if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
      const request = { url: address, patientUid, headers, streamed: EVENTS }
      const response = (await callOperation(unending, request, { signal: leaving.signal })) as Response
      setOpen(true)
      for await (const event of eventsOf(response, leaving.signal)) {
        await dispatch(event)
        if (stopping.signal.aborted) return
      }
    } finally {
      stopping.signal.removeEventListener('abort', leave)
      leave()
      setOpen(false)
    }
  }

  function setOpen(isNow: boolean) {
    if (isNow === isOpen || stopping.signal.aborted) return
    isOpen = isNow
    onConnection?.(isNow)
  }

  async function dispatch(event: ServerSentEvent) {
    if (event.retryMs !== undefined) {
      retryMs = Math.min(Math.max(event.retryMs, SHORTEST_RETRY_MS), LONGEST_RETRY_MS)
    }
    const isFirst = event.event === 'open' && lastEventId === undefined
    if (event.event === 'change') await onChange(changeIn(event.data))
    else if (event.event === 'reset' || isFirst) await onReset()
    // Not before it was dealt with.
    lastEventId = event.id ?? lastEventId
  }

  watch().catch((error: unknown) => {
    if (stopping.signal.aborted) return
    stop()
    if (onEnd === undefined) throw error
    onEnd(error)
  })
  return stop
}

const EVENTS = 'text/event-stream'

async function* eventsOf({ body }: Response, signal: AbortSignal) {
  if (!body)
    throw new TypeError('watch needs a fetch whose response has a body that can be read piece by piece.')
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

function changeIn(data: string): Change {
  try {
    return JSON.parse(data) as Change
  } catch (cause) {
    const message = 'An event of the stream is not JSON, so it did not come from Rounds.'
    throw new RoundsError({ code: 'UnexpectedAnswer', message, retryable: false, status: 200, cause })
  }
}
