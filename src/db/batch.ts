// Concurrent requests share statements: while statements are in flight, arriving requests are queued, and are sent together as
// soon as one of those returns. Every statement here may run twice. A request is in one state:
//
//   from      to        when
//   –         queued    it was asked
//   queued    sent      a statement has room for it; it stays so while that is repeated because the connection was lost
//   queued    suspect   it shares a key with a blocked request
//   sent      retried   its statement failed: it is sent in a smaller one
//   retried   blocked   it was sent alone and met a lock
//   suspect   blocked   the same
//   each      settled   it has its answer or its error: also at its deadline, and when its client has disconnected
//
// - There is no batching delay: a request is sent at once while fewer than `maxInFlight` statements are in flight. Once
//   `maxParallelRequests` requests are, the next statement is sent when none is. Larger ones cost less: compared with two at any
//   time, adds took a fifth less of PostgreSQL's CPU and a fifth more were served.
// - Subjects are served in turn (fair-queue.ts), and a full queue refuses the newest request of the subject with most. It
//   holds `maxWaiting`, and while one statement cannot take all that is queued, no more than a statement takes. A request that
//   continues an answer that has begun is never refused: the client would repeat the whole.
// - One bad request never fails the others of its statement: the requests of one that failed are divided into eight parts,
//   those into eight, until one is alone and gets the error. Parts go to connections of their own (`retry`), whose sessions wait
//   for a lock only long enough to see that there is one; larger parts go first.
// - A request alone that meets a lock is blocked: it is sent again after a pause, behind all others. Later ones with one of its
//   keys are suspect: they go alone, because they may need the same row. As many may be blocked or suspect as may be queued.
// - When the server cancels a shared statement because it took too long, each of its requests is sent alone, once, within
//   the time that a statement may take.
// - At its deadline a request is refused, wherever it is: `Overloaded` if the database answered others meanwhile.
import type { QueryResultRow } from 'pg'
import { clientDisconnected, overloaded } from '../refusal.ts'
import { type ConnectionKind, STATEMENT_TIMEOUT_MS } from './connections.ts'
import { isCancelled, isLockTimeout, isTransient, mayRepeat } from './database-errors.ts'
import type { Db } from './db.ts'
import { FairQueue } from './fair-queue.ts'
import { OpenOfSubject } from './open-of-subject.ts'
import { pauseBefore, pauseMsBefore } from './pauses.ts'
import { isAnAnswer, refuseLate } from './refuse-late.ts'
import type { Statement } from './statement.ts'
import { watchStatements } from './watch-statements.ts'

const PARTS = 8
const MAX_PARTS_IN_FLIGHT = 2

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
  /** Maximum number of unsettled requests of one subject: beyond it `RateLimited`. No limit by default. */
  maxOfSubject?: number
  /** The connections that statements use, `shared` by default. */
  on?: ConnectionKind
  /** Whether an error says that sending it again would only keep the database busy. */
  isPermanent?: (error: unknown) => boolean
  /** Whether the item continues an answer that has begun. */
  hasBegun?: (item: Item) => boolean
  /** Of one statement; a heavier request is sent alone. */
  maxWeight: number
  maxInFlight: number
  /** No limit by default: then only `maxInFlight` counts. */
  maxParallelRequests?: number
}

/** Whether the client of a request has disconnected, so that the answer would reach no one. */
export type IsGone = () => boolean

type State = 'queued' | 'sent' | 'retried' | 'suspect' | 'blocked' | 'settled'

const NEXT: Record<State, readonly State[]> = {
  queued: ['sent', 'suspect', 'settled'],
  sent: ['retried', 'settled'],
  retried: ['blocked', 'settled'],
  suspect: ['blocked', 'settled'],
  blocked: ['settled'],
  settled: [],
}

type Request<Item, Answer> = {
  readonly item: Item
  readonly subject: string
  readonly hasBegun: boolean
  readonly isGone: IsGone
  /** In the time of `performance.now()`. */
  readonly askedAt: number
  /** Changed by `#move` alone. */
  state: State
  /** The last transient error, if there was one: the reason that it is given at its deadline. */
  reason: unknown
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

const isUnsettled = ({ state }: { state: State }) => state !== 'settled'

/** Requests that are sent in one statement on the connections for retries. */
type Part<Item, Answer> = { requests: Request<Item, Answer>[]; attempt: number; sendBy: number }

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
  readonly #watch: ReturnType<typeof watchStatements>
  readonly #queue = new FairQueue<Request<Item, Answer>>()
  /** Less than `maxWaiting` after a statement that could not take the whole queue: requests arrive faster than it is emptied. */
  #maxQueued: number
  /** The requests of each shared statement in flight. */
  readonly #inFlight = new Set<Request<Item, Answer>[]>()
  /** Requests that are retried, suspect or blocked, and their parts: ready, or in flight. */
  readonly #apart = new Set<Request<Item, Answer>>()
  readonly #ready: Part<Item, Answer>[] = []
  readonly #partsInFlight = new Set<Part<Item, Answer>>()
  /** How many requests of each key are blocked. */
  readonly #blockedKeys = new Map<string, number>()
  readonly #ofSubject: OpenOfSubject | undefined
  /** When the database last answered a statement of these requests, also with an error. */
  #answeredAt = -Infinity
  /** Rings at the deadline of a request that was the oldest when it was set. */
  #deadline: NodeJS.Timeout | undefined

  constructor(db: SharingDb, sharing: Required<Sharing<Item, Row, Answer>>) {
    const { kind, maxOfSubject } = sharing
    this.#db = db
    this.#sharing = sharing
    this.#maxQueued = db.maxWaiting
    if (maxOfSubject < Infinity) this.#ofSubject = new OpenOfSubject('requests of this kind', maxOfSubject)
    const waiting = () => this.#countWithoutStatement()
    this.#watch = watchStatements(db.metrics, { kind, waiting, blocked: () => this.#countApart('blocked') })
    db.queues.add({ countWaiting: () => this.#countWaiting(), countAll: () => this.#countAll() })
  }

  ask(item: Item, isGone: IsGone): Promise<Answer> {
    const subject = this.#sharing.subjectOf(item)
    const hasBegun = this.#sharing.hasBegun(item)
    const isSuspect = this.#isSuspect(item)
    if (!hasBegun) this.#mustHaveRoomFor(subject, isSuspect)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const about = { item, subject, hasBegun, isGone, askedAt: performance.now(), resolve, reject }
    const request: Request<Item, Answer> = { ...about, state: 'queued', reason: undefined }
    this.#ofSubject?.enter(subject)
    this.#deadline ??= this.#lookAfter(this.#db.deadlineMs)
    this.#queue.push(request)
    if (isSuspect) this.#sendAlone(request)
    this.#sendFromQueue()
    return promise
  }

  /** Refuses the newest request of the subject with most, or throws. */
  #mustHaveRoomFor(subject: string, isSuspect: boolean) {
    this.#ofSubject?.mustHaveRoom(subject)
    if (!(isSuspect ? this.#isFullOfBlocked() : this.#isFull())) return
    const surplus = isSuspect ? undefined : this.#queue.surplusBeside(subject)
    if (!surplus) throw overloaded()
    this.#refuse(surplus, overloaded())
  }

  #isFull(): boolean {
    return this.#queue.size >= this.#maxQueued || this.#countWithoutStatement() >= this.#db.maxWaiting
  }

  #isFullOfBlocked(): boolean {
    return this.#countApart('blocked', 'suspect') >= this.#db.maxWaiting
  }

  #countApart(...states: State[]): number {
    let count = 0
    for (const { state } of this.#apart) if (states.includes(state)) count++
    return count
  }

  #countWithoutStatement(): number {
    return this.#queue.size + this.#countApart('retried')
  }

  /** Those that the next statement takes wait for milliseconds; the others wait for the database. */
  #countWaiting(): number {
    const isSlow = this.#maxQueued < this.#db.maxWaiting
    const queued = this.#queue.sizeOfNew
    return this.#apart.size + (isSlow ? queued : Math.max(0, queued - this.#sharing.maxWeight))
  }

  #countAll(): number {
    return this.#unsettled().length + this.#blockedKeys.size + (this.#ofSubject?.size ?? 0)
  }

  #unsettled(): Request<Item, Answer>[] {
    return [...this.#queue.entries(), ...this.#apart, ...[...this.#inFlight].flat().filter(isUnsettled)]
  }

  #isSuspect(item: Item): boolean {
    const blocked = this.#blockedKeys
    return blocked.size > 0 && this.#sharing.keysOf(item).some((key) => blocked.has(key))
  }

  #sendFromQueue() {
    while (this.#queue.size > 0 && this.#maySend()) {
      const batch = this.#takeBatch()
      const [first] = batch
      if (!first) return
      this.#watch.sent(batch.length, performance.now() - first.askedAt)
      this.#inFlight.add(batch)
      void this.#send(batch).finally(() => {
        this.#inFlight.delete(batch)
        this.#sendFromQueue()
        this.#restIfIdle()
      })
    }
  }

  #maySend(): boolean {
    const { maxInFlight, maxParallelRequests } = this.#sharing
    if (this.#inFlight.size === 0) return true
    let requests = 0
    for (const { length } of this.#inFlight) requests += length
    return this.#inFlight.size < maxInFlight && requests < maxParallelRequests
  }

  #takeBatch(): Request<Item, Answer>[] {
    const batch: Request<Item, Answer>[] = []
    let [weight, taken] = [0, 0]
    this.#queue.takeInTurn((request) => {
      const isWanted = this.#isWanted(request)
      // It was queued before the other one was known to be blocked.
      if (isWanted && this.#isSuspect(request.item)) this.#sendAlone(request)
      else if (isWanted) {
        weight += this.#sharing.weightOf(request.item)
        if (batch.length > 0 && weight > this.#sharing.maxWeight) return false
        this.#move(request, 'sent')
        batch.push(request)
      }
      taken++
      return true
    })
    const { maxWaiting, maxWhenBusy } = this.#db
    this.#maxQueued = this.#queue.size > 0 ? Math.min(maxWaiting, Math.max(taken, maxWhenBusy)) : maxWaiting
    return batch
  }

  /** Whether the request may be sent now; refuses one whose client has disconnected. */
  #isWanted(request: Request<Item, Answer>): boolean {
    if (isUnsettled(request) && request.isGone()) this.#refuse(request, clientDisconnected())
    return isUnsettled(request)
  }

  /** Settles every request of the batch, or divides it; never rejects itself. */
  async #send(batch: Request<Item, Answer>[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const requests = batch.filter(isUnsettled)
      if (requests.length === 0) return
      if (attempt > 1) this.#watch.retried()
      const error = await this.#answer(requests, this.#sharing.on)
      if (error === undefined) return
      if (!mayRepeat(error) || isLockTimeout(error) || this.#sharing.isPermanent(error)) {
        for (const request of requests.filter(isUnsettled)) this.#move(request, 'retried')
        return this.#decide(requests, 1, error)
      }
      for (const request of requests) request.reason = error
      await pauseBefore(attempt)
    }
  }

  /** The error, where the statement failed. */
  async #answer(requests: Request<Item, Answer>[], on: ConnectionKind): Promise<unknown> {
    const items = requests.map(({ item }) => item)
    const sentAt = performance.now()
    try {
      const { rows, rowCount } = await this.#db.attempt<Row>(this.#sharing.statementFor(items), on)
      this.#answeredAt = performance.now()
      this.#watch.answered(this.#answeredAt - sentAt)
      const answers = this.#sharing.answersFrom(rows, items, rowCount)
      requests.forEach((request, index) =>
        this.#settle(request, () => request.resolve(answers[index] as Answer)),
      )
      return undefined
    } catch (error) {
      if (isAnAnswer(error)) this.#answeredAt = performance.now()
      return error
    }
  }

  #sendAlone(request: Request<Item, Answer>) {
    if (this.#isFullOfBlocked() && !request.hasBegun) return this.#refuse(request, overloaded())
    this.#move(request, 'suspect')
    this.#retry({ requests: [request], attempt: 1, sendBy: Infinity })
  }

  #retry(part: Part<Item, Answer>) {
    this.#ready.push(part)
    this.#sendParts()
  }

  #sendParts() {
    while (this.#partsInFlight.size < MAX_PARTS_IN_FLIGHT) {
      const part = this.#takePart()
      if (!part) return
      this.#partsInFlight.add(part)
      void this.#sendPart(part).finally(() => {
        this.#partsInFlight.delete(part)
        this.#sendParts()
        this.#restIfIdle()
      })
    }
  }

  /** The largest; blocked requests go last. */
  #takePart(): Part<Item, Answer> | undefined {
    const rankOf = ({ requests }: Part<Item, Answer>) =>
      requests[0]?.state === 'blocked' ? 0 : requests.length
    let [next, rank] = [0, -1]
    for (const [index, part] of this.#ready.entries()) {
      if (rankOf(part) > rank) [next, rank] = [index, rankOf(part)]
    }
    return this.#ready.splice(next, 1)[0]
  }

  /** Settles every request of the part or passes it on; never rejects itself. */
  async #sendPart(part: Part<Item, Answer>): Promise<void> {
    const requests = part.requests.filter((request) => this.#isWanted(request))
    if (requests.length === 0) return
    if (performance.now() > part.sendBy) {
      return requests.forEach((request) => this.#refuse(request, request.reason))
    }
    const error = await this.#answer(requests, 'retry')
    if (error !== undefined) this.#decide(requests, part.attempt, error)
  }

  /** Decides what happens to requests whose statement failed. Some may have been refused meanwhile, at their deadline. */
  #decide(sent: Request<Item, Answer>[], attempt: number, error: unknown) {
    const requests = sent.filter(isUnsettled)
    const [first] = requests
    if (!first) return
    // An error about the data is about one of them, and not the reason why the others wait.
    if (isTransient(error)) for (const request of requests) request.reason = error
    // Of two that were sent, the one that is left need not be the one to blame.
    const isAlone = sent.length === 1
    if (isLockTimeout(error) && isAlone) this.#block(first, attempt)
    else if (mayRepeat(error) && !isLockTimeout(error)) {
      this.#watch.retried()
      this.#retryAfterPause(requests, attempt)
    } else if (isAlone) this.#refuse(first, error)
    else this.#divide(requests, isCancelled(error))
  }

  #divide(requests: Request<Item, Answer>[], isTooSlow: boolean) {
    const size = isTooSlow ? 1 : Math.ceil(requests.length / PARTS)
    const sendBy = isTooSlow ? performance.now() + STATEMENT_TIMEOUT_MS : Infinity
    // One blocked row often comes with more of its patient: these stay together.
    const byKey = [...Map.groupBy(requests, ({ item }) => this.#sharing.keysOf(item)[0]).values()].flat()
    for (let from = 0; from < byKey.length; from += size) {
      this.#ready.push({ requests: byKey.slice(from, from + size), attempt: 1, sendBy })
    }
    this.#sendParts()
  }

  #block(request: Request<Item, Answer>, attempt: number) {
    const isNew = request.state === 'retried'
    if (isNew && this.#isFullOfBlocked() && !request.hasBegun) return this.#refuse(request, overloaded())
    if (request.state !== 'blocked') this.#move(request, 'blocked')
    this.#retryAfterPause([request], attempt)
  }

  #retryAfterPause(requests: Request<Item, Answer>[], attempt: number) {
    const part = { requests, attempt: attempt + 1, sendBy: Infinity }
    setTimeout(() => this.#retry(part), pauseMsBefore(part.attempt))
  }

  #refuse(request: Request<Item, Answer>, error: unknown) {
    this.#settle(request, () => request.reject(error))
  }

  #settle(request: Request<Item, Answer>, act: () => void) {
    if (!isUnsettled(request)) return
    this.#move(request, 'settled')
    act()
  }

  #move(request: Request<Item, Answer>, to: State) {
    const from = request.state
    if (!NEXT[from].includes(to)) throw new Error(`A request that is ${from} cannot become ${to}.`)
    if (from === 'queued') this.#queue.remove(request)
    if (from === 'blocked') this.#countKeys(request.item, -1)
    if (to === 'blocked') this.#countKeys(request.item, 1)
    request.state = to
    if (to === 'settled') {
      this.#apart.delete(request)
      this.#ofSubject?.leave(request.subject)
    } else if (to !== 'sent') this.#apart.add(request)
  }

  #countKeys(item: Item, change: 1 | -1) {
    for (const key of this.#sharing.keysOf(item)) {
      const count = (this.#blockedKeys.get(key) ?? 0) + change
      if (count > 0) this.#blockedKeys.set(key, count)
      else this.#blockedKeys.delete(key)
    }
  }

  #lookAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#refuseLate(), ms).unref()
  }

  #refuseLate() {
    let nextMs = Infinity
    for (const request of this.#unsettled()) {
      const leftMs = request.askedAt + this.#db.deadlineMs - performance.now()
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs)
      else this.#refuse(request, request.reason ?? refuseLate(request.askedAt, this.#answeredAt))
    }
    this.#deadline = nextMs < Infinity ? this.#lookAfter(nextMs) : undefined
  }

  #restIfIdle() {
    if (this.#queue.size + this.#inFlight.size + this.#apart.size > 0) return
    clearTimeout(this.#deadline)
    this.#deadline = undefined
  }
}
