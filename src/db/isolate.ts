// Retries the requests of a shared statement that failed, and finds the one to blame: each gets an answer or an error of its
// own, and none waits for another. They are sent on connections of their own (`retry`), whose sessions wait for a lock only
// long enough to see that there is one. The rules:
//
// - The requests of a failed statement are divided into up to eight parts, which are sent again, and so on until one request is
//   alone. So most are answered in large parts, and few statements find the one that cannot be. Larger parts are sent first,
//   so that later requests do not wait until many blocked ones have been found. Requests with the same key (one patient)
//   stay together as long as possible, because one blocked row often comes with more of its patient.
// - A request alone that meets a lock is blocked: it is sent again after a pause until its deadline. Blocked requests are sent
//   last, one at a time, until one of them succeeds.
// - Later requests with a key of a blocked one are sent here from the start, alone, because they may need the same row.
// - Blocked requests and those later ones are at most `maxBlocked` together.
// - When the server cancels a shared statement because it took too long, each of its requests is sent alone, once, and only
//   within the time that a statement may take; after that it gets the error of the shared one.
import { overloaded, Refusal } from '../refusal.ts'
import { STATEMENT_TIMEOUT_MS } from './connections.ts'
import { isLockTimeout, isStatementTimeout, isTransient, mayRepeat } from './database-errors.ts'
import { pauseMsBefore } from './db.ts'

const MAX_IN_FLIGHT = 2
const PARTS = 8
// A statement of a thousand requests is divided four times.
const ALONE_LEVEL = 5
const SUSPECT_LEVEL = 6

export type PendingRequest<Item, Answer> = {
  item: Item
  /** Whether the client has disconnected, so that the answer would reach no one. */
  isGone: () => boolean
  askedAt: number
  /** Whether its deadline has passed; it has been refused then. */
  isLate: boolean
  /** The last transient error, if there was one: the reason that it is given at its deadline. */
  reason?: unknown
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

type Isolation<Item, Answer> = {
  /** Sends one statement for these requests on a connection for retries, and answers them. */
  send: (requests: PendingRequest<Item, Answer>[]) => Promise<void>
  /** Items with a key in common are likely to need the same rows. */
  keysOf: (item: Item) => string[]
  /** Whether the item continues an answer that has begun, which must not be cut off. */
  hasBegun: (item: Item) => boolean
  maxBlocked: number
  onRepeat: () => void
}

export function isolateRequests<Item, Answer>(isolation: Isolation<Item, Answer>) {
  type Request = PendingRequest<Item, Answer>
  type Part = { requests: Request[]; level: number; attempt: number; isBlocked: boolean; sendBy: number }
  const { send, keysOf, hasBegun, maxBlocked, onRepeat } = isolation
  /** Parts that are ready to be sent, by level. */
  const ready: Part[][] = []
  let readyBlocked: Part[] = []
  /** Requests of shared statements, not answered yet and not known to be blocked. */
  const unanswered = new Set<Request>()
  const blocked = new Set<Request>()
  const suspects = new Set<Request>()
  const blockedByKey = new Map<string, number>()
  let inFlight = 0
  let blockedInFlight = 0
  let areLocksReleased = false

  /** Takes over the requests of a shared statement that failed. */
  function takeOver(failed: Request[], error: unknown) {
    const requests = failed.filter(({ isLate }) => !isLate)
    for (const request of requests) unanswered.add(request)
    settle({ requests, level: 0, attempt: 1, isBlocked: false, sendBy: Infinity }, error)
    sendNext()
  }

  /** Takes over a request with a key of a blocked one. */
  function takeSuspect(request: Request) {
    if (isFull() && !hasBegun(request.item)) return request.reject(overloaded())
    suspects.add(request)
    enqueue({ requests: [request], level: SUSPECT_LEVEL, attempt: 1, isBlocked: false, sendBy: Infinity })
    sendNext()
  }

  function enqueue(part: Part) {
    if (part.isBlocked) readyBlocked.push(part)
    else (ready[part.level] ??= []).push(part)
  }

  function sendNext() {
    for (let part = nextPart(); part; part = nextPart()) {
      const sent = part
      inFlight++
      if (sent.isBlocked) blockedInFlight++
      void sendPart(sent).finally(() => {
        inFlight--
        if (sent.isBlocked) blockedInFlight--
        sendNext()
      })
    }
  }

  function nextPart(): Part | undefined {
    if (inFlight >= MAX_IN_FLIGHT) return undefined
    const parts = ready.find((ofLevel) => ofLevel !== undefined && ofLevel.length > 0)
    if (parts) return parts.shift()
    return areLocksReleased || blockedInFlight === 0 ? readyBlocked.shift() : undefined
  }

  /** Settles every request of the part or queues it again; never rejects itself. */
  async function sendPart(part: Part): Promise<void> {
    const requests = part.requests.filter(isWaiting)
    if (requests.length === 0) return
    if (Date.now() > part.sendBy) return requests.forEach(({ reason, reject }) => reject(reason))
    try {
      await send(requests)
      if (part.isBlocked) areLocksReleased = true
    } catch (error) {
      if (part.isBlocked && isLockTimeout(error)) areLocksReleased = false
      // Some may have been refused at their deadline meanwhile.
      settle({ ...part, requests: requests.filter(({ isLate }) => !isLate) }, error)
    }
  }

  function isWaiting({ isLate, isGone, reject }: Request): boolean {
    if (isLate) return false
    if (!isGone()) return true
    reject(new Refusal('RequestTimeout', 'The client disconnected.'))
    return false
  }

  /** Decides what happens to the requests of a part whose statement failed. */
  function settle(part: Part, error: unknown) {
    const { requests, level } = part
    const [first, ...others] = requests
    if (!first) return
    // An error about the data is about one of them, and not the reason why the others wait.
    if (isTransient(error)) for (const request of requests) request.reason = error
    if (isLockTimeout(error) && others.length === 0) block(part, first)
    else if (mayRepeat(error) && !isLockTimeout(error)) repeat(part)
    else if (others.length === 0) first.reject(error)
    else if (isStatementTimeout(error)) {
      const sendBy = Date.now() + STATEMENT_TIMEOUT_MS
      for (const request of requests) {
        enqueue({ requests: [request], level: ALONE_LEVEL, attempt: 1, isBlocked: false, sendBy })
      }
    } else {
      const nextLevel = Math.min(level + 1, ALONE_LEVEL - 1)
      for (const divided of divide(requests, ({ item }) => keysOf(item)[0] ?? '')) {
        enqueue({ ...part, requests: divided, level: nextLevel, attempt: 1 })
      }
    }
  }

  function block(part: Part, request: Request) {
    if (!blocked.has(request)) {
      unanswered.delete(request)
      suspects.delete(request)
      if (isFull() && !hasBegun(request.item)) return request.reject(overloaded())
      blocked.add(request)
      for (const key of keysOf(request.item)) blockedByKey.set(key, (blockedByKey.get(key) ?? 0) + 1)
    }
    later({ ...part, isBlocked: true, sendBy: Infinity, attempt: part.attempt + 1 })
  }

  function repeat(part: Part) {
    onRepeat()
    later({ ...part, sendBy: Infinity, attempt: part.attempt + 1 })
  }

  function later(part: Part) {
    setTimeout(() => {
      enqueue(part)
      sendNext()
    }, pauseMsBefore(part.attempt))
  }

  /** To be called when a request has its answer or its error. */
  function forget(request: Request) {
    unanswered.delete(request)
    suspects.delete(request)
    if (!blocked.delete(request)) return
    for (const key of keysOf(request.item)) {
      const left = (blockedByKey.get(key) ?? 0) - 1
      if (left > 0) blockedByKey.set(key, left)
      else blockedByKey.delete(key)
    }
  }

  const isFull = () => blocked.size + suspects.size >= maxBlocked

  return {
    takeOver,
    takeSuspect,
    forget,
    isFull,
    isSuspect: (item: Item) => blockedByKey.size > 0 && keysOf(item).some((key) => blockedByKey.has(key)),
    unanswered: () => unanswered.size,
    blocked: () => blocked.size,
  }
}

/** Up to eight parts or so, at least two of two or more, in which those with one key are together if others are there too. */
function divide<Item>(items: Item[], keyOf: (item: Item) => string): Item[][] {
  const size = Math.ceil(items.length / PARTS)
  const groups = Map.groupBy(items, keyOf)
  if (groups.size === 1) return chunksOf(items, size)
  const large = [...groups.values()].filter((group) => group.length >= size)
  const small = [...groups.values()].filter((group) => group.length < size)
  return [...chunksOf(small.flat(), size), ...large]
}

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  const chunks: Item[][] = []
  for (let first = 0; first < items.length; first += size) chunks.push(items.slice(first, first + size))
  return chunks
}
