// One time limit for all that a request does: waiting for a change, queueing and reading.
import { clientDisconnected, type Refusal } from '../../../refusal.ts'
import { withinMs } from '../../../time-limit.ts'

/** `isOver` is aborted, with the refusal as its reason, when the time is over or the client has disconnected. */
export type TimeLimit = { isOver: AbortSignal; beganAt: number; leftMs: () => number }

type Limit = {
  limitMs: number
  isGone: AbortSignal
  /** Why the work is refused when the limit has passed. */
  refuseLate: () => Refusal
}

/** Does the work, and refuses when the limit has passed, also while the work hangs. */
export async function withinLimit<T>(
  { limitMs, isGone, refuseLate }: Limit,
  work: (time: TimeLimit) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const refused = Promise.withResolvers<never>()
  const end = (refusal: Refusal) => {
    refused.reject(refusal)
    over.abort(refusal)
    return refused.promise
  }
  const leave = () => void end(clientDisconnected())
  isGone.addEventListener('abort', leave, { once: true })
  if (isGone.aborted) leave()
  const beganAt = performance.now()
  const time = { isOver: over.signal, beganAt, leftMs: () => beganAt + limitMs - performance.now() }
  const done = Promise.race([work(time), refused.promise])
  return withinMs(done, limitMs, () => end(refuseLate())).finally(() =>
    isGone.removeEventListener('abort', leave),
  )
}
