// Concurrent requests share statements: while statements are in flight, arriving requests are queued, and are sent together as
// soon as one of those returns. The rules:
//
// - There is no batching delay. A request is sent at once while fewer than `maxInFlight` statements are in flight; otherwise
//   it joins the next batch.
// - Once `maxParallelRequests` requests are in flight, the next batch is sent when no statement is. Larger batches cost less:
//   compared with two statements at any time, adds took a fifth less of PostgreSQL's CPU and a fifth more were served.
// - A batch weighs at most `maxWeight`; a heavier request is sent alone.
// - At most `maxWaiting` requests are queued; the next one is refused `Overloaded` at once, unless it continues an answer
//   that has begun: the client would only repeat the whole. When one statement could not take the whole queue, requests
//   arrive faster than the database answers: until one can, the queue holds no more than a statement takes.
// - Subjects are served in turn, and none has more than its share of a full queue (fair-queue.ts): the newest request of the
//   subject with most is refused `Overloaded` instead. Beyond `maxOfSubject` unsettled requests of a subject, the next one is
//   refused `RateLimited`.
// - One bad request never fails the others of its batch, and delays them by no more than a lock time-out: when a statement
//   is refused, meets a lock or takes too long, isolate.ts takes over its requests and finds the one to blame. A request
//   that was sent alone and whose statement the server cancels gets that error at once.
// - When the connection or the primary is lost or does not answer, the batch is sent again until the deadline of each of its
//   requests. That is safe because every statement here may run twice.
// - At its deadline a request is refused, also while it is queued or its statement is in flight: no caller waits longer. It is
//   refused `DatabaseUnavailable` if it met a transient error or the database answered no other request either, and `Overloaded`
//   if it waited while the database answered others.
// - A request whose client disconnected while it was queued is not sent; one whose client disconnects later delays no other.
//
// The states of a request and its transitions are in pending-requests.ts.
import type { QueryResultRow } from 'pg'
import { overloaded } from '../refusal.ts'
import type { ConnectionKind } from './connections.ts'
import { isLockTimeout, mayRepeat } from './database-errors.ts'
import type { Db } from './db.ts'
import { Isolation } from './isolate.ts'
import { pauseBefore } from './pauses.ts'
import { isAnAnswer, isUnsettled, type PendingRequest, PendingRequests } from './pending-requests.ts'
import type { Statement } from './statement.ts'
import { watchStatements } from './watch-statements.ts'

export type Sharing<Item, Row extends QueryResultRow, Answer> = {
  /** The label of these statements in the metrics. */
  kind: string
  /** One statement for all items; it must be one that may run twice. */
  statementFor: (items: Item[]) => Statement
  /** The answer of each item, in the order of the items. */
  answersFrom: (rows: Row[], items: Item[], rowCount: number) => Answer[]
  weightOf: (item: Item) => number
  /** Items with a key in common, such as a patient, are likely to need the same locked rows. None by default. */
  keysOf?: (item: Item) => string[]
  /** The verified caller of an item. All are of one subject by default. */
  subjectOf?: (item: Item) => string
  /** Maximum number of unsettled requests of one subject. No limit by default: a subject has its share of the queue. */
  maxOfSubject?: number
  /** The connections that statements use, `shared` by default. */
  on?: ConnectionKind
  /** Whether an error says that sending it again would only keep the database busy. */
  isPermanent?: (error: unknown) => boolean
  /** Whether the item continues an answer that has begun. */
  hasBegun?: (item: Item) => boolean
  maxWeight: number
  maxInFlight: number
  /** No limit by default: then only `maxInFlight` counts. */
  maxParallelRequests?: number
}

/** Whether the client of a request has disconnected, so that the answer would reach no one. */
export type IsGone = () => boolean

/** Returns how to ask for one item; the answer is that of its part of a shared statement. */
export function shareStatements<Item, Row extends QueryResultRow, Answer>(
  db: SharingDb,
  sharing: Sharing<Item, Row, Answer>,
): (item: Item, isGone: IsGone) => Promise<Answer> {
  const statements = new SharedStatements(db, { ...DEFAULTS, ...sharing })
  return (item, isGone) => statements.ask(item, isGone)
}

type SharingDb = Pick<Db, 'attempt' | 'maxWaiting' | 'maxWhenBusy' | 'deadlineMs' | 'metrics' | 'queues'>

const DEFAULTS = {
  keysOf: (): string[] => [],
  subjectOf: () => '',
  maxOfSubject: Infinity,
  on: 'shared' as const,
  isPermanent: () => false,
  hasBegun: () => false,
  maxParallelRequests: Infinity,
}

class SharedStatements<Item, Row extends QueryResultRow, Answer> {
  readonly #db: SharingDb
  readonly #sharing: Required<Sharing<Item, Row, Answer>>
  readonly #pending: PendingRequests<Item, Answer>
  readonly #isolation: Isolation<Item, Answer>
  readonly #watch: ReturnType<typeof watchStatements>
  /** The requests of each statement in flight. */
  readonly #inFlight = new Set<PendingRequest<Item, Answer>[]>()
  /** Less than `maxWaiting` while requests arrive faster than the database answers. */
  #maxQueued: number

  constructor(db: SharingDb, sharing: Required<Sharing<Item, Row, Answer>>) {
    const { kind, keysOf, maxOfSubject } = sharing
    this.#db = db
    this.#sharing = sharing
    this.#maxQueued = db.maxWaiting
    const pending = new PendingRequests<Item, Answer>({ deadlineMs: db.deadlineMs, keysOf, maxOfSubject })
    this.#pending = pending
    this.#isolation = new Isolation(pending, {
      send: (requests) => this.#answer(requests, 'retry'),
      keysOf,
      maxBlocked: db.maxWaiting,
      onRepeat: () => this.#watch.retried(),
    })
    const waiting = () => this.#countWithoutStatement()
    this.#watch = watchStatements(db.metrics, { kind, waiting, blocked: () => pending.count('blocked') })
    db.queues.add({ countWaiting: () => this.#countWaiting(), countAll: () => pending.countAll() })
  }

  ask(item: Item, isGone: IsGone): Promise<Answer> {
    const subject = this.#sharing.subjectOf(item)
    const isSuspect = this.#pending.isSuspect(item)
    const hasBegun = this.#sharing.hasBegun(item)
    if (!hasBegun) this.#mustHaveRoomFor(subject, isSuspect)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const request: PendingRequest<Item, Answer> = {
      item,
      subject,
      hasBegun,
      isGone,
      askedAt: performance.now(),
      state: isSuspect ? 'suspect' : 'queued',
      reason: undefined,
      older: undefined,
      newer: undefined,
      resolve,
      reject,
    }
    // Nothing is queued before it: it need not be either.
    const isNext = !isSuspect && this.#pending.queue.size === 0 && this.#maySend() && !isGone()
    if (isNext) request.state = 'sent'
    this.#pending.add(request)
    if (isNext) this.#sendBatch([request], request)
    else if (isSuspect) this.#isolation.sendAlone(request)
    else this.#sendFromQueue()
    return promise
  }

  /** Refuses the newest request of the subject with most, or throws. */
  #mustHaveRoomFor(subject: string, isSuspect: boolean) {
    this.#pending.mustHaveRoomFor(subject)
    if (!(isSuspect ? this.#isolation.isFull() : this.#isFull())) return
    const surplus = isSuspect ? undefined : this.#pending.queue.surplusBeside(subject)
    if (!surplus) throw overloaded()
    this.#pending.refuse(surplus, overloaded())
  }

  #isFull(): boolean {
    const { maxWaiting } = this.#db
    return this.#pending.queue.size >= this.#maxQueued || this.#countWithoutStatement() >= maxWaiting
  }

  #countWithoutStatement(): number {
    return this.#pending.queue.size + this.#pending.count('retried')
  }

  /** Those that the next statement takes wait for milliseconds; the others wait for the database. */
  #countWaiting(): number {
    const pending = this.#pending
    const isSlow = this.#maxQueued < this.#db.maxWaiting
    const queued = pending.queue.sizeOfNew
    const apart = pending.count('retried') + pending.count('suspect') + pending.count('blocked')
    return apart + (isSlow ? queued : Math.max(0, queued - this.#sharing.maxWeight))
  }

  #sendFromQueue() {
    while (this.#pending.queue.size > 0 && this.#maySend()) {
      const batch = this.#takeBatch()
      const [first] = batch
      if (!first) return
      this.#sendBatch(batch, first)
    }
  }

  #sendBatch(batch: PendingRequest<Item, Answer>[], first: PendingRequest<Item, Answer>) {
    this.#watch.sent(batch.length, performance.now() - first.askedAt)
    this.#inFlight.add(batch)
    void this.#send(batch).finally(() => {
      this.#inFlight.delete(batch)
      this.#sendFromQueue()
    })
  }

  #maySend(): boolean {
    const { maxInFlight, maxParallelRequests } = this.#sharing
    if (this.#inFlight.size === 0) return true
    let requests = 0
    for (const { length } of this.#inFlight) requests += length
    return this.#inFlight.size < maxInFlight && requests < maxParallelRequests
  }

  #takeBatch(): PendingRequest<Item, Answer>[] {
    const { queue } = this.#pending
    const batch: PendingRequest<Item, Answer>[] = []
    let weight = 0
    let taken = 0
    queue.takeInTurn((request) => {
      if (this.#pending.isWanted(request)) {
        // It was queued before the other one was known to be blocked.
        if (this.#pending.isSuspect(request.item)) this.#isolation.takeSuspect(request)
        else {
          weight += this.#sharing.weightOf(request.item)
          if (batch.length > 0 && weight > this.#sharing.maxWeight) return false
          this.#pending.move(request, 'sent')
          batch.push(request)
        }
      }
      taken++
      return true
    })
    const { maxWaiting, maxWhenBusy } = this.#db
    this.#maxQueued = queue.size > 0 ? Math.min(maxWaiting, Math.max(taken, maxWhenBusy)) : maxWaiting
    return batch
  }

  /** Settles every request of the batch, or passes it to isolate.ts; never rejects itself. */
  async #send(batch: PendingRequest<Item, Answer>[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const requests = batch.filter(isUnsettled)
      if (requests.length === 0) return
      if (attempt > 1) this.#watch.retried()
      try {
        return await this.#answer(requests, this.#sharing.on)
      } catch (error) {
        if (!mayRepeat(error) || isLockTimeout(error) || this.#sharing.isPermanent(error)) {
          return this.#isolation.takeOver(requests, error)
        }
        for (const request of requests) request.reason = error
        await pauseBefore(attempt)
      }
    }
  }

  async #answer(requests: PendingRequest<Item, Answer>[], connections: ConnectionKind): Promise<void> {
    const items = requests.map(({ item }) => item)
    const sentAt = performance.now()
    try {
      const { rows, rowCount } = await this.#db.attempt<Row>(this.#sharing.statementFor(items), connections)
      this.#pending.noteAnswer()
      this.#watch.answered(performance.now() - sentAt)
      const answers = this.#sharing.answersFrom(rows, items, rowCount)
      requests.forEach((request, index) => this.#pending.answer(request, answers[index] as Answer))
    } catch (error) {
      if (isAnAnswer(error)) this.#pending.noteAnswer()
      throw error
    }
  }
}
