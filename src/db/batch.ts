// Concurrent requests share statements: while statements are on their way, arriving requests gather, and go out together
// as soon as one of those returns. The rules:
//
// - Nothing waits for company. There is no timer: a lone request goes out at once, and so do others, in up to `lanes`
//   statements.
// - When `manyOut` requests are out, those that arrive gather until no statement is out. Larger batches cost less: against
//   two statements at any time, adds took a fifth less of PostgreSQL's CPU and a fifth more of them were served.
// - A batch weighs at most `maxWeight`; a heavier request goes alone.
// - At most `maxWaiting` requests stand in line; the next one is refused `Overloaded` at once, unless it goes on with an
//   answer that has begun: cutting that off would only bring it back. When a statement could not take the whole line, the
//   database answers more slowly than requests come: until one can, no more stand in line than a statement takes.
// - One bad request never fails its neighbours and delays them for the time-out of a lock only: when a statement is refused,
//   meets a lock or takes too long, its requests leave this queue, and isolate.ts finds the one to blame. A request
//   that is sent alone and that the server stops for taking too long has that error at once.
// - When the connection or the primary is lost, or does not answer, the batch is sent again until the deadline of each of its
//   requests. That is safe because every statement here may run twice. At its deadline a request is refused
//   `DatabaseUnavailable`, also while it is queued or its statement is out: no caller waits for longer.
// - A request whose caller went away while it stood in line is not sent, and one that went away later holds up nobody.
import type { QueryResultRow } from 'pg'
import { databaseUnavailable, overloaded, Refusal } from '../refusal.ts'
import type { ConnectionKind } from './connections.ts'
import { isLockTimeout, mayRepeat } from './database-errors.ts'
import { type Db, pauseBefore, type Statement } from './db.ts'
import { isolateRequests, type PendingRequest } from './isolate.ts'
import { watchStatements } from './watch-statements.ts'

export type Sharing<Item, Row extends QueryResultRow, Answer> = {
  /** What the metrics call these statements. */
  kind: string
  /** One statement for all items; it must be one that may run twice. */
  statementFor: (items: Item[]) => Statement
  /** The answer of each item, in the order of the items. */
  answersFrom: (rows: Row[], items: Item[], rowCount: number) => Answer[]
  weightOf: (item: Item) => number
  /** What items have in common that are likely to need the same locked rows, such as their patients. None by default. */
  keysOf?: (item: Item) => string[]
  /** The connections that statements use, `shared` by default. */
  on?: ConnectionKind
  /** Whether an error says that sending it again would only keep the database busy. */
  isHopeless?: (error: unknown) => boolean
  /** Whether the item goes on with an answer that has begun. */
  hasBegun?: (item: Item) => boolean
  maxWeight: number
  lanes: number
  /** Without it all lanes are used, however many requests are out. */
  manyOut?: number
}

/** Whether the caller of a request has disconnected, so that nobody would receive the answer. */
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
    isHopeless = () => false,
    hasBegun = () => false,
    maxWeight,
    lanes,
    manyOut = Infinity,
  }: Sharing<Item, Row, Answer>,
) {
  type Request = PendingRequest<Item, Answer>
  let line: Request[] = []
  let statementsOut = 0
  let requestsOut = 0
  const isolated = isolateRequests<Item, Answer>({
    send: (requests) => answer(requests, 'retry'),
    keysOf,
    hasBegun,
    maxBlocked: db.maxWaiting,
    onRepeat: () => watch.repeated(),
  })
  const watch = watchStatements(db.metrics, {
    kind,
    waiting: () => line.length + isolated.unanswered(),
    blocked: isolated.blocked,
  })
  let mostInLine = db.maxWaiting

  function ask(item: Item, isGone: IsGone): Promise<Answer> {
    const isSuspect = isolated.isSuspect(item)
    if ((isSuspect ? isolated.isFull() : isFull()) && !hasBegun(item)) {
      throw overloaded()
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const request: Request = { item, isGone, askedAt: Date.now(), isLate: false, resolve, reject }
    const timer = setTimeout(() => {
      request.isLate = true
      line = line.filter((other) => other !== request)
      reject(request.reason ?? databaseUnavailable())
    }, db.deadlineMs).unref()
    const settled = promise.finally(() => {
      clearTimeout(timer)
      isolated.forget(request)
    })
    if (isSuspect) isolated.takeSuspect(request)
    else {
      line.push(request)
      sendFromLine()
    }
    return settled
  }

  function isFull(): boolean {
    return line.length >= mostInLine || line.length + isolated.unanswered() >= db.maxWaiting
  }

  function sendFromLine() {
    while (line.length > 0 && mayGoOut()) {
      const batch = takeFromLine()
      const [first] = batch
      if (!first) return
      watch.sent(batch.length, Date.now() - first.askedAt)
      statementsOut++
      requestsOut += batch.length
      void send(batch).finally(() => {
        statementsOut--
        requestsOut -= batch.length
        sendFromLine()
      })
    }
  }

  function mayGoOut(): boolean {
    return statementsOut === 0 || (statementsOut < lanes && requestsOut < manyOut)
  }

  function takeFromLine(): Request[] {
    const batch: Request[] = []
    let weight = 0
    let taken = 0
    for (const request of line) {
      if (request.isGone()) request.reject(new Refusal('RequestTimeout', 'The caller went away.'))
      // It came before the other one was known to be blocked.
      else if (isolated.isSuspect(request.item)) isolated.takeSuspect(request)
      else {
        weight += weightOf(request.item)
        if (batch.length > 0 && weight > maxWeight) break
        batch.push(request)
      }
      taken++
    }
    line = line.slice(taken)
    mostInLine = line.length > 0 ? Math.min(db.maxWaiting, Math.max(taken, db.maxWhenBusy)) : db.maxWaiting
    return batch
  }

  /** Settles every request of the batch, or hands it on; never rejects itself. */
  async function send(batch: Request[]): Promise<void> {
    let requests = batch
    for (let attempt = 1; ; attempt++) {
      requests = requests.filter(({ isLate }) => !isLate)
      if (requests.length === 0) return
      if (attempt > 1) watch.repeated()
      try {
        return await answer(requests, on)
      } catch (error) {
        if (!mayRepeat(error) || isLockTimeout(error) || isHopeless(error)) {
          return isolated.takeOver(requests, error)
        }
        for (const request of requests) request.reason = error
        await pauseBefore(attempt)
      }
    }
  }

  async function answer(requests: Request[], connections: ConnectionKind): Promise<void> {
    const items = requests.map(({ item }) => item)
    const sentAt = performance.now()
    const { rows, rowCount } = await db.attempt<Row>(statementFor(items), connections)
    watch.answered(performance.now() - sentAt)
    const answers = answersFrom(rows, items, rowCount)
    requests.forEach(({ resolve }, index) => resolve(answers[index] as Answer))
  }

  return ask
}
