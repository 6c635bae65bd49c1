// Reports when the database becomes unavailable and why, and when it is available again. Every failed attempt is passed to it
// (db.ts), so it knows the real cause; requests only learn that their deadline has passed.
//
//   from          to            when                                                        logged
//   available     unavailable   an attempt failed for a cause of outage-causes.ts           the cause
//   unavailable   unavailable   an attempt failed for another cause                         the cause, each once in a minute
//   unavailable   available     check and write succeeded, and nothing failed for a while   the duration
//   each          stopped       the server stops                                            –
//
// The check asks whether the database can serve: a standby answers every read and can still not serve. In an outage it writes too,
// because a full disk fails only writes. Some causes strike only some requests, such as a missing right. After such a failure,
// that while doubles each time, so that an outage which comes and goes is soon one outage in the log.
import { countEach, type Metrics } from '../metrics/metrics.ts'
import { CAUSE_LABELS, type Cause, causeOf, labelOf, type Stage } from './outage-causes.ts'

const CHECK_EVERY_MS = 1_000
const SAME_CAUSE_EVERY_MS = 60_000
const QUIET_MS = 2_000
/** After statements without an answer: longer than the next ones take to fail like them. */
const QUIET_AFTER_SILENCE_MS = 10_000
const LONGEST_QUIET_MS = 64_000
/** Once it was available for so long, the next outage is a new story. */
const FORGET_AFTER_MS = 600_000
const LOST_EVERY_MS = 1_000

export type Failure = {
  error: unknown
  stage: Stage /** In the time of `performance.now()`. */
  startedAt: number
}

type Unavailable = {
  name: 'unavailable'
  since: number
  cause: Cause
  failedAt: number
  /** When the first check began that has succeeded since the last failure. */
  answeringSince: number | undefined
  loggedAt: Map<string, number>
}
type State = { name: 'available' } | Unavailable | { name: 'stopped' }

export type OutageLog = Record<'warn' | 'error', (fields: object, message: string) => void>

type Settings = {
  log: OutageLog
  metrics: Metrics
  /** Why the database cannot serve, though it answers. Rejects when it does not answer, which db.ts has reported then. */
  check: () => Promise<Cause | undefined>
  /** Rejects when the database cannot write, which db.ts has reported then. */
  mustWrite: () => Promise<void>
}

export class OutageWatch {
  readonly #log: OutageLog
  readonly #check: Settings['check']
  readonly #mustWrite: Settings['mustWrite']
  readonly #failures: Record<string, number>
  #state: State = { name: 'available' }
  #quietMs = QUIET_MS
  #endedAt = -Infinity
  #answeredAt = -Infinity
  readonly #lost = new Map<string, number>()
  #checking: NodeJS.Timeout | undefined
  #reportingLost: NodeJS.Timeout | undefined

  constructor({ log, metrics, check, mustWrite }: Settings) {
    this.#log = log
    this.#check = check
    this.#mustWrite = mustWrite
    this.#failures = countEach(
      metrics,
      {
        name: 'rounds_database_failures_total',
        help: 'Attempts to connect to the database or to use it that failed, by SQLSTATE or code.',
        label: 'code',
      },
      CAUSE_LABELS,
    )
  }

  /** Whether the database can serve now. */
  async canServe(): Promise<boolean> {
    const startedAt = performance.now()
    const cause = await this.#check()
    if (!cause && this.#state.name === 'unavailable') await this.#mustWrite()
    if (cause) this.#failed(cause, startedAt)
    else this.#answered(startedAt)
    return !cause
  }

  failed({ error, stage, startedAt }: Failure) {
    const cause = causeOf(error, stage)
    if (!cause) return
    // The database has answered since that attempt to connect began: it led to a server that is gone.
    const isOutdated = stage === 'connect' && startedAt < this.#answeredAt
    if (isOutdated) this.#count(cause)
    else this.#failed(cause, startedAt)
  }

  /** Restarts cut all connections at once: they are logged together. */
  connectionLost(code: string) {
    if (this.#state.name === 'stopped') return
    this.#lost.set(code, (this.#lost.get(code) ?? 0) + 1)
    this.#reportingLost ??= setTimeout(() => this.#reportLost(), LOST_EVERY_MS).unref()
  }

  /** For how long the database has been unavailable, and why. */
  current(): { seconds: number; code: string } | undefined {
    if (this.#state.name !== 'unavailable') return undefined
    const { since, cause } = this.#state
    return { seconds: secondsBetween(since, performance.now()), code: cause.code }
  }

  stop() {
    this.#state = { name: 'stopped' }
    clearTimeout(this.#checking)
    clearTimeout(this.#reportingLost)
  }

  #failed(cause: Cause, startedAt: number) {
    if (this.#state.name === 'stopped') return
    this.#count(cause)
    if (this.#state.name === 'available') this.#begin(cause, startedAt)
    else this.#goOn(this.#state, cause)
  }

  #count(cause: Cause) {
    const label = labelOf(cause)
    this.#failures[label] = (this.#failures[label] ?? 0) + 1
  }

  #begin(cause: Cause, since: number) {
    const now = performance.now()
    const isNewStory = now - this.#endedAt > FORGET_AFTER_MS
    this.#quietMs = isNewStory ? QUIET_MS : Math.min(LONGEST_QUIET_MS, this.#quietMs * 2)
    this.#state = {
      name: 'unavailable',
      since,
      cause,
      failedAt: now,
      answeringSince: undefined,
      loggedAt: new Map(),
    }
    this.#report(this.#state, now)
    this.#checkLater()
  }

  #goOn(state: Unavailable, cause: Cause) {
    const now = performance.now()
    const isOther = labelOf(cause) !== labelOf(state.cause)
    state.cause = cause
    state.failedAt = now
    state.answeringSince = undefined
    const loggedAt = state.loggedAt.get(labelOf(cause)) ?? -Infinity
    if (isOther && now - loggedAt > SAME_CAUSE_EVERY_MS) this.#report(state, now)
  }

  #report(state: Unavailable, now: number) {
    const { cause, since, loggedAt } = state
    loggedAt.set(labelOf(cause), now)
    const { code, reason } = cause
    this.#log.error({ code, reason, seconds: secondsBetween(since, now) }, 'the database is unavailable')
  }

  #answered(startedAt: number) {
    this.#answeredAt = startedAt
    const state = this.#state
    if (state.name !== 'unavailable' || startedAt < state.failedAt) return
    state.answeringSince ??= startedAt
    const now = performance.now()
    if (now - state.failedAt < quietMsAfter(state.cause, this.#quietMs)) return
    clearTimeout(this.#checking)
    this.#state = { name: 'available' }
    this.#endedAt = now
    const seconds = secondsBetween(state.since, state.answeringSince)
    this.#log.warn({ code: state.cause.code, seconds }, 'the database is available again')
  }

  /** Probes may be rare, or none. */
  #checkLater() {
    clearTimeout(this.#checking)
    this.#checking = setTimeout(() => void this.#checkAgain(), CHECK_EVERY_MS).unref()
  }

  async #checkAgain() {
    // A failure is reported where it is met.
    await this.canServe().catch(() => {})
    if (this.#state.name === 'unavailable') this.#checkLater()
  }

  #reportLost() {
    this.#reportingLost = undefined
    for (const [code, count] of this.#lost) this.#log.warn({ code, count }, 'database connections were lost')
    this.#lost.clear()
  }
}

function quietMsAfter({ code }: Cause, quietMs: number): number {
  return code === 'QueryTimeout' ? Math.max(quietMs, QUIET_AFTER_SILENCE_MS) : quietMs
}

function secondsBetween(from: number, to: number): number {
  return Math.round((to - from) / 100) / 10
}
