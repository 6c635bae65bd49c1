// The one handle to PostgreSQL: statements that run once, and statements that are repeated while the connection is lost.
import type { ClientBase, Pool, QueryResultRow } from 'pg'
import type { Metrics } from '../metrics/metrics.ts'
import { type ConnectionKind, type ConnectionSettings, openConnections } from './connections.ts'
import { failToConnect, isSessionGood, isTransient, mustBeReplicated } from './database-errors.ts'
import type { DatabaseQueue } from './database-queue.ts'
import { listenTo } from './listen.ts'
import type { Failure } from './outage-watch.ts'
import type { Outcome, Statement } from './statement.ts'
import { UnsharedStatements } from './unshared-statements.ts'

/** Connections on which subjects take turns. Of the statements on `pages`, which requests share, the subject is the server. */
type UnsharedKind = 'pages' | 'search' | 'feed' | 'follow' | 'lease' | 'other'

type QueryOptions = {
  /** `other` by default. */
  on?: UnsharedKind
  /** The verified caller; none for a statement of the server itself. */
  subject?: string
  /** Makes the deadline shorter. */
  withinMs?: number
}

export type Db = {
  /**
   * Runs a statement and, while the connection or the primary is lost, runs it again until the deadline. So a statement must be
   * one that may run twice, as statements that requests share (batch.ts) must be too:
   * - A select, also with what runs behind it: a read may be logged twice, and is never missing. A delivery of
   *   the feed is marked by the greatest position.
   * - An insert whose key is its content.
   * - A correction: a reading that is withdrawn already is not withdrawn again, and likewise when restored. If another request
   *   undid it between the two runs, the second run does it anew, as if it had arrived later; it was not answered until then.
   *
   * A statement that the server cancelled because it took too long is not repeated. When the deadline has passed, it refuses
   * `DatabaseUnavailable`, or `Overloaded` if the database answered others meanwhile. It refuses at once with `Overloaded` when too
   * many wait for connections of this kind already, and with `RateLimited` when too many of them are of this subject.
   */
  query: <Row extends QueryResultRow>(statement: Statement, options?: QueryOptions) => Promise<Row[]>
  /** Runs a statement once, on a connection of this kind (`shared` by default). */
  attempt: <Row extends QueryResultRow>(statement: Statement, on?: ConnectionKind) => Promise<Outcome<Row>>
  maxWaiting: number
  /** Maximum number of queued requests while the database answers, but more slowly than they arrive. */
  maxWhenBusy: number
  deadlineMs: number
  /** Where operations register their counters. */
  metrics: Metrics
  /** The queues of requests for the database. */
  queues: Set<DatabaseQueue>
  /** Calls back at each NOTIFY on the channel, and once at each new connection; returns how to stop. */
  listen: (channel: string, onAnnouncement: () => void, acknowledgement?: string) => () => Promise<void>
  end: () => Promise<void>
}

/** What runs statements that may run twice: the pools of a server, or the session of a command. */
export type Queries = Pick<Db, 'query'>

type OnFailure = (failure: Failure) => void

export type DbSettings = ConnectionSettings & {
  maxWaiting: number
  maxWhenBusy: number
  deadlineMs: number
  /** Called for each attempt that failed, before the error is given a meaning for requests. */
  onFailure?: OnFailure
}

export function connectDb(settings: DbSettings): Db {
  const { url, maxWaiting, maxWhenBusy, deadlineMs, metrics, onFailure = () => {} } = settings
  const pools = openConnections(settings)
  const queues = new Set<DatabaseQueue>()
  metrics.gauge(
    { name: 'rounds_queue_limit', help: 'Maximum number of queued requests per queue.' },
    () => maxWaiting,
  )
  const unsharedOn = (kind: UnsharedKind) => {
    const connections = pools[kind].options.max
    const run = (statement: Statement) => queryOnce(pools[kind], statement, onFailure)
    const statements = new UnsharedStatements(run, { connections, maxWaiting, maxWhenBusy, metrics })
    queues.add(statements)
    return statements
  }
  const search = unsharedOn('search')
  const feed = pools.feed === pools.search ? search : unsharedOn('feed')
  const other = unsharedOn('other')
  const pages = pools.pages === pools.other ? other : unsharedOn('pages')
  const follow = pools.follow === pools.other ? other : unsharedOn('follow')
  const lease = pools.lease === pools.other ? other : unsharedOn('lease')
  const unshared = { pages, search, feed, follow, lease, other }

  return {
    query: (statement, { on = 'other', subject = '', withinMs = deadlineMs } = {}) =>
      unshared[on].query(statement, { subject, withinMs: Math.min(withinMs, deadlineMs) }),
    attempt: (statement, on = 'shared') =>
      on === 'shared' || on === 'retry'
        ? queryOnce(pools[on], statement, onFailure)
        : unshared[on].attempt(statement),
    maxWaiting,
    maxWhenBusy,
    deadlineMs,
    metrics,
    queues,
    listen: (channel, onAnnouncement, acknowledgement) =>
      listenTo(url, channel, onAnnouncement, acknowledgement),
    end: async () => {
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end()))
    },
  }
}

async function queryOnce<Row extends QueryResultRow>(
  pool: Pool,
  statement: Statement,
  onFailure: OnFailure,
): Promise<Outcome<Row>> {
  const startedAt = performance.now()
  const client = await pool.connect().catch((error: unknown) => {
    onFailure({ error, stage: 'connect', startedAt })
    return failToConnect(error)
  })
  let isBroken = false
  try {
    const outcome = await runOn<Row>(client, statement)
    const { behind } = statement
    if (behind) {
      const { rows } = await runOn(client, behind.statementFor(outcome.rows))
      outcome.rows = behind.answersFrom(outcome.rows, rows) as Row[]
    }
    mustBeReplicated(client)
    return outcome
  } catch (error) {
    onFailure({ error, stage: 'statement', startedAt })
    // A connection that became read-only leads to a demoted primary: keeping it would fail every later write.
    isBroken = isTransient(error) && !isSessionGood(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}

async function runOn<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text, values }: Statement,
): Promise<Outcome<Row>> {
  const result = await client.query<Row>({ name, text, values })
  const { rows, rowCount } = result
  // Finished queries of the driver stay reachable until V8's next full collection. Without this they would keep their rows:
  // streaming 200,000 readings made the process grow by 150 MiB, now by 30 (test/labs/long-range.lab.ts).
  result.rows = []
  return { rows, rowCount: rowCount ?? 0 }
}
