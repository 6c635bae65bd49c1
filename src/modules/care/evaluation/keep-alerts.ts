// Evaluates rules, in the process that holds the follower. Each round marks what changed, and evaluates what is marked or due. What is
// stored decides what is to be done, so a process that takes over goes on where the other one stopped.
import { setTimeout as pause } from 'node:timers/promises'
import { isOutdated, mayRepeat } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import type { ServedHere, ServedOfAll } from '../../casesheet/served-here.ts'
import { type Holder, holdFollowers } from '../../feed/followers/hold-followers.ts'
import { askedFor, evaluate, type Outcome } from './evaluate.ts'
import { EvaluateAside } from './evaluate-aside.ts'
import { readAlone, readTogether } from './load-readings.ts'
import { loadRules } from './load-rules.ts'
import { FOLLOWER, markRules, startAnew } from './mark-rules.ts'
import { nextTasks, rest, secondsBehind, type Task } from './next-tasks.ts'
import { noteWatch, readOutages } from './outages.ts'
import type { Outage } from './span.ts'
import { readWrites, writeAlerts } from './write-alerts.ts'

const ROUND_EVERY_MS = 250
const AFTER_FAILURE_MS = 1_000
const MOST_PAUSE_MS = 250
const MEASURE_EVERY_MS = 10_000
const WATCH_EVERY_MS = 10_000
const STOP_WITHIN_MS = 2_500
/** Pages of changes between which something is evaluated. */
const MAX_PAGES = 10
const TASKS_AT_ONCE = 500
const TOGETHER = 100
/** Readings of a patient that are read together with those of others; and at a time, where there are more. */
const SIZES = { together: 500, part: 5_000 }

/**
 * A patient of whom so many readings were read rests for as long as that takes, several times over. So a device that sends without end
 * delays nobody else.
 */
const MANY_READINGS = 2_000
const REST_MS_OF_READING = 0.1
const MOST_REST_MS = 10_000
const MAX_RESTING = 1_000

type Evaluation = {
  processId: string
  served: ServedOfAll
  /** The clock, as RFC 3339; null for that of the database. */
  now: string | null
  outages: readonly Outage[]
  sizes?: typeof SIZES
  resting?: readonly string[]
  /** Takes a patient with too many readings to be read with those of others; else they are read at once. */
  aside?: (task: Task) => void
  /** A patient could not be evaluated. */
  failed: (task: Task, error: unknown) => Promise<void>
  /** So many readings were read for a patient. */
  read?: (patientUid: string, readings: number) => void
}

/** Evaluates what is marked or due; returns how many patients and types that were. */
export async function evaluateNext(db: Db, evaluation: Evaluation): Promise<number> {
  const { now, served, resting = [], failed } = evaluation
  const tasks = await nextTasks(db, { now, limit: TASKS_AT_ONCE, served, resting })
  for (let index = 0; index < tasks.length; index += TOGETHER) {
    const batch = tasks.slice(index, index + TOGETHER)
    try {
      await evaluateTogether(db, batch, evaluation)
    } catch (error) {
      if (isOfDatabase(error)) throw error
      // One that cannot be evaluated must not hold up the others.
      for (const task of batch)
        await evaluateTogether(db, [task], evaluation).catch((reason: unknown) => {
          if (isOfDatabase(reason)) throw reason
          return failed(task, reason)
        })
    }
  }
  return tasks.length
}

/** No fault of a patient's rules or readings: the database is away, or patients have moved. A statement that took too long may be. */
const isOfDatabase = (error: unknown) => error instanceof Refusal || isOutdated(error) || mayRepeat(error)

async function evaluateTogether(db: Db, tasks: readonly Task[], evaluation: Evaluation) {
  const { now, outages, sizes = SIZES } = evaluation
  const loaded = await loadRules(db, tasks, now)
  const asking = loaded.flatMap((one) => askedFor(one) ?? [])
  const together = asking.length > 0 ? await readTogether(db, asking, sizes.together) : []
  const readings = new Map(asking.map((asked, nth) => [keyOf(asked), together[nth]]))
  const outcomes: Outcome[] = []
  for (const one of loaded) {
    const asked = askedFor(one)
    const all = asked ? readings.get(keyOf(asked)) : []
    if (!all && evaluation.aside) {
      evaluation.aside(one.task)
      continue
    }
    const parts = all ? [all] : asked ? readAlone(db, asked, sizes.part) : []
    outcomes.push(await evaluate(one, outages, parts))
  }
  if (outcomes.length > 0) await writeAlerts(db, outcomes, evaluation)
  for (const { loaded: of, readings: count } of outcomes) evaluation.read?.(of.task.patientUid, count)
}

const keyOf = ({ patientUid, readingType }: { patientUid: string; readingType: string }) =>
  `${readingType} ${patientUid}`

type Deps = {
  servedHere: ServedHere
  warn: (error: unknown, message: string) => void
}

export class AlertKeeper {
  readonly #db: Db
  readonly #deps: Deps
  readonly #holder: Holder
  readonly #stopping = new AbortController()
  readonly #measuring: NodeJS.Timeout
  #isHeld = false
  #working: Promise<void> | undefined
  #hasWarned = false
  #behindSeconds = 0
  #watchedAt = -Infinity
  /** Until when, by patient. */
  readonly #resting = new Map<string, number>()
  readonly #aside: EvaluateAside

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#deps = deps
    this.#aside = new EvaluateAside(db, {
      part: SIZES.part,
      failed: (task, error) => this.#failedAside(task, error),
    })
    const help =
      'For how long changes have waited to be evaluated by the rules: a few seconds where nothing waits.'
    db.metrics.gauge({ name: 'rounds_alerts_behind_seconds', help }, () => this.#behindSeconds)
    this.#measuring = setInterval(() => void this.#measure(), MEASURE_EVERY_MS)
    this.#holder = holdFollowers(db, {
      prefix: FOLLOWER,
      onHeld: (names) => this.#onHeld(names.length > 0),
      idleOf: (names) => names,
      warn: deps.warn,
    })
  }

  /** Another process takes over at once. A statement that the database does not answer is not waited for. */
  async stop() {
    this.#stopping.abort()
    clearInterval(this.#measuring)
    const working = Promise.all([this.#working, this.#aside.ended()])
    await Promise.race([working, pause(STOP_WITHIN_MS, undefined, { ref: false })])
    await this.#holder.stop()
  }

  async #measure() {
    try {
      this.#behindSeconds = await secondsBehind(this.#db, await this.#deps.servedHere.ofAll())
    } catch (error) {
      this.#report(error, 'how far the evaluation of rules is behind could not be read')
    }
  }

  #onHeld(isHeld: boolean) {
    // Who takes over notes first when the rules were not looked after.
    if (!this.#isHeld) this.#watchedAt = -Infinity
    this.#isHeld = isHeld
    if (isHeld)
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined
      })
  }

  #mayWork(): boolean {
    return this.#isHeld && !this.#stopping.signal.aborted && !this.#holder.lease().aborted
  }

  async #work() {
    while (this.#mayWork()) {
      const beganAt = performance.now()
      let waitMs = AFTER_FAILURE_MS
      try {
        const isDone = await this.#round()
        waitMs = isDone ? ROUND_EVERY_MS : Math.min(performance.now() - beganAt, MOST_PAUSE_MS)
        this.#hasWarned = false
      } catch (error) {
        this.#report(error, 'rules could not be evaluated')
      }
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** Of failures in a row the first. */
  #report(error: unknown, message: string) {
    // It waits until the patients have moved.
    if (error instanceof Refusal && error.code === 'PatientMoving') return
    if (!this.#hasWarned && !this.#stopping.signal.aborted) this.#deps.warn(error, message)
    this.#hasWarned = true
  }

  /** Whether all is done. */
  async #round(): Promise<boolean> {
    const { processId } = this.#holder
    if (performance.now() - this.#watchedAt > WATCH_EVERY_MS) {
      await noteWatch(this.#db, processId)
      this.#watchedAt = performance.now()
    }
    const hasMoreChanges = await this.#markAll()
    const outages = await readOutages(this.#db)
    const count = await this.#deps.servedHere.decide(async () => {
      const served = await this.#deps.servedHere.ofAll()
      await this.#writeAside()
      const lease = this.#holder.lease()
      return evaluateNext(this.#db, {
        processId,
        served,
        now: null,
        outages,
        resting: [...this.#whoRests(), ...this.#aside.patients()],
        aside: (task) => this.#aside.take({ task, served, outages, lease }),
        failed: (task, error) => this.#failed(task, error),
        read: (patientUid, readings) => this.#rest(patientUid, readings),
      })
    })
    return !hasMoreChanges && count < TASKS_AT_ONCE
  }

  async #writeAside() {
    const { processId } = this.#holder
    for (const { task, outcome, served } of this.#aside.takeEvaluated(this.#holder.lease())) {
      // Others were written since it was loaded, but nothing of this patient.
      const writes = await readWrites(this.#db)
      const current = [{ ...outcome, loaded: { ...outcome.loaded, writes } }]
      await writeAlerts(this.#db, current, { processId, served, now: null }).catch((error: unknown) => {
        if (isOfDatabase(error)) throw error
        return this.#failed(task, error)
      })
      this.#rest(task.patientUid, outcome.readings)
    }
  }

  /** Never rejects: nobody waits for it. */
  async #failedAside(task: Task, error: unknown) {
    try {
      if (isOfDatabase(error)) throw error
      await this.#failed(task, error)
    } catch (reason) {
      this.#report(reason, 'rules could not be evaluated')
    }
  }

  async #failed(task: Task, error: unknown) {
    this.#report(error, 'the rules of a patient could not be evaluated: they are evaluated again in 30 s')
    await rest(this.#db, task)
  }

  #whoRests(): string[] {
    for (const [patientUid, until] of this.#resting)
      if (until <= performance.now()) this.#resting.delete(patientUid)
    return [...this.#resting.keys()]
  }

  #rest(patientUid: string, readings: number) {
    if (readings < MANY_READINGS || this.#resting.size >= MAX_RESTING) return
    const ms = Math.min(readings * REST_MS_OF_READING, MOST_REST_MS)
    this.#resting.set(patientUid, performance.now() + ms)
  }

  async #markAll(): Promise<boolean> {
    const { processId } = this.#holder
    const { servedHere } = this.#deps
    for (let pages = 0; pages < MAX_PAGES && this.#mayWork(); pages++) {
      const hasMore = await servedHere.decide(async () =>
        markRules(this.#db, processId, await servedHere.ofAll()),
      )
      if (hasMore === undefined) await startAnew(this.#db, processId)
      if (!hasMore) return false
    }
    return true
  }
}
