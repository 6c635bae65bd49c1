// Keeps what is made of patients' readings up to date, in the process that holds the follower. Each round marks what changed, and makes what is
// marked: of one patient a type at a time, of two patients at once.
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/db.ts'
import { hourly } from '../../../db/hourly.ts'
import { Refusal } from '../../../refusal.ts'
import { FollowInRounds } from '../../feed/followers/follow-in-rounds.ts'
import { RestingPatients } from '../resting-patients.ts'
import { dropOld } from './drop-old.ts'
import { makeSummaries } from './make-summaries.ts'
import { FOLLOWER, markChanges, startAnew } from './mark-changes.ts'
import { type NextTask, nextTasks, secondsBehind } from './next-tasks.ts'

const ROUND_EVERY_MS = 500
/** Changes of a page, and pages between which something is made. After a failure, a few changes: one of them may be a target for many patients. */
const PAGE = 5_000
const PAGE_AFTER_FAILURE = 50
const MAX_PAGES = 10
const AT_ONCE = 2
const REST = { fromReadings: 50_000, msOfReading: 0.1, mostMs: 60_000 }

type Deps = {
  now: () => number
  warn: (error: unknown, message: string) => void
}

/** While the server listens. */
export function keepSummaries(app: FastifyInstance, db: Db, deps: Deps) {
  const { now, warn } = deps
  let keeper: SummaryKeeper | undefined
  let stopDropping = () => {}
  app.addHook('onListen', async () => {
    keeper = new SummaryKeeper(db, deps)
    stopDropping = hourly(
      () => dropOld(db, now()),
      (error) => warn(error, 'old days of patients could not be dropped'),
    )
  })
  app.addHook('preClose', async () => {
    stopDropping()
    await keeper?.stop()
  })
}

export class SummaryKeeper {
  readonly #db: Db
  readonly #deps: Deps
  readonly #following: FollowInRounds
  readonly #resting = new RestingPatients(REST)
  #page = PAGE

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
    const hasMoreToMake = await this.#makeNext()
    return !hasMoreChanges && !hasMoreToMake
  }

  async #markAll(): Promise<boolean> {
    const { processId } = this.#following
    for (let pages = 0; pages < MAX_PAGES && this.#following.mayWork(); pages++) {
      const page = this.#page
      this.#page = PAGE_AFTER_FAILURE
      const hasMore = await markChanges(this.#db, processId, page)
      this.#page = PAGE
      if (hasMore === undefined) await startAnew(this.#db, processId)
      if (!hasMore) return false
    }
    return true
  }

  /** Whether something was made. */
  async #makeNext(): Promise<boolean> {
    const tasks = await nextTasks(this.#db, this.#resting.all())
    const ofPatients = [...Map.groupBy(tasks, ({ patientUid }) => patientUid).values()]
    const beganAt = performance.now()
    let made = 0
    const work = async () => {
      for (let ofPatient = ofPatients.shift(); ofPatient; ofPatient = ofPatients.shift()) {
        if (!this.#following.mayWork()) return
        // What changed meanwhile comes before more of what was never made.
        const isInTime = performance.now() - beganAt < ROUND_EVERY_MS
        made += await this.#make(isInTime ? ofPatient : ofPatient.filter(({ isFirst }) => !isFirst))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return made > 0
  }

  /** The types of one patient; returns how many were made. */
  async #make(tasks: NextTask[]): Promise<number> {
    let made = 0
    for (const task of tasks) {
      // The next type relies on the count that this one has raised.
      const judged = String(BigInt(task.judged) + BigInt(made))
      try {
        const { readings, isMade } = await makeSummaries(this.#db, { ...task, judged }, this.#deps.now())
        this.#resting.afterReading(task.patientUid, readings)
        if (!isMade) return made
        made++
      } catch (error) {
        if (error instanceof Refusal && error.code === 'DatabaseUnavailable') throw error
        // One patient who cannot be made, or takes too long, must not hold up the others.
        this.#following.report(
          error,
          'the list of patients lacks one who could not be summarised: it is tried again',
        )
        this.#resting.afterFailure(task.patientUid)
        return made
      }
    }
    return made
  }
}
