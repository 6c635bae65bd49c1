// Keeps the summaries of patients up to date, in the process that holds the follower. Each round marks what changed, and makes what is
// marked.
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { FollowInRounds } from '../../feed/followers/follow-in-rounds.ts'
import { RestingPatients } from '../resting-patients.ts'
import { type MadeRow, makeStatement } from './make-statement.ts'
import { FOLLOWER, markChanges, startAnew } from './mark-changes.ts'
import { markAsked, type NextTask, nextTasks, noteMade, secondsBehind } from './next-tasks.ts'

const ROUND_EVERY_MS = 500
/** Pages of changes between which something is made. */
const MAX_PAGES = 10
const TASKS_AT_ONCE = 400
/** Patients of one statement. What was never made takes longer: a month of readings. */
const CHANGED_TOGETHER = 20
const FIRST_TOGETHER = 10
const REST = { fromReadings: 5_000, msOfReading: 0.2, mostMs: 60_000 }

type Deps = {
  now: () => number
  warn: (error: unknown, message: string) => void
}

export class SummaryKeeper {
  readonly #db: Db
  readonly #deps: Deps
  readonly #following: FollowInRounds
  readonly #resting = new RestingPatients(REST)

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#deps = deps
    this.#following = new FollowInRounds(db, {
      follower: FOLLOWER,
      everyMs: ROUND_EVERY_MS,
      round: () => this.#round(),
      failure: 'the lists of patients could not be brought up to date',
      behind: {
        name: 'rounds_care_list_behind_seconds',
        help: 'For how long changes have waited to be in the lists of patients: a few seconds where nothing waits.',
        seconds: () => secondsBehind(db),
        failure: 'how far the lists of patients are behind could not be read',
      },
      warn: deps.warn,
    })
  }

  stop(): Promise<void> {
    return this.#following.stop()
  }

  /** Whether all is done. */
  async #round(): Promise<boolean> {
    const hasMoreChanges = await this.#markAll()
    const wasAsked = await markAsked(this.#db)
    const hasMoreToMake = await this.#makeNext()
    return !hasMoreChanges && !wasAsked && !hasMoreToMake
  }

  async #markAll(): Promise<boolean> {
    const { processId } = this.#following
    for (let pages = 0; pages < MAX_PAGES && this.#following.mayWork(); pages++) {
      const hasMore = await markChanges(this.#db, processId)
      if (hasMore === undefined) await startAnew(this.#db, processId)
      if (!hasMore) return false
    }
    return true
  }

  /** Whether something was made. Where all are locked by others, it makes no haste. */
  async #makeNext(): Promise<boolean> {
    const resting = this.#resting.all()
    const tasks = await nextTasks(this.#db, { now: this.#deps.now(), limit: TASKS_AT_ONCE, resting })
    const versions = new Map(tasks.map(({ patientUid, version }) => [patientUid, version]))
    const first = tasks.filter(({ isFirst }) => isFirst)
    const changed = tasks.filter(({ isFirst }) => !isFirst)
    const beganAt = performance.now()
    let hasMade = false
    for (const batch of [...batchesOf(changed, CHANGED_TOGETHER), ...batchesOf(first, FIRST_TOGETHER)]) {
      if (!this.#following.mayWork()) return true
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
      if (!task.isFirst) this.#resting.afterReading(patient_uid, readings)
    }
    return rows === undefined || rows.length > 0
  }

  /** One patient who cannot be made, or takes too long, must not hold up the others: each is made alone, and that one rests. */
  async #makeAlone(batch: NextTask[], versions: Map<string, string>, error: unknown): Promise<undefined> {
    if (error instanceof Refusal && error.code === 'DatabaseUnavailable') throw error
    const [task, ...others] = batch
    if (others.length > 0) for (const one of batch) await this.#make([one], versions)
    else if (task) {
      this.#following.report(
        error,
        'the list of patients lacks one who could not be summarised: it is tried again',
      )
      this.#resting.afterFailure(task.patientUid)
    }
  }
}

/** Of one type each. */
function batchesOf(tasks: NextTask[], size: number): NextTask[][] {
  const batches: NextTask[][] = []
  for (const ofType of Map.groupBy(tasks, ({ readingType }) => readingType).values())
    for (let index = 0; index < ofType.length; index += size) batches.push(ofType.slice(index, index + size))
  return batches
}
