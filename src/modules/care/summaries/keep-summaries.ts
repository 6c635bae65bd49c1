// Keeps the summaries of patients up to date, in the process that holds the follower. Each round marks what changed, and makes what is
// marked. What is stored decides what is to be done, so a process that takes over goes on where the other one stopped.
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { type Holder, holdFollowers } from '../../feed/followers/hold-followers.ts'
import { type MadeRow, makeStatement } from './make-statement.ts'
import { FOLLOWER, markChanges, startAnew } from './mark-changes.ts'
import { markAsked, type NextTask, nextTasks, noteMade, secondsBehind } from './next-tasks.ts'

const ROUND_EVERY_MS = 500
const AFTER_FAILURE_MS = 1_000
const MOST_PAUSE_MS = 500
const MEASURE_EVERY_MS = 10_000
const STOP_WITHIN_MS = 2_500
/** Pages of changes between which something is made. */
const MAX_PAGES = 10
const TASKS_AT_ONCE = 400
/** Patients of one statement. What was never made takes longer: a month of readings. */
const CHANGED_TOGETHER = 20
const FIRST_TOGETHER = 10
/**
 * A patient of whom so many readings were read rests for as long as that takes, many times over. So a device that sends without end
 * delays nobody else. It goes by readings and not by the clock: a slow database is no fault of a patient.
 */
const MANY_READINGS = 5_000
const REST_MS_OF_READING = 0.2
const MOST_REST_MS = 60_000
const MAX_RESTING = 1_000

type Deps = {
  now: () => number
  warn: (error: unknown, message: string) => void
}

export class SummaryKeeper {
  readonly #db: Db
  readonly #deps: Deps
  readonly #holder: Holder
  readonly #stopping = new AbortController()
  readonly #measuring: NodeJS.Timeout
  /** Until when, by patient. */
  readonly #resting = new Map<string, number>()
  #isHeld = false
  #working: Promise<void> | undefined
  #hasWarned = false
  #behindSeconds = 0

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#deps = deps
    const help =
      'For how long changes have waited to be in the lists of patients: a few seconds where nothing waits.'
    db.metrics.gauge({ name: 'rounds_care_list_behind_seconds', help }, () => this.#behindSeconds)
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
    await Promise.race([this.#working, pause(STOP_WITHIN_MS, undefined, { ref: false })])
    await this.#holder.stop()
  }

  async #measure() {
    try {
      this.#behindSeconds = await secondsBehind(this.#db)
    } catch (error) {
      this.#report(error, 'how far the lists of patients are behind could not be read')
    }
  }

  #onHeld(isHeld: boolean) {
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
        // While there is more, at most half of the time: adds are worth more than the last second of a list.
        waitMs = isDone ? ROUND_EVERY_MS : Math.min(performance.now() - beganAt, MOST_PAUSE_MS)
        this.#hasWarned = false
      } catch (error) {
        this.#report(error, 'the lists of patients could not be brought up to date')
      }
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** Of failures in a row the first. */
  #report(error: unknown, message: string) {
    if (!this.#hasWarned && !this.#stopping.signal.aborted) this.#deps.warn(error, message)
    this.#hasWarned = true
  }

  /** Whether all is done. */
  async #round(): Promise<boolean> {
    const hasMoreChanges = await this.#markAll()
    const wasAsked = await markAsked(this.#db)
    const hasMoreToMake = await this.#makeNext()
    return !hasMoreChanges && !wasAsked && !hasMoreToMake
  }

  async #markAll(): Promise<boolean> {
    const { processId } = this.#holder
    for (let pages = 0; pages < MAX_PAGES && this.#mayWork(); pages++) {
      const hasMore = await markChanges(this.#db, processId)
      if (hasMore === undefined) await startAnew(this.#db, processId)
      if (!hasMore) return false
    }
    return true
  }

  /** Whether something was made. Where all are locked by others, it makes no haste. */
  async #makeNext(): Promise<boolean> {
    for (const [patientUid, until] of this.#resting)
      if (until <= performance.now()) this.#resting.delete(patientUid)
    const resting = [...this.#resting.keys()]
    const tasks = await nextTasks(this.#db, { now: this.#deps.now(), limit: TASKS_AT_ONCE, resting })
    const versions = new Map(tasks.map(({ patientUid, version }) => [patientUid, version]))
    const first = tasks.filter(({ isFirst }) => isFirst)
    const changed = tasks.filter(({ isFirst }) => !isFirst)
    const beganAt = performance.now()
    let hasMade = false
    for (const batch of [...batchesOf(changed, CHANGED_TOGETHER), ...batchesOf(first, FIRST_TOGETHER)]) {
      if (!this.#mayWork()) return true
      // What changed meanwhile comes before more of what was never made.
      if (batch[0]?.isFirst && performance.now() - beganAt > ROUND_EVERY_MS) break
      // One of whom another type was slow rests.
      const awake = batch.filter(({ patientUid }) => !this.#resting.has(patientUid))
      if (await this.#make(awake, versions)) hasMade = true
    }
    await noteMade(this.#db)
    return hasMade
  }

  /** Whether any was made. */
  async #make(batch: NextTask[], versions: Map<string, string>): Promise<boolean> {
    const [task] = batch
    if (!task) return false
    const current = batch.map((one) => ({ ...one, version: versions.get(one.patientUid) ?? one.version }))
    const rows = await this.#db
      .query<MadeRow>(makeStatement(task.readingType, current, this.#deps.now()), { on: 'follow' })
      .catch((error: unknown) => this.#makeAlone(batch, versions, error))
    for (const { patient_uid, readings } of rows ?? []) {
      // The next type of the same patient relies on the version that this one has made.
      versions.set(patient_uid, String(BigInt(versions.get(patient_uid) ?? 0) + 1n))
      if (readings >= MANY_READINGS && !task.isFirst) this.#rest(patient_uid, readings * REST_MS_OF_READING)
    }
    return rows === undefined || rows.length > 0
  }

  /** One patient who cannot be made, or takes too long, must not hold up the others: each is made alone, and that one rests. */
  async #makeAlone(batch: NextTask[], versions: Map<string, string>, error: unknown): Promise<undefined> {
    if (error instanceof Refusal && error.code === 'DatabaseUnavailable') throw error
    const [task, ...others] = batch
    if (others.length > 0) for (const one of batch) await this.#make([one], versions)
    else if (task) {
      this.#report(error, 'the list of patients lacks one who could not be summarised: it is tried again')
      this.#rest(task.patientUid, MOST_REST_MS)
    }
  }

  #rest(patientUid: string, ms: number) {
    if (this.#resting.size < MAX_RESTING)
      this.#resting.set(patientUid, performance.now() + Math.min(ms, MOST_REST_MS))
  }
}

/** Of one type each. */
function batchesOf(tasks: NextTask[], size: number): NextTask[][] {
  const batches: NextTask[][] = []
  for (const ofType of Map.groupBy(tasks, ({ readingType }) => readingType).values())
    for (let index = 0; index < ofType.length; index += size) batches.push(ofType.slice(index, index + size))
  return batches
}
