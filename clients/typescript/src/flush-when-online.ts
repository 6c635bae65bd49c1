// Flushes a queue by itself: at once, when the network returns, when the page is looked at again, and from time to time.
// It works where there is no window: then only the timer and the app's own events remain.
import { mustBeFunction, mustBeMs, mustBeOptions } from './check-arguments.ts'
import type { Flushed, ReadingQueue } from './reading-queue.ts'
import { RoundsError } from './rounds-error.ts'

export type FlushWhenOnlineOptions = {
  /** Takes the error of a flush that failed. Readings that were not sent stay in the queue, and the next flush sends them. */
  onError: (error: unknown) => void
  /** Takes what a flush sent. */
  onFlushed?: ((flushed: Flushed) => void) | undefined
  /** The time between two flushes; after failures in a row it doubles, up to 15 minutes. Default 30 s. */
  intervalMs?: number | undefined
  /** Adds the app's own events, such as those of React Native's NetInfo: calls `online` when the network returned. */
  listen?: ((online: () => void) => () => void) | undefined
}

const MAX_WAIT_MS = 900_000
// A flush that was begun anew gets so long before the next event may abort it: more than one attempt takes. Else events that
// come more often than a batch is sent would keep everything from being sent.
const RESTARTED_MS = 60_000
// What setTimeout can hold; a longer time would be over at once.
const MAX_TIMER_MS = 2 ** 31 - 1

type Events = {
  addEventListener?: (type: string, listener: () => void) => void
  removeEventListener?: (type: string, listener: () => void) => void
}
type Runtime = Events & {
  document?: Events & { visibilityState?: string }
  navigator?: { onLine?: boolean }
}

/** Starts now; the function that it returns stops it, without ending a flush in progress. */
export function flushWhenOnline(
  queue: Pick<ReadingQueue, 'flush' | 'count'>,
  options: FlushWhenOnlineOptions,
): () => void {
  mustBeOptions(options, 'flushWhenOnline', ['onError', 'onFlushed', 'intervalMs', 'listen'])
  const { onError, onFlushed, intervalMs = 30_000, listen } = options
  mustBeFunction(onError, 'onError')
  if (onFlushed !== undefined) mustBeFunction(onFlushed, 'onFlushed')
  mustBeMs(intervalMs, 'intervalMs')
  if (listen !== undefined) mustBeFunction(listen, 'listen')
  // Read at each start: tests and polyfills replace these.
  const runtime = globalThis as Runtime
  let timer: ReturnType<typeof setTimeout> | undefined
  let inProgress: AbortController | undefined
  let isStopped = false
  let wasAborted = false
  let startedAt = 0
  let failures = 0

  async function flush() {
    if (isStopped || inProgress) return
    if (timer !== undefined) clearTimeout(timer)
    const controller = new AbortController()
    inProgress = controller
    startedAt = performance.now()
    let waitMs = intervalMs
    try {
      // A browser that says so has no network for sure; the opposite is never sure.
      const isOffline = runtime.navigator?.onLine === false
      if (!isOffline && (await queue.count()) > 0) {
        const flushed = await queue.flush({ signal: controller.signal })
        onFlushed?.(flushed)
      }
      failures = 0
    } catch (error) {
      if (controller.signal.aborted) waitMs = 0
      else {
        failures++
        waitMs = waitAfter(failures, intervalMs, error)
        onError(error)
      }
    } finally {
      wasAborted = controller.signal.aborted
      inProgress = undefined
      if (!isStopped) timer = setTimeout(() => void flush(), Math.min(waitMs, MAX_TIMER_MS))
    }
  }
  /** A flush that began before the network changed would wait for connections that are dead. */
  function onOnline() {
    failures = 0
    if (!inProgress) void flush()
    else if (!wasAborted || performance.now() - startedAt > RESTARTED_MS) inProgress.abort()
  }
  function onVisible() {
    if (runtime.document?.visibilityState === 'visible') void flush()
  }

  runtime.addEventListener?.('online', onOnline)
  runtime.document?.addEventListener?.('visibilitychange', onVisible)
  const unlisten = listen?.(onOnline)
  void flush()
  return () => {
    isStopped = true
    if (timer !== undefined) clearTimeout(timer)
    runtime.removeEventListener?.('online', onOnline)
    runtime.document?.removeEventListener?.('visibilitychange', onVisible)
    unlisten?.()
  }
}

/** Grows with each failure, differs between devices that failed together, and is never shorter than the service asks for. */
function waitAfter(failures: number, intervalMs: number, error: unknown): number {
  const longest = Math.min(Math.max(MAX_WAIT_MS, intervalMs), intervalMs * 2 ** failures)
  const askedFor = error instanceof RoundsError ? (error.retryAfterMs ?? 0) : 0
  return askedFor + longest * (0.5 + Math.random() / 2)
}
