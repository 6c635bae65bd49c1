// Keeps the summaries of patients up to date, in the process that holds the follower. Each round marks what changed, and makes what is
// marked. What is stored decides what is to be done, so a process that takes over goes on where the other one stopped.
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { holdFollowers } from '../../feed/followers/hold-followers.ts'
import { type MadeRow, makeStatement } from './make-statement.ts'
import { FOLLOWER, markChanges, startAnew } from './mark-changes.ts'
import { markAsked, type NextTask, nextTasks, noteMade, secondsBehind } from './next-tasks.ts'

const ROUND_EVERY_MS = 500
const AFTER_FAILURE_MS = 1_000
const MOST_PAUSE_MS = 500
const MEASURE_EVERY_MS = 10_000
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

export type SummaryKeeper = ReturnType<typeof keepSummaries>

export function keepSummaries(db: Db, { now, warn }: Deps) {
  const stopping = new AbortController()
  /** Until when, by patient. */
  const resting = new Map<string, number>()
  let isHeld = false
  let working: Promise<void> | undefined
  let hasWarned = false
  let behindSeconds = 0
  db.metrics.gauge(
    {
      name: 'rounds_care_list_behind_seconds',
      help: 'For how long changes have waited to be in the lists of patients: a few seconds where nothing waits.',
    },
    () => behindSeconds,
  )
  const measure = () =>
    secondsBehind(db).then(
      (seconds) => (behindSeconds = seconds),
      (error) => report(error, 'how far the lists of patients are behind could not be read'),
    )
  const measuring = setInterval(() => void measure(), MEASURE_EVERY_MS)

  const holder = holdFollowers(db, {
    prefix: FOLLOWER,
    onHeld(names) {
      isHeld = names.length > 0
      if (isHeld) working ??= work().finally(() => (working = undefined))
    },
    idleOf: (names) => names,
    warn,
  })

  const mayWork = () => isHeld && !stopping.signal.aborted && !holder.lease().aborted

  async function work() {
    while (mayWork()) {
      const beganAt = performance.now()
      let waitMs = AFTER_FAILURE_MS
      try {
        const isDone = await round()
        const tookMs = performance.now() - beganAt
        // While there is more, at most half of the time: adds are worth more than the last second of a list.
        waitMs = isDone ? ROUND_EVERY_MS : Math.min(tookMs, MOST_PAUSE_MS)
        hasWarned = false
      } catch (error) {
        report(error, 'the lists of patients could not be brought up to date')
      }
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Of failures in a row the first. */
  function report(error: unknown, message: string) {
    if (!hasWarned && !stopping.signal.aborted) warn(error, message)
    hasWarned = true
  }

  /** Whether all is done. */
  async function round(): Promise<boolean> {
    const hasMoreChanges = await markAll()
    const wasAsked = await markAsked(db)
    const hasMoreToMake = await makeNext()
    return !hasMoreChanges && !wasAsked && !hasMoreToMake
  }

  async function markAll(): Promise<boolean> {
    for (let pages = 0; pages < MAX_PAGES && mayWork(); pages++) {
      const hasMore = await markChanges(db, holder.processId)
      if (hasMore === undefined) await startAnew(db, holder.processId)
      if (!hasMore) return false
    }
    return true
  }

  async function makeNext(): Promise<boolean> {
    for (const [patientUid, until] of resting) if (until <= performance.now()) resting.delete(patientUid)
    const tasks = await nextTasks(db, { now: now(), limit: TASKS_AT_ONCE, resting: [...resting.keys()] })
    const versions = new Map(tasks.map(({ patientUid, version }) => [patientUid, version]))
    const first = tasks.filter(({ isFirst }) => isFirst)
    const changed = tasks.filter(({ isFirst }) => !isFirst)
    const batches = [...batchesOf(changed, CHANGED_TOGETHER), ...batchesOf(first, FIRST_TOGETHER)]
    const beganAt = performance.now()
    let hasMade = false
    for (const batch of batches) {
      if (!mayWork()) return true
      // What changed meanwhile comes before more of what was never made.
      if (batch[0]?.isFirst && performance.now() - beganAt > ROUND_EVERY_MS) break
      // One of whom another type was slow rests.
      const awake = batch.filter(({ patientUid }) => !resting.has(patientUid))
      if (await make(awake, versions)) hasMade = true
    }
    await noteMade(db)
    // Where all are locked by others, it makes no haste.
    return hasMade
  }

  /** Whether any was made. */
  async function make(batch: NextTask[], versions: Map<string, string>): Promise<boolean> {
    const [task] = batch
    if (!task) return false
    const current = batch.map((one) => ({ ...one, version: versions.get(one.patientUid) ?? one.version }))
    const rows = await db
      .query<MadeRow>(makeStatement(task.readingType, current, now()), { on: 'follow' })
      .catch((error: unknown) => failed(batch, versions, error))
    for (const { patient_uid, readings } of rows ?? []) {
      // The next type of the same patient relies on the version that this one has made.
      versions.set(patient_uid, String(BigInt(versions.get(patient_uid) ?? 0) + 1n))
      if (readings >= MANY_READINGS && !task.isFirst) rest(patient_uid, readings * REST_MS_OF_READING)
    }
    return rows === undefined || rows.length > 0
  }

  /** One patient who cannot be made, or takes too long, must not hold up the others: each is made alone, and that one rests. */
  async function failed(batch: NextTask[], versions: Map<string, string>, error: unknown) {
    if (error instanceof Refusal && error.code === 'DatabaseUnavailable') throw error
    const [task, ...others] = batch
    if (others.length > 0) for (const one of batch) await make([one], versions)
    else if (task) {
      report(error, 'the list of patients lacks one who could not be summarised: it is tried again')
      rest(task.patientUid, MOST_REST_MS)
    }
    return undefined
  }

  function rest(patientUid: string, ms: number) {
    if (resting.size < MAX_RESTING) resting.set(patientUid, performance.now() + Math.min(ms, MOST_REST_MS))
  }

  return {
    /** Another process takes over at once. */
    async stop() {
      stopping.abort()
      clearInterval(measuring)
      await working
      await holder.stop()
    },
  }
}

/** Of one type each. */
function batchesOf(tasks: NextTask[], size: number): NextTask[][] {
  const batches: NextTask[][] = []
  for (const ofType of Map.groupBy(tasks, ({ readingType }) => readingType).values())
    for (let index = 0; index < ofType.length; index += size) batches.push(ofType.slice(index, index + size))
  return batches
}
