// How long the sequence of changes has been held back by a transaction that stays open. A page ends below the oldest running
// transaction, so what was committed since that one began is not given before it ends.
//
// The serving role cannot see when a transaction of another role began. Each look at the database shows the next id that will be
// assigned: a transaction had its id no later than at the first look with a higher next id. Those looks are the marks. What began
// before this process looked for the first time is counted from then on.
import type { Metrics } from '../../../metrics/metrics.ts'

const STALE_MS = 60_000
const MARK_EVERY_MS = 100
const MAX_MARKS = 2_000

/** The oldest running transaction and the id that the next one will get, in one history of one sequence. */
export type Horizon = { generation: string; timeline: number; horizon: string; next_xid: string }

type Mark = { at: number; nextXid: bigint }

export type FeedDelay = ReturnType<typeof createFeedDelay>

export function createFeedDelay(metrics: Metrics, now: () => number) {
  let history = ''
  let oldest = 0n
  /** In order, and only those that are above the oldest running transaction. */
  let marks: Mark[] = []
  let notedAt = Number.NEGATIVE_INFINITY

  /** Undefined where nothing is known: the database could not be asked lately. */
  function heldBackSeconds(): number | undefined {
    if (now() - notedAt > STALE_MS) return undefined
    const [first] = marks
    return first === undefined ? 0 : Math.max(0, Math.floor((now() - first.at) / 1_000))
  }

  function mark(nextXid: bigint) {
    const last = marks.at(-1)
    // Looks may be noted in another order than they were made in.
    if (last && (nextXid <= last.nextXid || now() - last.at < MARK_EVERY_MS)) return
    if (marks.length >= MAX_MARKS) marks = thin(marks)
    marks.push({ at: now(), nextXid })
  }

  /** Leaves marks that are a hundredth of their age apart: those of a year are fewer than 1,500. */
  function thin(all: Mark[]): Mark[] {
    const left: Mark[] = []
    for (const one of all) {
      const before = left.at(-1)
      if (!before || one.at - before.at >= (now() - one.at) / 100) left.push(one)
    }
    return left
  }

  metrics.gauge(
    {
      name: 'rounds_changes_held_back_seconds',
      help: 'How long readings/changes has waited for the oldest running transaction of the database cluster.',
    },
    () => heldBackSeconds() ?? 0,
  )

  return {
    heldBackSeconds,
    /** How long ago the database was last looked at. */
    msSinceLook: () => now() - notedAt,
    note({ generation, timeline, horizon, next_xid }: Horizon) {
      const nextXid = BigInt(next_xid)
      // Ids of a history that was lost are assigned again.
      if (`${generation} ${timeline}` !== history || nextXid < oldest) marks = []
      history = `${generation} ${timeline}`
      oldest = BigInt(horizon)
      mark(nextXid)
      if (marks[0] && marks[0].nextXid <= oldest) marks = marks.filter((one) => one.nextXid > oldest)
      notedAt = now()
    },
  }
}
