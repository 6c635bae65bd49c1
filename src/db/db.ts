// The one handle to PostgreSQL. Settings follow what was measured on a cluster that fails over: a bounded wait for a
// connection, a client-side time-out that drops the connection instead of cancelling (a cancelled write may report
// success without its standby), and connections that do not live for ever.
import { Pool, type QueryResultRow } from 'pg'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../refusal.ts'
import {
  codeOf,
  failToConnect,
  isGoneAway,
  isSessionGood,
  mustBeReplicated,
  noteWarning,
} from './database-errors.ts'
import { listenTo } from './listen.ts'
import { watchStatements } from './watch-statements.ts'

// A database that has answered a statement within this time is there. In so short a time few requests arrive, so that
// hardly any is refused before an outage is seen as one.
const ANSWERING_MS = 20

export type Statement = { name: string; text: string; values: unknown[] }

/** The rows that came back, and how many rows were read or written. */
type Outcome<Row> = { rows: Row[]; rowCount: number }

export type Db = {
  /**
   * Runs a statement and, while the connection or the primary is away, runs it again until the deadline. So a statement
   * must be one that may run twice: a select, or an insert whose key is its content. Refuses `DatabaseUnavailable` when
   * the deadline has passed, and `Overloaded` at once when too many wait already.
   */
  query: <Row extends QueryResultRow>(statement: Statement) => Promise<Row[]>
  /** Runs a statement once. */
  attempt: <Row extends QueryResultRow>(statement: Statement) => Promise<Outcome<Row>>
  maxWaiting: number
  /** How many may wait while the database answers, only slower than they come. */
  maxWhenBusy: number
  deadlineMs: number
  /** Where operations say what they count. */
  metrics: Metrics
  /** Calls back at each NOTIFY on the channel, and once at each new connection; returns how to stop. */
  listen: (channel: string, onAnnouncement: () => void) => () => Promise<void>
  end: () => Promise<void>
}

export type DbSettings = {
  url: string
  poolSize: number
  maxWaiting: number
  maxWhenBusy: number
  deadlineMs: number
  /** Hears of connections that were cut. */
  warn: (code: string) => void
  metrics: Metrics
}

// It goes out before the first statement of whoever gets a new connection.
// - Statements over many partitions look dear enough to compile, which took 200 ms to save none.
// - A statement is planned once for each connection. Left to itself the planner plans anew whatever few requests share, because
//   it takes a list for ten long that it has not seen: a lone page of 20 readings took 2.7 ms instead of 0.9.
// - Instants are printed by the server, so all sessions must print them alike.
// - A commit that did not wait for its standby says so in a warning, which no setting of a role may hide.
// - A statement that the driver gives up after 6 s has ended in the server before, else each attempt would leave one behind. It
//   is rolled back. The wait for a standby is not broken by this: it begins when this clock has been stopped.
const SESSION = `
  set jit = off;
  set plan_cache_mode = force_generic_plan;
  set timezone = 'UTC';
  set datestyle = 'ISO';
  set client_min_messages = 'warning';
  set statement_timeout = '5500ms'`

export function connectDb(settings: DbSettings): Db {
  const { url, poolSize, maxWaiting, maxWhenBusy, deadlineMs, warn, metrics } = settings
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'rounds',
    connectionTimeoutMillis: 3_000,
    query_timeout: 6_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    idleTimeoutMillis: 20_000,
    maxLifetimeSeconds: 300,
  })
  // Without both listeners a connection that the server cuts would end the process.
  const onError = (error: Error) => warn(codeOf(error) || 'connection lost')
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', onError)
    client.query(SESSION).catch(onError)
    client.on('notice', (notice) => noteWarning(client, notice))
  })

  watchPool(pool, metrics)
  metrics.gauge({ name: 'rounds_line_limit', help: 'As many may stand in one line.' }, () => maxWaiting)
  let underWay = 0
  const watch = watchStatements(metrics, {
    kind: 'other',
    waiting: () => Math.max(0, underWay - poolSize),
  })
  let answeredAt = 0

  /** A database that is away makes a long line too, but that one is to be waited out. */
  const mostUnderWay = () => poolSize + (Date.now() - answeredAt < ANSWERING_MS ? maxWhenBusy : maxWaiting)

  async function query<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    if (underWay >= mostUnderWay()) {
      throw overloaded()
    }
    underWay++
    const deadline = Promise.withResolvers<never>()
    let isLate = false
    let reason: unknown
    const timer = setTimeout(() => {
      isLate = true
      deadline.reject(reason ?? databaseUnavailable())
    }, deadlineMs)
    async function repeat(): Promise<Row[]> {
      for (let attempt = 1; ; attempt++) {
        try {
          const sentAt = performance.now()
          const { rows } = await queryOnce<Row>(pool, statement)
          watch.answered(performance.now() - sentAt)
          answeredAt = Date.now()
          return rows
        } catch (error) {
          if (!isGoneAway(error) || isLate) throw error
          reason = error
          await pauseBefore(attempt)
          watch.repeated()
        }
      }
    }
    // An attempt that hangs must not keep its caller past the deadline.
    return Promise.race([repeat().finally(() => underWay--), deadline.promise]).finally(() =>
      clearTimeout(timer),
    )
  }
  return {
    query,
    attempt: (statement) => queryOnce(pool, statement),
    maxWaiting,
    maxWhenBusy,
    deadlineMs,
    metrics,
    listen: (channel, onAnnouncement) => listenTo(url, channel, onAnnouncement),
    end: () => pool.end(),
  }
}

function watchPool(pool: Pool, { gauge }: Metrics) {
  const connections = { name: 'rounds_pool_connections', help: 'Connections to the database.' }
  gauge({ ...connections, labels: { state: 'idle' } }, () => pool.idleCount)
  gauge({ ...connections, labels: { state: 'busy' } }, () => pool.totalCount - pool.idleCount)
  gauge({ name: 'rounds_pool_limit', help: 'As many connections there may be.' }, () => pool.options.max)
  gauge(
    { name: 'rounds_pool_waiting', help: 'Statements that wait for a connection.' },
    () => pool.waitingCount,
  )
}

export function overloaded(): Refusal {
  return new Refusal('Overloaded', 'Too many requests are waiting already. Try again shortly.')
}

export function databaseUnavailable(): Refusal {
  return new Refusal('DatabaseUnavailable', 'The database cannot be reached. Try again shortly.')
}

/** Waits 25 to 500 ms, longer with each attempt and never the same for two. */
export async function pauseBefore(attempt: number): Promise<void> {
  const pauseMs = Math.min(500, 25 * 2 ** attempt) * (0.5 + Math.random() / 2)
  await new Promise((resume) => setTimeout(resume, pauseMs))
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
    // Dead queries of the driver hang together until V8's next full collection. Without this they would keep their rows:
    // streaming 200,000 readings made the process grow by 150 MiB, now by 30 (test/long-range.test.ts).
    result.rows = []
    return { rows, rowCount: rowCount ?? 0 }
  } catch (error) {
    // A connection that turned read-only leads to a demoted primary: keeping it would fail every later write.
    isBroken = isGoneAway(error) && !isSessionGood(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}
