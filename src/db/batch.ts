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
// - One bad request never fails the others of its batch, and delays them by no more than a lock time-out: when a statement
//   is refused, meets a lock or takes too long, isolate.ts takes over its requests and finds the one to blame. A request
//   that was sent alone and whose statement the server cancels gets that error at once.
// - When the connection or the primary is lost or does not answer, the batch is sent again until the deadline of each of its
//   requests. That is safe because every statement here may run twice. At its deadline a request is refused
//   `DatabaseUnavailable`, also while it is queued or its statement is in flight: no caller waits longer.
// - When a statement was made from what has changed meanwhile (`isOutdated`), each of its requests gets that error at once: its
//   caller decides again. So does a request that may no longer be sent when it would be (`isCurrent`).
// - A request whose client disconnected while it was queued is not sent; one whose client disconnects later delays no other.
import type { QueryResultRow } from 'pg'
import { databaseUnavailable, overloaded, Refusal } from '../refusal.ts'
import type { ConnectionKind } from './connections.ts'
import { isLockTimeout, isOutdated, mayRepeat, outdated } from './database-errors.ts'
import { type Db, pauseBefore, type Statement } from './db.ts'
import { isolateRequests, type PendingRequest } from './isolate.ts'
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
  /** The connections that statements use, `shared` by default. */
  on?: ConnectionKind
  /** Whether an error says that sending it again would only keep the database busy. */
  isPermanent?: (error: unknown) => boolean
  /** Whether the item may still be sent: looked at whenever a statement is made. All may by default. */
  isCurrent?: (item: Item) => boolean
  /** Whether the item continues an answer that has begun. */
  hasBegun?: (item: Item) => boolean
  maxWeight: number
  maxInFlight: number
  /** No limit by default: then only `maxInFlight` counts. */
  maxParallelRequests?: number
}

/** Whether the client of a request has disconnected, so that the answer would reach no one. */
export type IsGone = () => boolean

export function shareStatements<Item, Row extends QueryResultRow, Answer>(
  db: Pick<Db, 'attempt' | 'maxWaiting' | 'maxWhenBusy' | 'deadlineMs' | 'metrics'>,
  {
    kind,
    statementFor,
    answersFrom,
    weightOf,
    keysOf = () => [],
    on = 'shared',
    isPermanent = () => false,
    isCurrent = () => true,
    hasBegun = () => false,
    maxWeight,
    maxInFlight,
    maxParallelRequests = Infinity,
  }: Sharing<Item, Row, Answer>,
) {
  type Request = PendingRequest<Item, Answer>
  let queue: Request[] = []
  let statementsInFlight = 0
  let requestsInFlight = 0
  const isolated = isolateRequests<Item, Answer>({
    send: (requests) => answer(requests, 'retry'),
    keysOf,
    hasBegun,
    maxBlocked: db.maxWaiting,
    onRepeat: () => watch.repeated(),
  })
  const watch = watchStatements(db.metrics, {
    kind,
    waiting: () => queue.length + isolated.unanswered(),
    blocked: isolated.blocked,
  })
  let maxQueued = db.maxWaiting

  function ask(item: Item, isGone: IsGone): Promise<Answer> {
    const isSuspect = isolated.isSuspect(item)
    if ((isSuspect ? isolated.isFull() : isFull()) && !hasBegun(item)) {
      throw overloaded()
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const request: Request = { item, isGone, askedAt: Date.now(), isLate: false, resolve, reject }
    const timer = setTimeout(() => {
      request.isLate = true
      queue = queue.filter((other) => other !== request)
      reject(request.reason ?? databaseUnavailable())
    }, db.deadlineMs).unref()
    const settled = promise.finally(() => {
      clearTimeout(timer)
      isolated.forget(request)
    })
    if (isSuspect) isolated.takeSuspect(request)
    else {
      queue.push(request)
      sendFromQueue()
    }
    return settled
  }

  function isFull(): boolean {
    return queue.length >= maxQueued || queue.length + isolated.unanswered() >= db.maxWaiting
  }

  function sendFromQueue() {
    while (queue.length > 0 && maySend()) {
      const batch = takeBatch()
      const [first] = batch
      if (!first) return
      watch.sent(batch.length, Date.now() - first.askedAt)
      statementsInFlight++
      requestsInFlight += batch.length
      void send(batch).finally(() => {
        statementsInFlight--
        requestsInFlight -= batch.length
        sendFromQueue()
      })
    }
  }

  function maySend(): boolean {
    return (
      statementsInFlight === 0 || (statementsInFlight < maxInFlight && requestsInFlight < maxParallelRequests)
    )
  }

  function takeBatch(): Request[] {
    const batch: Request[] = []
    let weight = 0
    let taken = 0
    for (const request of queue) {
      if (request.isGone()) request.reject(new Refusal('RequestTimeout', 'The client disconnected.'))
      // It was queued before the other one was known to be blocked.
      else if (isolated.isSuspect(request.item)) isolated.takeSuspect(request)
      else {
        weight += weightOf(request.item)
        if (batch.length > 0 && weight > maxWeight) break
        batch.push(request)
      }
      taken++
    }
    queue = queue.slice(taken)
    maxQueued = queue.length > 0 ? Math.min(db.maxWaiting, Math.max(taken, db.maxWhenBusy)) : db.maxWaiting
    return batch
  }

  /** Settles every request of the batch, or passes it to isolate.ts; never rejects itself. */
  async function send(batch: Request[]): Promise<void> {
    let requests = batch
    for (let attempt = 1; ; attempt++) {
      requests = requests.filter(({ isLate }) => !isLate)
      if (requests.length === 0) return
      if (attempt > 1) watch.repeated()
      try {
        return await answer(requests, on)
      } catch (error) {
        if (!mayRepeat(error) || isLockTimeout(error) || isPermanent(error)) {
          return isolated.takeOver(requests, error)
        }
        for (const request of requests) request.reason = error
        await pauseBefore(attempt)
      }
    }
  }

  async function answer(batch: Request[], connections: ConnectionKind): Promise<void> {
    const requests = batch.filter(mayBeSent)
    if (requests.length === 0) return
    const items = requests.map(({ item }) => item)
    const sentAt = performance.now()
    try {
      const { rows, rowCount } = await db.attempt<Row>(statementFor(items), connections)
      watch.answered(performance.now() - sentAt)
      const answers = answersFrom(rows, items, rowCount)
      requests.forEach(({ resolve }, index) => resolve(answers[index] as Answer))
    } catch (error) {
      if (!isOutdated(error)) throw error
      for (const { reject } of requests) reject(error)
    }
  }

  function mayBeSent({ item, reject }: Request): boolean {
    if (isCurrent(item)) return true
    reject(outdated())
    return false
  }

  return ask
}
