// The connections to PostgreSQL, in one pool for each kind of statement, so that one kind never waits for another:
//
//   shared   statements that many requests share (batch.ts), and readiness
//   retry    requests whose shared statement failed, in smaller ones or alone
//   pages    pages of the directory that requests share
//   search   other searches of the directory, which PostgreSQL plans for their values
//   feed     pages of readings/changes
//   follow   followers of the sequence of changes, where a process has some: two connections more
//   lease    which followers it works for, one more: a lease must not end because their statements are slow
//   other    everything else: corrections, grants, streams, the access log, statistics, specialities, the version of the directory
//
// Where the pool is too small, the feed uses the connections for searches, and pages those for everything else.
//
// Settings follow what was measured on a cluster that fails over: a bounded wait for a connection, a client-side time-out that
// drops the connection instead of cancelling (a cancelled write may report success without its standby), and a
// bounded lifetime.
import { type ClientBase, Pool } from 'pg'
import { codeOf } from '../error-code.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Client } from './client.ts'
import { noteWarning } from './database-errors.ts'
import { DURABLE_COMMITS } from './durable-commits.ts'

export type ConnectionKind = 'shared' | 'retry' | 'pages' | 'search' | 'feed' | 'follow' | 'lease' | 'other'

const MAX_OF_SMALL_KINDS = 4
const OF_FOLLOWERS = { follow: 2, lease: 1 }
const SESSION_TIMEOUT_MS = 3_000
export const STATEMENT_TIMEOUT_MS = 5_500

type SessionSettings = {
  planCacheMode: 'force_generic_plan' | 'auto'
  lockTimeoutMs: number
  statementTimeoutMs: number
}

// - A shared statement is planned once for each connection. Without this, PostgreSQL re-plans small batches every time: it
//   assumes ten elements for an unknown array, so the generic plan looks too expensive. A lone page of 20 readings
//   took 2.7 ms instead of 0.9. A search needs the plan for its values: a rare name and a common one differ.
// - The lock time-out is much shorter than the statement time-out, because all requests that share a statement wait with it. A
//   retry waits only long enough to see that there is a lock.
// - The server cancels a statement before the driver gives up on it after 6 s, or each attempt would leave one running. It is
//   rolled back. The wait for a standby is not interrupted by this: it begins when this clock has stopped. A retry may
//   take less, because others wait for its connection.
const SHARED: SessionSettings = {
  planCacheMode: 'force_generic_plan',
  lockTimeoutMs: 300,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
}
/** How the sessions of each kind differ. */
export const SESSIONS: Record<ConnectionKind, SessionSettings> = {
  shared: SHARED,
  retry: { ...SHARED, lockTimeoutMs: 10, statementTimeoutMs: 2_000 },
  pages: SHARED,
  search: { ...SHARED, planCacheMode: 'auto' },
  feed: SHARED,
  follow: SHARED,
  lease: SHARED,
  other: SHARED,
}

// - A statement must see what was committed before it locked its tables: erasures wait for such locks. Under
//   another default of the role or the database, it could see an older state.
// - Statements over many partitions look expensive enough to compile, which took 200 ms to save none; and a parallel plan would read
//   more than the page that ends it.
// - Instants and numbers are printed by the server, so all sessions must print them alike.
// - A commit that did not wait for its standby is reported by a warning, which no setting of a role may hide.
const sessionOf = ({ planCacheMode, lockTimeoutMs, statementTimeoutMs }: SessionSettings) => `
  set default_transaction_isolation = 'read committed';
  set jit = off;
  set max_parallel_workers_per_gather = 0;
  set plan_cache_mode = ${planCacheMode};
  set timezone = 'UTC';
  set datestyle = 'ISO';
  set extra_float_digits = 1;
  set client_min_messages = 'warning';
  set lock_timeout = '${lockTimeoutMs}ms';
  set statement_timeout = '${statementTimeoutMs}ms';
  ${DURABLE_COMMITS}`

export type ConnectionSettings = {
  url: string
  /** The `application_name` of the sessions. */
  sessionName?: string
  /** Maximum number of connections of all kinds together, without those of followers. */
  poolSize: number
  /** Whether this process has followers. */
  hasFollowers?: boolean
  /** Called with the error code of each lost connection. */
  warn: (code: string) => void
  metrics: Metrics
}

export type Connections = Record<ConnectionKind, Pool>

export function openConnections({
  url,
  sessionName = 'rounds',
  poolSize,
  hasFollowers = false,
  warn,
  metrics,
}: ConnectionSettings): Connections {
  // Without a listener a connection that the server closes would end the process.
  const onError = (error: Error) => warn(codeOf(error) || 'connection lost')
  // The pool awaits this, although its types do not say so, and the connection fails with it: a session without these settings
  // must not serve.
  function prepare(client: ClientBase, settings: SessionSettings): unknown {
    client.on('error', onError)
    client.on('notice', (notice) => noteWarning(client, notice))
    return setSession(client, settings)
  }
  function open(kind: ConnectionKind): Pool {
    const pool = new Pool({
      Client,
      connectionString: url,
      max: { ...sizesOf(poolSize), ...OF_FOLLOWERS }[kind],
      application_name: sessionName,
      connectionTimeoutMillis: 3_000,
      query_timeout: 6_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      idleTimeoutMillis: 20_000,
      maxLifetimeSeconds: 300,
      onConnect: (client) => prepare(client, SESSIONS[kind]),
    })
    // The same errors once more.
    pool.on('error', () => {})
    watchPool(pool, metrics)
    return pool
  }
  const [search, other] = [open('search'), open('other')]
  return {
    shared: open('shared'),
    retry: open('retry'),
    pages: sizesOf(poolSize).pages > 0 ? open('pages') : other,
    search,
    feed: sizesOf(poolSize).feed > 0 ? open('feed') : search,
    follow: hasFollowers ? open('follow') : other,
    lease: hasFollowers ? open('lease') : other,
    other,
  }
}

async function setSession(client: ClientBase, settings: SessionSettings) {
  // The driver knows `query_timeout` for a single query; its types do not.
  const query = { text: sessionOf(settings), query_timeout: SESSION_TIMEOUT_MS }
  await client.query(query)
}

/**
 * Maximum number of connections of each kind: together `poolSize`, if that is enough for one of each. From ten connections on, the
 * feed takes half of those for searches, and pages take as many of the shared ones.
 */
export function sizesOf(
  poolSize: number,
): Record<Exclude<ConnectionKind, keyof typeof OF_FOLLOWERS>, number> {
  const small = Math.min(MAX_OF_SMALL_KINDS, Math.max(1, Math.floor(poolSize / 5)))
  const half = Math.floor(small / 2)
  return {
    shared: Math.max(1, poolSize - 3 * small - half),
    retry: small,
    pages: half,
    search: small - half,
    feed: half,
    other: small,
  }
}

/** The pools are counted together: values with the same labels are summed. */
function watchPool(pool: Pool, { gauge }: Metrics) {
  const connections = { name: 'rounds_pool_connections', help: 'Connections to the database.' }
  gauge({ ...connections, labels: { state: 'idle' } }, () => pool.idleCount)
  gauge({ ...connections, labels: { state: 'busy' } }, () => pool.totalCount - pool.idleCount)
  gauge(
    { name: 'rounds_pool_limit', help: 'Maximum number of connections to the database.' },
    () => pool.options.max,
  )
  gauge(
    { name: 'rounds_pool_waiting_statements', help: 'Statements that wait for a free connection.' },
    () => pool.waitingCount,
  )
}
