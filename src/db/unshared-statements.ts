// Statements that requests do not share, on the connections of one pool. Each is in one state:
//
//   from     to        when
//   –        queued    it was asked
//   queued   sent      it is its subject's turn, and a connection is free
//   sent     paused    the connection or the primary was lost: it is sent again after a pause
//   paused   queued    the pause is over
//   each     settled   it has its rows or its error, also at its deadline
//
// A statement that is sent again must be one that may run twice: see `Db.query`. One that is settled at its deadline while it is in
// flight uses its connection until the driver gives up on it.
//
// Statements of requests name their subject: subjects are served in turn, each has a limited number of unsettled
// statements, and none has more than its share of a full queue. Statements of the server itself have the empty subject, without
// that limit.
import type { QueryResultRow } from 'pg'
import type { Metrics } from '../metrics/metrics.ts'
import { overloaded } from '../refusal.ts'
import { mayRepeat } from './database-errors.ts'
import type { DatabaseQueue } from './database-queue.ts'
import { FairQueue } from './fair-queue.ts'
import { OpenOfSubject } from './open-of-subject.ts'
import { pauseMsBefore } from './pauses.ts'
import { isAnAnswer, refuseLate } from './refuse-late.ts'
import type { Outcome, Statement } from './statement.ts'
import { type StatementsWatch, watchStatements } from './watch-statements.ts'

// A database counts as available until it has been silent for this time, and for twice as long as the slowest statement took
// lately. So few requests arrive in it that hardly any is refused before an outage is recognised.
const SILENT_MS = 20
/** The longest silence that no statement prolongs: one that PostgreSQL cancelled after seconds would hide a frozen primary as long. */
const MAX_SILENT_MS = 1_000
/** Of the slowest statement's time, what counts after each further answer: after seven, half of it. */
const SLOWEST_FADES = 0.9

type Run = (statement: Statement) => Promise<Outcome<QueryResultRow>>

type Settings = {
  connections: number
  maxWaiting: number
  maxWhenBusy: number
  metrics: Metrics
}

type State = 'queued' | 'sent' | 'paused' | 'settled'

/** What waits for a connection. The pool itself would serve first come, first served, and take a long queue for an outage. */
type Turn = {
  readonly subject: string
  /** Whether it keeps its place in a full queue. */
  readonly hasBegun: boolean
  /** Called once there is a connection for it; then `#leave` must be called. */
  readonly begin: () => void
  readonly refuse: (error: unknown) => void
}

type Pending = Turn & {
  readonly statement: Statement
  readonly askedAt: number
  state: State
  attempts: number
  /** The last transient error, if there was one. */
  reason: unknown
  deadline: NodeJS.Timeout | undefined
  readonly resolve: (rows: QueryResultRow[]) => void
}

export class UnsharedStatements implements DatabaseQueue {
  readonly #run: Run
  readonly #settings: Settings
  readonly #turns = new FairQueue<Turn>()
  #inUse = 0
  readonly #ofSubject = new OpenOfSubject('requests of this kind')
  readonly #watch: StatementsWatch
  /** Unsettled statements that are queued or paused. */
  readonly #waiting = new Set<Pending>()
  /** Never, while the last attempt that ended got no answer. */
  #answeredAt = -Infinity
  #slowestMs = 0

  /** `run` runs a statement once. */
  constructor(run: Run, settings: Settings) {
    this.#run = run
    this.#settings = settings
    this.#watch = watchStatements(settings.metrics, { kind: 'other', waiting: () => this.#waiting.size })
  }

  /** Runs a statement that requests share, or its repetition, when it is the turn of the server itself. */
  async attempt<Row extends QueryResultRow>(statement: Statement): Promise<Outcome<Row>> {
    await new Promise<void>((begin, refuse) => this.#enter({ subject: '', hasBegun: true, begin, refuse }))
    try {
      return (await this.#runOnce(statement)) as Outcome<Row>
    } finally {
      this.#leave()
    }
  }

  async query<Row extends QueryResultRow>(
    statement: Statement,
    { subject, withinMs }: { subject: string; withinMs: number },
  ): Promise<Row[]> {
    if (subject !== '') this.#ofSubject.mustHaveRoom(subject)
    const underWay = this.#waiting.size + this.#inUse
    // A database that has nothing to answer is not silent.
    if (underWay === 0 && this.#answeredAt > -Infinity) this.#answeredAt = performance.now()
    if (underWay >= this.#maxUnderWay()) this.#makeRoomFor(subject)
    const { promise, resolve, reject } = Promise.withResolvers<QueryResultRow[]>()
    const pending: Pending = {
      subject,
      hasBegun: subject === '',
      begin: () => void this.#send(pending),
      refuse: (error) => this.#settle(pending, () => reject(error)),
      statement,
      askedAt: performance.now(),
      state: 'queued',
      attempts: 0,
      reason: undefined,
      deadline: undefined,
      resolve,
    }
    pending.deadline = setTimeout(() => this.#refuseLate(pending), withinMs)
    this.#ofSubject.enter(subject)
    this.#waiting.add(pending)
    this.#enter(pending)
    return promise as Promise<Row[]>
  }

  #enter(turn: Turn) {
    this.#turns.push(turn)
    this.#beginNext()
  }

  #leave() {
    this.#inUse--
    this.#beginNext()
  }

  #beginNext() {
    this.#turns.takeInTurn((next) => {
      if (this.#inUse >= this.#settings.connections) return false
      this.#turns.remove(next)
      this.#inUse++
      next.begin()
      return true
    })
  }

  /** While the database does not answer, a long queue is wanted: those requests wait for it to come back. */
  #maxUnderWay(): number {
    const { connections, maxWaiting, maxWhenBusy } = this.#settings
    const silentMs = performance.now() - this.#answeredAt
    const isAnswering = silentMs < Math.min(Math.max(SILENT_MS, 2 * this.#slowestMs), MAX_SILENT_MS)
    return connections + (isAnswering ? maxWhenBusy : maxWaiting)
  }

  #makeRoomFor(subject: string) {
    const surplus = this.#turns.surplusBeside(subject)
    if (!surplus) throw overloaded()
    surplus.refuse(overloaded())
  }

  /** Settles the statement or lets it pause; never rejects itself. */
  async #send(pending: Pending): Promise<void> {
    this.#move(pending, 'sent')
    if (++pending.attempts > 1) this.#watch.retried()
    const sentAt = performance.now()
    try {
      const { rows } = await this.#runOnce(pending.statement)
      this.#watch.answered(performance.now() - sentAt)
      this.#settle(pending, () => pending.resolve(rows))
    } catch (error) {
      if (!mayRepeat(error)) pending.refuse(error)
      else if (pending.state !== 'settled') {
        pending.reason = error
        this.#pause(pending)
      }
    } finally {
      this.#leave()
    }
  }

  /** Notes whether the database answers. */
  async #runOnce(statement: Statement): Promise<Outcome<QueryResultRow>> {
    const sentAt = performance.now()
    try {
      const outcome = await this.#run(statement)
      this.#noteAnswer(sentAt)
      return outcome
    } catch (error) {
      if (isAnAnswer(error)) this.#noteAnswer(sentAt)
      else this.#answeredAt = -Infinity
      throw error
    }
  }

  #noteAnswer(sentAt: number) {
    this.#answeredAt = performance.now()
    this.#slowestMs = Math.max(this.#answeredAt - sentAt, SLOWEST_FADES * this.#slowestMs)
  }

  #pause(pending: Pending) {
    this.#move(pending, 'paused')
    setTimeout(() => {
      if (pending.state === 'settled') return
      this.#move(pending, 'queued')
      this.#enter(pending)
    }, pauseMsBefore(pending.attempts))
  }

  #refuseLate(pending: Pending) {
    pending.refuse(pending.reason ?? refuseLate(pending.askedAt, this.#answeredAt))
  }

  #settle(pending: Pending, answer: () => void) {
    if (pending.state === 'settled') return
    if (pending.state === 'queued') this.#turns.remove(pending)
    this.#move(pending, 'settled')
    clearTimeout(pending.deadline)
    this.#ofSubject.leave(pending.subject)
    answer()
  }

  #move(pending: Pending, to: State) {
    if (!NEXT[pending.state].includes(to)) {
      throw new Error(`A statement that is ${pending.state} cannot become ${to}.`)
    }
    pending.state = to
    if (to === 'queued' || to === 'paused') this.#waiting.add(pending)
    else this.#waiting.delete(pending)
  }

  countWaiting(): number {
    let waiting = 0
    for (const { subject } of this.#waiting) if (subject !== '') waiting++
    return waiting
  }

  countAll(): number {
    return this.#waiting.size + this.#inUse + this.#ofSubject.size
  }
}

const NEXT: Record<State, readonly State[]> = {
  queued: ['sent', 'settled'],
  sent: ['paused', 'settled'],
  paused: ['queued', 'settled'],
  settled: [],
}
