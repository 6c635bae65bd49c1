// Reports when the database becomes unavailable and why, and when it is available again. Every failed attempt is passed to it
// (db.ts), so it knows the real cause; requests only learn that their deadline has passed.
//
//   from          to            when                                                            logged
//   available     unavailable   an attempt failed for a cause of outage-causes.ts               the cause
//   unavailable   unavailable   an attempt failed for another cause                             the cause, once a minute
//   unavailable   available     check and write succeeded, `QUIET_MS` after the last failure    the duration
//   each          stopped       the server stops                                                –
//
// The check asks whether the database can serve: a standby answers every read and can still not serve. In an outage it writes too,
// because a full disk fails only writes. Some causes strike only some requests, such as a missing right: while they go on failing,
// it is one outage.
import { countEach, type Metrics } from '../metrics/metrics.ts'
import { CAUSE_LABELS, type Cause, causeOf, labelOf, type Stage } from './outage-causes.ts'

const CHECK_EVERY_MS = 1_000
const SAME_CAUSE_EVERY_MS = 60_000
/** Longer than a statement waits for its answer: those that a silent server did not answer fail for so long after it is back. */
const QUIET_MS = 7_000
const LOST_EVERY_MS = 1_000

/** `startedAt` is in the time of `performance.now()`. */
export type Failure = { error: unknown; stage: Stage; startedAt: number }

type Outage = { since: number; cause: Cause; failedAt: number; loggedAt: Map<string, number> }

type OutageLog = Record<'warn' | 'error', (fields: object, message: string) => void>

type Settings = {
  log: OutageLog
  metrics: Metrics
  /** Why the database cannot serve, though it answers. Rejects when it does not answer, which db.ts has reported then. */
  check: () => Promise<Cause | undefined>
  /** Rejects when the database cannot write, which db.ts has reported then. */
  mustWrite: () => Promise<void>
}

export class OutageWatch {
  readonly #settings: Settings
  readonly #failures: Record<string, number>
  readonly #lost = new Map<string, number>()
  #outage: Outage | undefined
  #isStopped = false
  #answeredAt = -Infinity
  #checking: NodeJS.Timeout | undefined
  #reportingLost: NodeJS.Timeout | undefined

  constructor(settings: Settings) {
    this.#settings = settings
    const help = 'Attempts to connect to the database or to use it that failed, by SQLSTATE or code.'
    const about = { name: 'rounds_database_failures_total', help, label: 'code' }
    this.#failures = countEach(settings.metrics, about, CAUSE_LABELS)
  }

  /** Whether the database can serve now. */
  async canServe(): Promise<boolean> {
    const startedAt = performance.now()
    const cause = await this.#settings.check()
    if (!cause && this.#outage) await this.#settings.mustWrite()
    if (cause) this.#fail(cause, startedAt)
    else this.#answered(startedAt)
    return !cause
  }

  failed({ error, stage, startedAt }: Failure) {
    const cause = causeOf(error, stage)
    if (!cause) return
    // The database has answered since that attempt to connect began: it led to a server that is gone.
    const isOutdated = stage === 'connect' && startedAt < this.#answeredAt
    if (isOutdated) this.#count(cause)
    else this.#fail(cause, startedAt)
  }

  /** Restarts cut all connections at once: they are logged together. */
  connectionLost(code: string) {
    if (this.#isStopped) return
    this.#lost.set(code, (this.#lost.get(code) ?? 0) + 1)
    this.#reportingLost ??= setTimeout(() => this.#reportLost(), LOST_EVERY_MS).unref()
  }

  /** For how long the database has been unavailable, and why. */
  current(): { seconds: number; code: string } | undefined {
    if (!this.#outage) return undefined
    const { since, cause } = this.#outage
    return { seconds: secondsBetween(since, performance.now()), code: cause.code }
  }

  stop() {
    this.#isStopped = true
    clearTimeout(this.#checking)
    clearTimeout(this.#reportingLost)
  }

  #fail(cause: Cause, startedAt: number) {
    if (this.#isStopped) return
    this.#count(cause)
    const now = performance.now()
    const before = this.#outage
    const { since, loggedAt } = before ?? { since: startedAt, loggedAt: new Map<string, number>() }
    this.#outage = { since, cause, failedAt: now, loggedAt }
    if (!before) this.#checkLater()
    const label = labelOf(cause)
    if (before && labelOf(before.cause) === label) return
    if (now - (loggedAt.get(label) ?? -Infinity) < SAME_CAUSE_EVERY_MS) return
    loggedAt.set(label, now)
    const { code, reason } = cause
    const seconds = secondsBetween(since, now)
    this.#settings.log.error({ code, reason, seconds }, 'the database is unavailable')
  }

  #count(cause: Cause) {
    const label = labelOf(cause)
    this.#failures[label] = (this.#failures[label] ?? 0) + 1
  }

  #answered(startedAt: number) {
    this.#answeredAt = startedAt
    if (!this.#outage || startedAt - this.#outage.failedAt < QUIET_MS) return
    const { since, failedAt, cause } = this.#outage
    this.#outage = undefined
    clearTimeout(this.#checking)
    const seconds = secondsBetween(since, failedAt)
    this.#settings.log.warn({ code: cause.code, seconds }, 'the database is available again')
  }

  /** Probes may be rare, or none. */
  #checkLater() {
    clearTimeout(this.#checking)
    this.#checking = setTimeout(() => void this.#checkAgain(), CHECK_EVERY_MS).unref()
  }

  async #checkAgain() {
    // A failure is reported where it is met.
    await this.canServe().catch(() => {})
    if (this.#outage && !this.#isStopped) this.#checkLater()
  }

  #reportLost() {
    this.#reportingLost = undefined
    for (const [code, count] of this.#lost) {
      this.#settings.log.warn({ code, count }, 'database connections were lost')
    }
    this.#lost.clear()
  }
}

function secondsBetween(from: number, to: number): number {
  return Math.round((to - from) / 100) / 10
}
