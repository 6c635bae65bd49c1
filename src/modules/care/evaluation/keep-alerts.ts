// Evaluates rules. The process that holds the follower marks what changed; every process takes what is marked or due and evaluates it.
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { mayRepeat } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { FollowInRounds } from '../../feed/followers/follow-in-rounds.ts'
import { askedFor, evaluate, type Outcome } from './evaluate.ts'
import { MAX_WALKED, readSlices, type Slice } from './load-readings.ts'
import { type Loaded, loadAlerts, loadRules } from './load-rules.ts'
import { FOLLOWER, markRules, startAnew } from './mark-rules.ts'
import { markDue, rest, secondsBehind, type Task, takeTasks } from './next-tasks.ts'
import { noteWatch, type Outage, readOutages } from './outages.ts'
import { writeAlerts } from './write-alerts.ts'

const ROUND_EVERY_MS = 250
const AFTER_FAILURE_MS = 1_000
const WATCH_EVERY_MS = 10_000
/** Pages of changes between which the lease is looked at. */
const MAX_PAGES = 10
/** Of many patients with few readings a small slice each is read together; of those with more, one slice at a time. */
const AT_ONCE = { few: 25, bulk: 10, many: 1 }
const SIZES = { first: 500, further: MAX_WALKED }

type Evaluation = {
  /** The clock, as RFC 3339; null for that of the database. */
  now: string | null
  sizes?: typeof SIZES
  /** These could not be evaluated. */
  failed: (tasks: readonly Task[], error: unknown) => Promise<void>
}

/** Evaluates a slice of each of some patients and types that are marked or due; returns of how many. */
export async function evaluateNext(db: Db, evaluation: Evaluation): Promise<number> {
  await markDue(db, evaluation.now)
  const tasks = await takeTasks(db, AT_ONCE)
  if (tasks.length === 0) return 0
  const outages = await readOutages(db)
  // What takes long is evaluated by itself, behind the others.
  for (const some of [tasks.filter(({ slices }) => slices === 0), tasks.filter(({ slices }) => slices > 0)])
    await evaluateTogether(db, some, outages, evaluation).catch(async (error: unknown) => {
      if (isOfDatabase(error)) throw error
      // One that cannot be evaluated must not hold up the others.
      for (const task of some)
        await evaluateTogether(db, [task], outages, evaluation).catch((reason: unknown) => {
          if (isOfDatabase(reason)) throw reason
          return evaluation.failed([task], reason)
        })
    })
  return tasks.length
}

/** No fault of a patient's rules or readings: the database is away. A statement that took too long may be. */
const isOfDatabase = (error: unknown) => error instanceof Refusal || mayRepeat(error)

const NOTHING: Slice = { before: [], readings: [], to: null, walked: 0 }

async function evaluateTogether(
  db: Db,
  tasks: readonly Task[],
  outages: readonly Outage[],
  evaluation: Evaluation,
) {
  if (tasks.length === 0) return
  const { now, sizes = SIZES } = evaluation
  const loaded = await loadRules(db, tasks, now)
  const asked = loaded.flatMap((one) => {
    const ask = askedFor(one, one.task.slices === 0 ? sizes.first : sizes.further)
    return ask ? [{ one, ask }] : []
  })
  const read =
    asked.length > 0
      ? await readSlices(
          db,
          asked.map(({ ask }) => ask),
        )
      : []
  const slices = new Map<Loaded, Slice>(asked.map(({ one }, nth) => [one, read[nth] ?? NOTHING]))
  const sliceOf = (one: Loaded) => slices.get(one) ?? NOTHING
  const alerts = await loadAlerts(
    db,
    loaded.map((one) => ({
      patientUid: one.task.patientUid,
      readingType: one.task.readingType,
      from: one.from,
      to: sliceOf(one).to ?? one.now,
    })),
  )
  const outcomes: Outcome[] = []
  for (const [nth, one] of loaded.entries()) {
    outcomes.push(evaluate(one, sliceOf(one), alerts[nth] ?? [], outages))
    // Requests are served between.
    await setImmediate()
  }
  await writeAlerts(db, outcomes)
}

type Deps = {
  warn: (error: unknown, message: string) => void
}

export class AlertKeeper {
  readonly #db: Db
  readonly #following: FollowInRounds
  readonly #stopping = new AbortController()
  readonly #evaluating: Promise<void>
  #watchedAt = -Infinity

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#following = new FollowInRounds(db, {
      follower: FOLLOWER,
      everyMs: ROUND_EVERY_MS,
      round: () => this.#markAll(),
      failure: 'changes could not be marked for the rules',
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
    this.#evaluating = this.#evaluate()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following.stop(this.#evaluating)
  }

  async #evaluate() {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const beganAt = performance.now()
      let waitMs = AFTER_FAILURE_MS
      try {
        const count = await evaluateNext(this.#db, {
          now: null,
          failed: (tasks, error) => this.#failed(tasks, error),
        })
        // While there is more, at most half of the time: adds are worth more than the last second of what follows them.
        waitMs = count === 0 ? ROUND_EVERY_MS : Math.min(performance.now() - beganAt, ROUND_EVERY_MS)
      } catch (error) {
        this.#following.report(error, 'rules could not be evaluated')
      }
      await pause(waitMs, undefined, { signal }).catch(() => {})
    }
  }

  async #failed(tasks: readonly Task[], error: unknown) {
    this.#following.report(
      error,
      'the rules of a patient could not be evaluated: they are evaluated again in 30 s',
    )
    await rest(this.#db, tasks)
  }

  /** Whether all is marked. */
  async #markAll(): Promise<boolean> {
    const { processId } = this.#following
    if (performance.now() - this.#watchedAt > WATCH_EVERY_MS) {
      await noteWatch(this.#db, processId)
      this.#watchedAt = performance.now()
    }
    for (let pages = 0; pages < MAX_PAGES && this.#following.mayWork(); pages++) {
      const hasMore = await markRules(this.#db, processId)
      if (hasMore === undefined) await startAnew(this.#db, processId)
      if (!hasMore) return true
    }
    return false
  }
}
