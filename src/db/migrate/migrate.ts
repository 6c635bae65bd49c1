// `rounds migrate`: brings the database up to date while it is served. Of several runs one works and the others wait.
//
// A migration is applied in one transaction, with the record of it, unless it begins with "-- no transaction". Then each of its statements
// is applied by itself, and so is each statement that a select yields (\gexec of psql); it may be stopped anywhere, because the next run
// begins with its first statement again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, DatabaseError } from 'pg'
import { codeOf } from '../../error-code.ts'
import { CommandError } from '../../refusal.ts'
import { sessionHolding } from '../blocking-sessions.ts'
import { isLockTimeout, isTransient } from '../database-errors.ts'
import { withSession } from '../session.ts'
import { watchSession } from '../watch-session.ts'
import { type Migration, pendingOf, readMigrations } from './migration-files.ts'

/** The advisory lock of the run that works. */
const LOCK_ID = 7_069_105_000_001n
/** Later statements on a table queue behind one that waits for its lock: it gives up, lets them pass, and tries again. */
const LOCK_TIMEOUT_MS = 2_000

export type MigrateOptions = {
  /** Those that are served, of MODULES. */
  modules?: string[]
  /** Of readings, corrections and access_log each; chosen when the database is made. */
  partitions?: number | undefined
  /** Where the files are, for tests. */
  migrationsDir?: string
} & Partial<Run>

type Run = {
  say: (line: string) => void
  onWaiting: (sessions: string[]) => void
  /** Cancels the statement in the server and ends the run. */
  signal: AbortSignal
}

/** Returns the names of the migrations that it applied. */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { modules = [], partitions, migrationsDir, ...given } = options
  const run: Run = { say() {}, onWaiting() {}, signal: new AbortController().signal, ...given }
  const migrations = await readMigrations(modules, migrationsDir)
  return withMigrationSession(databaseUrl, async (client) => {
    const watch = await watchSession(databaseUrl, client, run)
    try {
      await takeLock(client, run)
      const pending = pendingOf(migrations, await findApplied(client))
      await prepare(client, partitions)
      for (const [index, migration] of pending.entries()) {
        run.say(`Applying ${migration.name} (${index + 1} of ${pending.length}).`)
        await apply(client, migration, run)
      }
      return pending.map(({ name }) => name)
    } catch (cause) {
      if (!watch.isCancelled()) throw cause
      throw new CommandError('Interrupted. Run "rounds migrate" again to go on.', { cause })
    } finally {
      await watch.end()
    }
  })
}

/** The names of those that `migrate` would apply. The serving role may call it too. */
export async function findPending(databaseUrl: string, modules: string[]): Promise<string[]> {
  const applied = await withMigrationSession(databaseUrl, findApplied)
  return pendingOf(await readMigrations(modules), applied).map(({ name }) => name)
}

async function withMigrationSession<T>(databaseUrl: string, work: (client: Client) => Promise<T>) {
  return withSession(databaseUrl, 'rounds migrate', work).catch((cause: DatabaseError) => {
    const { message, severity, hint = 'Use the owner of the database' } = cause
    if (severity === 'FATAL' || isTransient(cause))
      throw new CommandError(`The database cannot be used: ${message || codeOf(cause)}.`, { cause })
    if (codeOf(cause) !== '42501') throw cause
    const sentence = `The role of DATABASE_URL may not change the tables: ${message}. ${hint}.`
    throw new CommandError(sentence, { cause })
  })
}

async function findApplied(client: Client): Promise<Omit<Migration, 'text'>[]> {
  const { rowCount } = await client.query("select where to_regclass('rounds.migration_files') is not null")
  if (rowCount === 0) return []
  return (await client.query<Migration>('select name, sha256 from rounds.migration_files')).rows
}

// Polled, not awaited in the server: a session that blocks in pg_advisory_lock() holds a snapshot and would deadlock
// with a `create index concurrently` of the one that holds the lock. The lock ends with the session.
async function takeLock(client: Client, { onWaiting, signal }: Run) {
  const text = 'select pg_try_advisory_lock($1) as taken'
  while (!(await client.query<{ taken: boolean }>(text, [LOCK_ID])).rows[0]?.taken) {
    const holder = await sessionHolding(client, LOCK_ID)
    if (holder !== undefined) onWaiting([holder])
    await pause(200, undefined, { signal })
  }
}

/** Sets the session up. The statement that makes the partitions reads from it how many. */
async function prepare(client: Client, partitions: number | undefined) {
  await client.query(`
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    create schema if not exists rounds;
    create table if not exists rounds.migration_files (name text primary key, sha256 text not null)`)
  const { rows } = await client.query<{ made: number }>(`
    select substring(pg_get_expr(relpartbound, oid) from 'modulus (\\d+)')::integer as made
    from pg_class
    where oid = (select min(inhrelid) from pg_inherits where inhparent = to_regclass('casesheet.readings'))`)
  const { made = partitions ?? 32 } = rows[0] ?? {}
  if (partitions !== undefined && partitions !== made)
    throw new CommandError(
      `The tables of this database are divided into ${made}, which --partitions cannot change.`,
    )
  await client.query("select set_config('rounds.partitions', $1, false)", [made])
}

async function apply(client: Client, { name, sha256, text }: Migration, run: Run) {
  const record = `insert into rounds.migration_files (name, sha256) values ('${name}', '${sha256}')`
  if (!text.startsWith('-- no transaction\n')) {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    // Statements that are sent together are one transaction.
    await untilLocked(run, () => client.query(`${text};\n${record}`))
    return
  }
  const statements = text.replace(/^[ \t]*--.*$/gm, '').split(/(?:;|\\gexec)[ \t]*$/m)
  for (const statement of statements.filter((one) => one.trim() !== ''))
    for (const yielded of await applyAlone(client, statement, run)) await applyAlone(client, yielded, run)
  await client.query(record)
}

/** Returns the values of its rows. */
async function applyAlone(client: Client, text: string, run: Run): Promise<string[]> {
  // It takes long and lets others read and write, so it may wait: giving up would leave a useless index.
  const isConcurrent = /^\s*(create|drop) .*\bconcurrently\b/.test(text)
  if (isConcurrent) run.say(`  ${text}`)
  await client.query(`set lock_timeout = ${isConcurrent ? 0 : LOCK_TIMEOUT_MS}`)
  const { rows } = await untilLocked(run, () => client.query<string[]>({ text, rowMode: 'array' }))
  return rows.flat()
}

async function untilLocked<T>({ signal }: Run, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
    }
    await pause(LOCK_TIMEOUT_MS * Math.random(), undefined, { signal })
  }
}
