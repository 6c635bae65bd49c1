// The one handle to PostgreSQL: statements that run once, and statements that are repeated while the connection is lost.
import type { Pool, QueryResultRow } from 'pg'
import type { Metrics } from '../metrics/metrics.ts'
import { databaseUnavailable, overloaded } from '../refusal.ts'
import { type ConnectionKind, type ConnectionSettings, openConnections } from './connections.ts'
import { failToConnect, isSessionGood, isTransient, mayRepeat, mustBeReplicated } from './database-errors.ts'
import { listenTo } from './listen.ts'
import { watchStatements } from './watch-statements.ts'

// A database that has answered a statement within this time counts as available. So few requests arrive in it that hardly
// any is refused before an outage is recognised.
const ANSWERING_MS = 20

export type Statement = { name: string; text: string; values: unknown[] }

/** The rows that came back, and how many rows were read or written. */
type Outcome<Row> = { rows: Row[]; rowCount: number }

/** Connections for statements that requests do not share. */
type UnsharedKind = 'search' | 'feed' | 'other'

export type Db = {
  /**
   * Runs a statement and, while the connection or the primary is lost, runs it again until the deadline. So a statement must be
   * one that may run twice, as statements that requests share (batch.ts) must be too:
   * - A select, also with its access-log rows: a read may be logged twice, and is never missing. A delivery of
   *   the feed is marked by the greatest position.
   * - An insert whose key is its content.
   * - A correction: a reading that is withdrawn already is not withdrawn again, and likewise when restored. If another request
   *   undid it between the two runs, the second run does it anew, as if it had arrived later; it was not answered until then.
   *
   * A statement that the server cancelled because it took too long is not repeated. Refuses `DatabaseUnavailable` when the
   * deadline has passed, and `Overloaded` at once when too many wait for connections of this kind already. `withinMs` makes the
   * deadline shorter.
   */
  query: <Row extends QueryResultRow>(
    statement: Statement,
    on?: UnsharedKind,
    withinMs?: number,
  ) => Promise<Row[]>
  /** Runs a statement once, on a connection of this kind (`shared` by default). */
  attempt: <Row extends QueryResultRow>(statement: Statement, on?: ConnectionKind) => Promise<Outcome<Row>>
  maxWaiting: number
  /** Maximum number of queued requests while the database answers, but more slowly than they arrive. */
  maxWhenBusy: number
  deadlineMs: number
  /** Where operations register their counters. */
  metrics: Metrics
  /** Calls back at each NOTIFY on the channel, and once at each new connection; returns how to stop. */
  listen: (channel: string, onAnnouncement: () => void, acknowledgement?: string) => () => Promise<void>
  end: () => Promise<void>
}

export type DbSettings = ConnectionSettings & {
  maxWaiting: number
  maxWhenBusy: number
  deadlineMs: number
}

export function connectDb(settings: DbSettings): Db {
  const { url, maxWaiting, maxWhenBusy, deadlineMs, metrics } = settings
  const pools = openConnections(settings)
  metrics.gauge(
    { name: 'rounds_line_limit', help: 'Maximum number of queued requests per queue.' },
    () => maxWaiting,
  )
  const ask = { search: repeating('search'), feed: repeating('feed'), other: repeating('other') }

  /** Runs statements of one kind, each repeated until its deadline, and bounds how many are under way. */
  function repeating(kind: UnsharedKind) {
    const connections = pools[kind].options.max
    let underWay = 0
    const watch = watchStatements(metrics, {
      kind: 'other',
      waiting: () => Math.max(0, underWay - connections),
    })
    let answeredAt = 0

    /** While the database does not answer, a long queue is wanted: those requests wait for it to come back. */
    const maxUnderWay = () =>
      connections + (Date.now() - answeredAt < ANSWERING_MS ? maxWhenBusy : maxWaiting)

    return async <Row extends QueryResultRow>(statement: Statement, withinMs: number): Promise<Row[]> => {
      if (underWay >= maxUnderWay()) {
        throw overloaded()
      }
      underWay++
      const deadline = Promise.withResolvers<never>()
      let isLate = false
      let reason: unknown
      const timer = setTimeout(
        () => {
          isLate = true
          deadline.reject(reason ?? databaseUnavailable())
        },
        Math.min(withinMs, deadlineMs),
      )
      async function repeat(): Promise<Row[]> {
        for (let attempt = 1; ; attempt++) {
          try {
            const sentAt = performance.now()
            const { rows } = await queryOnce<Row>(pools[kind], statement)
            watch.answered(performance.now() - sentAt)
            answeredAt = Date.now()
            return rows
          } catch (error) {
            if (!mayRepeat(error) || isLate) throw error
            reason = error
            await pauseBefore(attempt)
            if (isLate) throw error
            watch.repeated()
          }
        }
      }
      // An attempt that hangs must not make its caller wait past the deadline.
      return Promise.race([repeat().finally(() => underWay--), deadline.promise]).finally(() =>
        clearTimeout(timer),
      )
    }
  }

  return {
    query: (statement, on = 'other', withinMs = deadlineMs) => ask[on](statement, withinMs),
    attempt: (statement, on = 'shared') => queryOnce(pools[on], statement),
    maxWaiting,
    maxWhenBusy,
    deadlineMs,
    metrics,
    listen: (channel, onAnnouncement, acknowledgement) =>
      listenTo(url, channel, onAnnouncement, acknowledgement),
    end: async () => {
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end()))
    },
  }
}

/** 25 to 500 ms: exponential backoff with jitter. */
export function pauseMsBefore(attempt: number): number {
  return Math.min(500, 25 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

export async function pauseBefore(attempt: number): Promise<void> {
  await new Promise((resume) => setTimeout(resume, pauseMsBefore(attempt)))
}

async function queryOnce<Row extends QueryResultRow>(
  pool: Pool,
  statement: Statement,
): Promise<Outcome<Row>> {
  const client = await pool.connect().catch(failToConnect)
  let isBroken = false
  try {
    const result = await client.query<Row>(statement)
    mustBeReplicated(client)
    const { rows, rowCount } = result
    // Finished queries of the driver stay reachable until V8's next full collection. Without this they would keep their rows:
    // streaming 200,000 readings made the process grow by 150 MiB, now by 30 (test/long-range.perf.ts).
    result.rows = []
    return { rows, rowCount: rowCount ?? 0 }
  } catch (error) {
    // A connection that became read-only leads to a demoted primary: keeping it would fail every later write.
    isBroken = isTransient(error) && !isSessionGood(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}
