// Time limits and cancelling, without AbortSignal.any and AbortSignal.timeout, which React Native lacks.
import { RoundsError } from './rounds-error.ts'

// What setTimeout can hold; a longer time, such as Infinity, would be over at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export type Limits = { ms: number; signal: AbortSignal | undefined }

/**
 * Runs the work with a signal of its own. When the time is over, or the caller's signal fires, this rejects at once, also
 * when the work pays no heed to its signal.
 */
export function within<T>({ ms, signal }: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController()
    const stop = (reason: unknown) => {
      release()
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = () => stop(reasonOf(signal))
    const timer = setTimeout(() => stop(timedOut(ms)), Math.min(ms, LONGEST_TIMER_MS))
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort)
    work(controller.signal).then(resolve, reject).finally(release)
  })
}

/** Fires with the first of them. */
export function firstOf(...signals: (AbortSignal | undefined)[]): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(reasonOf(signal))
    signal?.addEventListener('abort', () => controller.abort(reasonOf(signal)))
  }
  return controller.signal
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort)
  })
}

function timedOut(ms: number): RoundsError {
  return new RoundsError({
    code: 'TimedOut',
    message: `There was no answer within ${ms} ms.`,
    retryable: true,
  })
}

// Some React Native versions keep no reason.
function reasonOf(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? Object.assign(new Error('The call was aborted.'), { name: 'AbortError' })
}
