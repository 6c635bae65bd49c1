// The changes of all readings, page after page, for as long as the consumer goes on. Answers are held by the service until
// something changes. What is transient (no network, 429, 503, a token function that throws) is repeated for as long as it takes,
// by the rules of every call. `mayRepeat` is called with each failure; it, or `timeoutMs`, lets a consumer give up.
import { type CallOptions, callOperation, queryText, type Settings } from './call.ts'
import type { Change, ChangesAnswer, ChangesQuery } from './contract.ts'
import { repeatable } from './tokens.ts'

const WAIT_S = 20
const LIMIT = 500

/** `nextCursor` is to be stored together with what was made of the changes. */
export type ChangesPage = {
  changes: Change[]
  nextCursor: string
  hasMore: boolean
  /** How long a transaction that stays open has held changes back: 0 means that there is nothing newer. */
  heldBackSeconds: number
}

/**
 * A page without changes is given where it brings a new cursor, while changes are held back, and once when they no longer are.
 * With `wait: 0` it ends when there is no more.
 */
export async function* followChanges(
  settings: Settings,
  url: string,
  query: ChangesQuery,
  options: CallOptions,
): AsyncGenerator<ChangesPage, void, undefined> {
  const { wait = WAIT_S, limit = LIMIT, start, ...others } = query
  const patient: Settings = {
    ...settings,
    tokens: repeatable(settings.tokens),
    attempts: Number.POSITIVE_INFINITY,
    // An answer that is held is not slow.
    attemptTimeoutMs: settings.attemptTimeoutMs + wait * 1_000,
    timeoutMs: Number.POSITIVE_INFINITY,
  }
  let { cursor } = others
  let wasHeldBack = false
  for (;;) {
    // The first cursor of a consumer that begins now comes at once: it has nothing to go on with before.
    const place = cursor === undefined ? { start, wait: start === undefined ? wait : 0 } : { cursor, wait }
    const address = `${url}${queryText({ ...others, limit, ...place })}`
    const answer = (await callOperation(patient, { url: address }, options)) as ChangesAnswer
    const { data: changes, nextCursor, hasMore, heldBackSeconds } = answer
    const isHeldBack = heldBackSeconds > 0
    if (changes.length > 0 || nextCursor !== cursor || isHeldBack || wasHeldBack)
      yield { changes, nextCursor, hasMore, heldBackSeconds }
    wasHeldBack = isHeldBack
    if (wait === 0 && !hasMore) return
    cursor = nextCursor
  }
}
