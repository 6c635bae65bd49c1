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
import { overloaded } from '../refusal.ts'
import { STATEMENT_TIMEOUT_MS } from './connections.ts'
import { isCancelled, isLockTimeout, isTransient, mayRepeat } from './database-errors.ts'
import { pauseMsBefore } from './pauses.ts'
import { isUnsettled, type PendingRequest, type PendingRequests } from './pending-requests.ts'

const MAX_IN_FLIGHT = 2
const PARTS = 8
// A statement of a thousand requests is divided four times.
const ALONE_LEVEL = 5
const SUSPECT_LEVEL = 6

type Settings<Item, Answer> = {
  /** Sends one statement for these requests on a connection for retries, and answers them. */
  send: (requests: PendingRequest<Item, Answer>[]) => Promise<void>
  /** Items with a key in common are likely to need the same rows. */
  keysOf: (item: Item) => string[]
  maxBlocked: number
  onRepeat: () => void
}

/**
 * Requests that are sent in one statement. A part is `ready` (in one of the queues), `sent` (in the set) or `paused` (it has a
 * timer); after that its requests are settled or in other parts.
 *
 *   from    to      when
 *   –       ready   a shared statement failed, a larger part was divided, or a request is suspect
 *   ready   sent    fewer than `MAX_IN_FLIGHT` are sent, and nothing stands before it
 *   sent    paused  the connection was lost, or the only request met a lock: then the part is `isBlocked`
 *   paused  ready   the pause is over
 */
type Part<Item, Answer> = {
  requests: PendingRequest<Item, Answer>[]
  level: number
  attempt: number
  isBlocked: boolean
  sendBy: number
}

export class Isolation<Item, Answer> {
  readonly #pending: PendingRequests<Item, Answer>
  readonly #settings: Settings<Item, Answer>
  /** By level. */
  readonly #ready: Part<Item, Answer>[][] = []
  readonly #readyBlocked: Part<Item, Answer>[] = []
  readonly #sent = new Set<Part<Item, Answer>>()
  #areLocksReleased = false

  constructor(pending: PendingRequests<Item, Answer>, settings: Settings<Item, Answer>) {
    this.#pending = pending
    this.#settings = settings
  }

  /** Takes over the requests of a shared statement that failed. */
  takeOver(failed: PendingRequest<Item, Answer>[], error: unknown) {
    const requests = failed.filter(isUnsettled)
    for (const request of requests) this.#pending.move(request, 'retried')
    this.#decide(firstPart(requests, 0), error)
    this.#sendNext()
  }

  /** Takes over a queued request with a key of a blocked one. */
  takeSuspect(request: PendingRequest<Item, Answer>) {
    if (this.isFull() && !request.hasBegun) return this.#pending.refuse(request, overloaded())
    this.#pending.move(request, 'suspect')
    this.sendAlone(request)
  }

  /** Sends a request that is suspect. */
  sendAlone(request: PendingRequest<Item, Answer>) {
    this.#enqueue(firstPart([request], SUSPECT_LEVEL))
    this.#sendNext()
  }

  isFull(): boolean {
    return this.#occupied() >= this.#settings.maxBlocked
  }

  #occupied(): number {
    return this.#pending.count('blocked') + this.#pending.count('suspect')
  }

  #enqueue(part: Part<Item, Answer>) {
    if (part.isBlocked) this.#readyBlocked.push(part)
    else (this.#ready[part.level] ??= []).push(part)
  }

  #sendNext() {
    for (let part = this.#nextPart(); part; part = this.#nextPart()) {
      const sent = part
      this.#sent.add(sent)
      void this.#send(sent).finally(() => {
        this.#sent.delete(sent)
        this.#sendNext()
      })
    }
  }

  #nextPart(): Part<Item, Answer> | undefined {
    if (this.#sent.size >= MAX_IN_FLIGHT) return undefined
    const parts = this.#ready.find((ofLevel) => ofLevel !== undefined && ofLevel.length > 0)
    if (parts) return parts.shift()
    const isBlockedSent = [...this.#sent].some(({ isBlocked }) => isBlocked)
    return this.#areLocksReleased || !isBlockedSent ? this.#readyBlocked.shift() : undefined
  }

  /** Settles every request of the part or passes it on; never rejects itself. */
  async #send(part: Part<Item, Answer>): Promise<void> {
    const requests = part.requests.filter((request) => this.#pending.isWanted(request))
    if (requests.length === 0) return
    if (Date.now() > part.sendBy) {
      return requests.forEach((request) => this.#pending.refuse(request, request.reason))
    }
    try {
      await this.#settings.send(requests)
      if (part.isBlocked) this.#areLocksReleased = true
    } catch (error) {
      if (part.isBlocked && isLockTimeout(error)) this.#areLocksReleased = false
      // Some may have been refused meanwhile: at their deadline, or because they were outdated.
      this.#decide({ ...part, requests: requests.filter(isUnsettled) }, error)
    }
  }

  /** Decides what happens to the requests of a part whose statement failed. */
  #decide(part: Part<Item, Answer>, error: unknown) {
    const { requests } = part
    const [first, ...others] = requests
    if (!first) return
    // An error about the data is about one of them, and not the reason why the others wait.
    if (isTransient(error)) for (const request of requests) request.reason = error
    if (isLockTimeout(error) && others.length === 0) this.#block(part, first)
    else if (mayRepeat(error) && !isLockTimeout(error)) this.#repeat(part)
    else if (others.length === 0) this.#pending.refuse(first, error)
    else if (isCancelled(error)) {
      const sendBy = Date.now() + STATEMENT_TIMEOUT_MS
      for (const request of requests) this.#enqueue({ ...firstPart([request], ALONE_LEVEL), sendBy })
    } else this.#divide(part)
  }

  #divide(part: Part<Item, Answer>) {
    const level = Math.min(part.level + 1, ALONE_LEVEL - 1)
    const keyOf = ({ item }: PendingRequest<Item, Answer>) => this.#settings.keysOf(item)[0] ?? ''
    for (const requests of divide(part.requests, keyOf)) {
      this.#enqueue({ ...part, requests, level, attempt: 1 })
    }
  }

  #block(part: Part<Item, Answer>, request: PendingRequest<Item, Answer>) {
    if (request.state !== 'blocked') {
      const isRoomTaken =
        request.state === 'suspect' ? this.#occupied() > this.#settings.maxBlocked : this.isFull()
      if (isRoomTaken && !request.hasBegun) return this.#pending.refuse(request, overloaded())
      this.#pending.move(request, 'blocked')
    }
    this.#pause({ ...part, isBlocked: true })
  }

  #repeat(part: Part<Item, Answer>) {
    this.#settings.onRepeat()
    this.#pause(part)
  }

  #pause(part: Part<Item, Answer>) {
    const attempt = part.attempt + 1
    setTimeout(() => {
      this.#enqueue({ ...part, attempt, sendBy: Infinity })
      this.#sendNext()
    }, pauseMsBefore(attempt))
  }
}

function firstPart<Item, Answer>(
  requests: PendingRequest<Item, Answer>[],
  level: number,
): Part<Item, Answer> {
  return { requests, level, attempt: 1, isBlocked: false, sendBy: Infinity }
}

/** About eight chunks; items that share a key stay together, unless all do. */
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
