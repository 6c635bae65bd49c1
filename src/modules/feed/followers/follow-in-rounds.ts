// The work for one follower, in rounds, in the process that holds it. What is stored decides what a round does, so a process that takes
// over goes on where the other one stopped.
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { type Holder, holdFollowers } from './hold-followers.ts'

const AFTER_FAILURE_MS = 1_000
const MEASURE_EVERY_MS = 10_000
const STOP_WITHIN_MS = 2_500

type Deps = {
  follower: string
  everyMs: number
  /** Returns whether all is done. */
  round: () => Promise<boolean>
  /** What is logged when a round fails. */
  failure: string
  /** The metric that says how far the follower is behind. */
  behind: { name: string; help: string; seconds: () => Promise<number>; failure: string }
  /** This process holds the follower now, and did not before. */
  onTaken?: () => void
  warn: (error: unknown, message: string) => void
}

export class FollowInRounds {
  readonly #deps: Deps
  readonly #holder: Holder
  readonly #stopping = new AbortController()
  readonly #measuring: NodeJS.Timeout
  #isHeld = false
  #working: Promise<void> | undefined
  #hasWarned = false
  #behindSeconds = 0

  constructor(db: Db, deps: Deps) {
    this.#deps = deps
    const { name, help } = deps.behind
    db.metrics.gauge({ name, help }, () => this.#behindSeconds)
    this.#measuring = setInterval(() => void this.#measure(), MEASURE_EVERY_MS)
    this.#holder = holdFollowers(db, {
      prefix: deps.follower,
      onHeld: (names) => this.#onHeld(names.length > 0),
      idleOf: (names) => names,
      warn: deps.warn,
    })
  }

  get processId(): string {
    return this.#holder.processId
  }

  lease(): AbortSignal {
    return this.#holder.lease()
  }

  mayWork(): boolean {
    return this.#isHeld && !this.#stopping.signal.aborted && !this.lease().aborted
  }

  /** Of failures in a row the first. */
  report(error: unknown, message: string) {
    if (!this.#hasWarned && !this.#stopping.signal.aborted) this.#deps.warn(error, message)
    this.#hasWarned = true
  }

  /** Another process takes over at once. A statement that the database does not answer is not waited for, nor is `other` then. */
  async stop(other?: Promise<unknown>) {
    this.#stopping.abort()
    clearInterval(this.#measuring)
    const working = Promise.all([this.#working, other])
    await Promise.race([working, pause(STOP_WITHIN_MS, undefined, { ref: false })])
    await this.#holder.stop()
  }

  async #measure() {
    const { seconds, failure } = this.#deps.behind
    try {
      this.#behindSeconds = await seconds()
    } catch (error) {
      this.report(error, failure)
    }
  }

  #onHeld(isHeld: boolean) {
    if (isHeld && !this.#isHeld) this.#deps.onTaken?.()
    this.#isHeld = isHeld
    if (isHeld)
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined
      })
  }

  async #work() {
    const { everyMs, round, failure } = this.#deps
    while (this.mayWork()) {
      const beganAt = performance.now()
      let waitMs = AFTER_FAILURE_MS
      try {
        const isDone = await round()
        // While there is more, at most half of the time: adds are worth more than the last second of what follows them.
        waitMs = isDone ? everyMs : Math.min(performance.now() - beganAt, everyMs)
        this.#hasWarned = false
      } catch (error) {
        this.report(error, failure)
      }
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }
}
