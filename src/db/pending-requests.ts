// The requests that wait for a shared statement. Each is in one state, and only `move` changes it; everything that is counted is
// counted there, so a request that is settled counts nowhere.
//
//   from      to        when
//   –         queued    it was asked, and the next statement is to take it
//   –         sent      it was asked, and is sent at once
//   –         suspect   it was asked, and shares a key with a blocked request: isolate.ts sends it alone
//   queued    sent      a statement takes it; it stays so while that statement is repeated because the connection was lost
//   queued    suspect   a request with one of its keys was found to be blocked meanwhile
//   sent      retried   its statement failed: isolate.ts sends it in smaller ones
//   retried   blocked   it was sent alone and met a lock
//   suspect   blocked   the same
//   each      settled   it has its answer or its error: also at its deadline, and when its client has disconnected
//
// A statement may return after the deadline of some of its requests. Those are settled, and stay as they are.
//
// All requests have the same time, so they reach their deadlines in the order in which they were asked, and one timer is enough.

import { clientDisconnected, databaseUnavailable, Refusal } from '../refusal.ts'
import { isSessionGood, isTransient } from './database-errors.ts'
import { FairQueue } from './fair-queue.ts'
import { OpenOfSubject } from './open-of-subject.ts'

type State = 'queued' | 'sent' | 'retried' | 'suspect' | 'blocked' | 'settled'

/** States in which isolate.ts has the request. */
type Isolated = 'retried' | 'suspect' | 'blocked'

function mayBecome(from: State, to: State): boolean {
  if (to === 'settled') return from !== 'settled'
  if (from === 'queued') return to === 'sent' || to === 'suspect'
  if (from === 'sent') return to === 'retried'
  return to === 'blocked' && (from === 'retried' || from === 'suspect')
}

export type PendingRequest<Item, Answer> = {
  readonly item: Item
  /** The verified caller. */
  readonly subject: string
  /** Whether the item continues an answer that has begun, which must not be cut off. */
  readonly hasBegun: boolean
  /** Whether the client has disconnected, so that the answer would reach no one. */
  readonly isGone: () => boolean
  /** In the time of `performance.now()`. */
  readonly askedAt: number
  /** Read by all, changed by PendingRequests. */
  state: State
  /** The last transient error, if there was one: the reason that it is given at its deadline. */
  reason: unknown
  /** The unsettled requests that were asked just before and just after. */
  older: PendingRequest<Item, Answer> | undefined
  newer: PendingRequest<Item, Answer> | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

function isIsolated(state: State): state is Isolated {
  return state === 'retried' || state === 'suspect' || state === 'blocked'
}

export const isUnsettled = ({ state }: { state: State }) => state !== 'settled'

/** Longer than an attempt takes that gets no answer: waiting for a connection, then for the rows. */
const ANSWERS_WITHIN_MS = 10_000

/**
 * Why a request that was asked at this time is refused at its deadline. The database is to blame unless it has answered other
 * requests since, and lately. Both times are those of `performance.now()`.
 */
export function refuseLate(askedAt: number, answeredAt: number): Refusal {
  const isAnswering = answeredAt > Math.max(askedAt, performance.now() - ANSWERS_WITHIN_MS)
  if (!isAnswering) return databaseUnavailable()
  return new Refusal('Overloaded', 'The request waited too long behind others. Try again shortly.')
}

/** Whether an error shows that the database is there: the server refused or cancelled the statement. */
export function isAnAnswer(error: unknown): boolean {
  return !isTransient(error) || isSessionGood(error)
}

type Settings<Item> = {
  deadlineMs: number
  /** Items with a key in common are likely to need the same rows. */
  keysOf: (item: Item) => string[]
  /** Maximum number of unsettled requests of one subject. */
  maxOfSubject: number
}

export class PendingRequests<Item, Answer> {
  readonly queue = new FairQueue<PendingRequest<Item, Answer>>()
  readonly #settings: Settings<Item>
  /** Unsettled requests are linked, from the oldest to the newest: a Set would cost more than a timer for each. */
  #oldest: PendingRequest<Item, Answer> | undefined
  #newest: PendingRequest<Item, Answer> | undefined
  #unsettled = 0
  readonly #isolated: Record<Isolated, number> = { retried: 0, suspect: 0, blocked: 0 }
  readonly #blockedByKey = new Map<string, number>()
  readonly #ofSubject: OpenOfSubject | undefined
  #timer: NodeJS.Timeout | undefined
  /** When the database last answered a statement of these requests, also with an error. */
  #answeredAt = -Infinity

  constructor(settings: Settings<Item>) {
    this.#settings = settings
    if (settings.maxOfSubject < Infinity) {
      this.#ofSubject = new OpenOfSubject('requests of this kind', settings.maxOfSubject)
    }
  }

  count(state: Isolated): number {
    return this.#isolated[state]
  }

  /** Everything that is counted here: 0 once all requests are settled. */
  countAll(): number {
    const { retried, suspect, blocked } = this.#isolated
    const subjects = this.#ofSubject?.size ?? 0
    const isolated = retried + suspect + blocked + this.#blockedByKey.size
    return this.#unsettled + this.queue.size + isolated + subjects
  }

  /** Whether the item has a key of a blocked request. */
  isSuspect(item: Item): boolean {
    const blocked = this.#blockedByKey
    return blocked.size > 0 && this.#settings.keysOf(item).some((key) => blocked.has(key))
  }

  mustHaveRoomFor(subject: string) {
    this.#ofSubject?.mustHaveRoom(subject)
  }

  add(request: PendingRequest<Item, Answer>) {
    if (this.#newest) this.#newest.newer = request
    else {
      this.#oldest = request
      this.#lookAfter(this.#settings.deadlineMs)
    }
    request.older = this.#newest
    this.#newest = request
    this.#unsettled++
    this.#ofSubject?.enter(request.subject)
    this.#enter(request)
  }

  move(request: PendingRequest<Item, Answer>, to: State) {
    const from = request.state
    if (!mayBecome(from, to)) throw new Error(`A request that is ${from} cannot become ${to}.`)
    if (from === 'queued') this.queue.remove(request)
    else if (isIsolated(from)) this.#countIsolated(request, from, -1)
    request.state = to
    this.#enter(request)
  }

  #enter(request: PendingRequest<Item, Answer>) {
    const { state } = request
    if (state === 'settled') this.#leave(request)
    else if (state === 'queued') this.queue.push(request)
    else if (isIsolated(state)) this.#countIsolated(request, state, 1)
  }

  #countIsolated({ item }: PendingRequest<Item, Answer>, state: Isolated, change: 1 | -1) {
    this.#isolated[state] += change
    if (state !== 'blocked') return
    for (const key of this.#settings.keysOf(item)) {
      const count = (this.#blockedByKey.get(key) ?? 0) + change
      if (count > 0) this.#blockedByKey.set(key, count)
      else this.#blockedByKey.delete(key)
    }
  }

  #leave(request: PendingRequest<Item, Answer>) {
    const { older, newer } = request
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
    // A settled request that is still referenced must not keep others in memory.
    request.older = undefined
    request.newer = undefined
    this.#unsettled--
    this.#ofSubject?.leave(request.subject)
    if (!this.#oldest) clearTimeout(this.#timer)
  }

  answer(request: PendingRequest<Item, Answer>, answer: Answer) {
    if (request.state === 'settled') return
    this.move(request, 'settled')
    request.resolve(answer)
  }

  refuse(request: PendingRequest<Item, Answer>, error: unknown) {
    if (request.state === 'settled') return
    this.move(request, 'settled')
    request.reject(error)
  }

  /** Whether the request may be sent now; refuses one whose client has disconnected. */
  isWanted(request: PendingRequest<Item, Answer>): boolean {
    if (request.state === 'settled') return false
    if (!request.isGone()) return true
    this.refuse(request, clientDisconnected())
    return false
  }

  noteAnswer() {
    this.#answeredAt = performance.now()
  }

  #lookAfter(ms: number) {
    this.#timer = setTimeout(() => this.#refuseLate(), ms).unref()
  }

  #refuseLate() {
    while (this.#oldest) {
      const leftMs = this.#oldest.askedAt + this.#settings.deadlineMs - performance.now()
      if (leftMs > 0) return this.#lookAfter(leftMs)
      const { reason, askedAt } = this.#oldest
      this.refuse(this.#oldest, reason ?? refuseLate(askedAt, this.#answeredAt))
    }
  }
}
