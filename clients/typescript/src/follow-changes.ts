// The changes of all readings, page after page, for as long as the consumer goes on. Answers are held by the service until
// something changes. What is transient (no network, 429, 503) is repeated for as long as it takes, by the rules of every
// call; a consumer that wants to give up earlier passes `mayRepeat` or `timeoutMs`.
import { type CallOptions, callOperation, queryText, type Settings } from './call.ts'
import type { Change, ChangesAnswer, ChangesQuery } from './contract.ts'

const WAIT_S = 20
const LIMIT = 500

/** `nextCursor` is to be stored together with what was made of the changes. */
export type ChangesPage = { changes: Change[]; nextCursor: string; hasMore: boolean }

/** A page without changes is given only where it brings a cursor: the first one. With `wait: 0` it ends when there is no more. */
export async function* followChanges(
  settings: Settings,
  url: string,
  query: ChangesQuery,
  options: CallOptions,
): AsyncGenerator<ChangesPage, void, undefined> {
  const { wait = WAIT_S, limit = LIMIT, start, ...others } = query
  const patient: Settings = {
    ...settings,
    attempts: Number.POSITIVE_INFINITY,
    // An answer that is held is not slow.
    attemptTimeoutMs: settings.attemptTimeoutMs + wait * 1_000,
    timeoutMs: Number.POSITIVE_INFINITY,
  }
  let { cursor } = others
  for (;;) {
    // The first cursor of a consumer that begins now comes at once: it has nothing to go on with before.
    const place = cursor === undefined ? { start, wait: start === undefined ? wait : 0 } : { cursor, wait }
    const address = `${url}${queryText({ ...others, limit, ...place })}`
    const answer = (await callOperation(patient, { url: address }, options)) as ChangesAnswer
    const { data: changes, nextCursor, hasMore } = answer
    if (changes.length > 0 || nextCursor !== cursor) yield { changes, nextCursor, hasMore }
    if (wait === 0 && !hasMore) return
    cursor = nextCursor
  }
}
