// One time limit for all that a request does: waiting for a change, queueing and reading.
import { databaseUnavailable, Refusal } from '../../../refusal.ts'

/** `isOver` is aborted, with the refusal as its reason, when the time is over or the client has disconnected. */
export type TimeLimit = { isOver: AbortSignal; leftMs: () => number }

/** Does the work, and refuses when the limit has passed, also while the work hangs. */
export async function withinLimit<T>(
  { limitMs, isGone }: { limitMs: number; isGone: AbortSignal },
  work: (time: TimeLimit) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const refused = Promise.withResolvers<never>()
  const end = (refusal: Refusal) => {
    refused.reject(refusal)
    over.abort(refusal)
  }
  const leave = () => end(new Refusal('RequestTimeout', 'The client disconnected.'))
  const endsAt = performance.now() + limitMs
  const timer = setTimeout(() => end(databaseUnavailable()), limitMs)
  isGone.addEventListener('abort', leave, { once: true })
  if (isGone.aborted) leave()
  try {
    const time = { isOver: over.signal, leftMs: () => endsAt - performance.now() }
    return await Promise.race([work(time), refused.promise])
  } finally {
    clearTimeout(timer)
    isGone.removeEventListener('abort', leave)
  }
}
