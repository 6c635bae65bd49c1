// Evaluates rules, in the process that holds the follower. Each round marks what changed, and evaluates what is marked or due.
import { mayRepeat } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { FollowInRounds } from '../../feed/followers/follow-in-rounds.ts'
import { RestingPatients } from '../resting-patients.ts'
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
const WATCH_EVERY_MS = 10_000
/** Pages of changes between which something is evaluated. */
const MAX_PAGES = 10
const TASKS_AT_ONCE = 500
const TOGETHER = 100
/** Readings of a patient that are read together with those of others; and at a time, where there are more. */
const SIZES = { together: 500, part: 5_000 }

const REST = { fromReadings: 2_000, msOfReading: 0.1, mostMs: 10_000 }

type Evaluation = {
  processId: string
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
  const { now, resting = [], failed } = evaluation
  const tasks = await nextTasks(db, { now, limit: TASKS_AT_ONCE, resting })
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

/** No fault of a patient's rules or readings: the database is away. A statement that took too long may be. */
const isOfDatabase = (error: unknown) => error instanceof Refusal || mayRepeat(error)

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
  if (outcomes.length > 0) await writeAlerts(db, outcomes, evaluation.processId)
  for (const { loaded: of, readings: count } of outcomes) evaluation.read?.(of.task.patientUid, count)
}

const keyOf = ({ patientUid, readingType }: { patientUid: string; readingType: string }) =>
  `${readingType} ${patientUid}`

type Deps = {
  warn: (error: unknown, message: string) => void
}

export class AlertKeeper {
  readonly #db: Db
  readonly #following: FollowInRounds
  readonly #resting = new RestingPatients(REST)
  readonly #aside: EvaluateAside
  #watchedAt = -Infinity

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#aside = new EvaluateAside(db, {
      part: SIZES.part,
      failed: (task, error) => this.#failedAside(task, error),
    })
    this.#following = new FollowInRounds(db, {
      follower: FOLLOWER,
      everyMs: ROUND_EVERY_MS,
      round: () => this.#round(),
      failure: 'rules could not be evaluated',
      behind: {
        name: 'rounds_alerts_behind_seconds',
        help: 'For how long changes have waited to be evaluated by the rules: a few seconds where nothing waits.',
        seconds: () => secondsBehind(db),
        failure: 'how far the evaluation of rules is behind could not be read',
      },
      // Who takes over notes first when the rules were not looked after.
      onTaken: () => {
        this.#watchedAt = -Infinity
      },
      warn: deps.warn,
    })
  }

  stop(): Promise<void> {
    return this.#following.stop(this.#aside.ended())
  }

  /** Whether all is done. */
  async #round(): Promise<boolean> {
    const { processId } = this.#following
    if (performance.now() - this.#watchedAt > WATCH_EVERY_MS) {
      await noteWatch(this.#db, processId)
      this.#watchedAt = performance.now()
    }
    const hasMoreChanges = await this.#markAll()
    const outages = await readOutages(this.#db)
    await this.#writeAside()
    const lease = this.#following.lease()
    const count = await evaluateNext(this.#db, {
      processId,
      now: null,
      outages,
      resting: [...this.#resting.all(), ...this.#aside.patients()],
      aside: (task) => this.#aside.take({ task, outages, lease }),
      failed: (task, error) => this.#failed(task, error),
      read: (patientUid, readings) => this.#resting.afterReading(patientUid, readings),
    })
    return !hasMoreChanges && count < TASKS_AT_ONCE
  }

  async #writeAside() {
    const { processId } = this.#following
    for (const { task, outcome } of this.#aside.takeEvaluated(this.#following.lease())) {
      // Others were written since it was loaded, but nothing of this patient.
      const writes = await readWrites(this.#db)
      const current = [{ ...outcome, loaded: { ...outcome.loaded, writes } }]
      await writeAlerts(this.#db, current, processId).catch((error: unknown) => {
        if (isOfDatabase(error)) throw error
        return this.#failed(task, error)
      })
      this.#resting.afterReading(task.patientUid, outcome.readings)
    }
  }

  /** Never rejects: nobody waits for it. */
  async #failedAside(task: Task, error: unknown) {
    try {
      if (isOfDatabase(error)) throw error
      await this.#failed(task, error)
    } catch (reason) {
      this.#following.report(reason, 'rules could not be evaluated')
    }
  }

  async #failed(task: Task, error: unknown) {
    this.#following.report(
      error,
      'the rules of a patient could not be evaluated: they are evaluated again in 30 s',
    )
    await rest(this.#db, task)
  }

  async #markAll(): Promise<boolean> {
    const { processId } = this.#following
    for (let pages = 0; pages < MAX_PAGES && this.#following.mayWork(); pages++) {
      const hasMore = await markRules(this.#db, processId)
      if (hasMore === undefined) await startAnew(this.#db, processId)
      if (!hasMore) return false
    }
    return true
  }
}
