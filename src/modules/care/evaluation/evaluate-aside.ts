// Evaluates patients with very many readings beside the rounds, one after the other, so that the others do not wait for them. A round
// writes what comes of it. Each is in one state:
//
//   from       to         when
//   –          waiting    a round has found that it has very many readings
//   waiting    evaluated  its readings were read
//   each       –          a round wrote it, it failed, or this process may no longer evaluate: its mark stays where it was not written
//
// While a patient is here, rounds leave it alone.
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { askedFor, evaluate, type Outcome } from './evaluate.ts'
import { type ReadReading, readAlone } from './load-readings.ts'
import { loadRules } from './load-rules.ts'
import type { Task } from './next-tasks.ts'
import type { Outage } from './span.ts'

/** More are found again when there is room. */
const MAX_WAITING = 100
const MOST_PAUSE_MS = 250

type Found = { task: Task; outages: readonly Outage[]; lease: AbortSignal }
export type Evaluated = Found & { outcome: Outcome }

type Deps = {
  /** How many readings are read at a time. */
  part: number
  /** Must not reject. */
  failed: (task: Task, error: unknown) => Promise<void>
}

export class EvaluateAside {
  readonly #db: Db
  readonly #deps: Deps
  readonly #waiting: Found[] = []
  readonly #evaluated: Evaluated[] = []
  #working: Promise<void> | undefined

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#deps = deps
  }

  take(found: Found) {
    if (this.#waiting.length >= MAX_WAITING) return
    this.#waiting.push(found)
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
    })
  }

  patients(): string[] {
    return [...this.#waiting, ...this.#evaluated].map(({ task }) => task.patientUid)
  }

  /** What is to be written now. What was found under another lease is out of date: another process may have evaluated it. */
  takeEvaluated(lease: AbortSignal): Evaluated[] {
    return this.#evaluated.splice(0).filter((one) => one.lease === lease && !lease.aborted)
  }

  async ended() {
    await this.#working
  }

  async #work() {
    for (let found = this.#waiting[0]; found; found = this.#waiting[0]) {
      const { task, lease } = found
      try {
        const outcome = await this.#evaluate(found)
        if (!lease.aborted) this.#evaluated.push({ ...found, outcome })
      } catch (error) {
        if (!lease.aborted) await this.#deps.failed(task, error)
      } finally {
        this.#waiting.shift()
      }
    }
  }

  async #evaluate({ task, outages, lease }: Found): Promise<Outcome> {
    const [loaded] = await loadRules(this.#db, [task], null)
    if (!loaded) throw new Error('A task was expected that can be loaded.')
    const asked = askedFor(loaded)
    const parts = asked ? readAlone(this.#db, asked, this.#deps.part) : []
    return evaluate(loaded, outages, paced(parts, lease))
  }
}

/** With pauses in which others use the database and the processor. */
async function* paced(parts: AsyncIterable<ReadReading[]> | Iterable<ReadReading[]>, lease: AbortSignal) {
  let beganAt = performance.now()
  for await (const part of parts) {
    yield part
    if (lease.aborted) return
    await pause(Math.min(performance.now() - beganAt, MOST_PAUSE_MS))
    beganAt = performance.now()
  }
}
