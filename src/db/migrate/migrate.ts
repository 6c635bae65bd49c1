// `rounds migrate`: brings the database up to date, file by file, while it is served. Of several migrators one works and the others wait.
//
// A file is applied in one transaction, unless its first line is "-- no transaction": then each of its statements is applied by itself,
// and what a select yields is run too (\gexec of psql). Such a file may be stopped anywhere, and is then run again from its start.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, DatabaseError } from 'pg'
import { codeOf } from '../../error-code.ts'
import { sessionHolding } from '../blocking-sessions.ts'
import { isLockTimeout } from '../database-errors.ts'
import { withSession } from '../session.ts'
import { watchSession } from '../watch-session.ts'
import {
  compareMigrations,
  type Migration,
  MigrationError,
  type MigrationFile,
  readMigrationFiles,
} from './migration-files.ts'

/** The advisory lock that the one who migrates holds. */
const LOCK_ID = 7_069_105_000_001n
/** Later statements on a table queue behind one that waits for its lock: it gives up, lets them pass, and tries again. */
const LOCK_TIMEOUT_MS = 2_000
const SLOW_MS = 500

export type MigrateOptions = {
  /** Those that are served, of MODULES. */
  modules?: string[]
  /** Of readings, corrections and access_log each. Only the first run chooses. */
  partitions?: number | undefined
  /** Where the files are, for tests. */
  migrationsDir?: string
  lockAttempts?: number
  say?: (line: string) => void
  onWaiting?: (sessions: string[]) => void
  /** Cancels the statement in the server and ends the run. */
  signal?: AbortSignal
}

type Run = Required<Pick<MigrateOptions, 'lockAttempts' | 'say' | 'onWaiting' | 'signal'>>

/** Brings the database up to date and returns the names of the files it applied, and of those that a newer build has. */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}) {
  const { modules = [], partitions, migrationsDir, ...given } = options
  const signal = new AbortController().signal
  const run: Run = { lockAttempts: 30, say() {}, onWaiting() {}, signal, ...given }
  const files = await readMigrationFiles(migrationsDir)
  return withMigrationSession(databaseUrl, async (client) => {
    const watch = await watchSession(databaseUrl, client, run)
    const applied: string[] = []
    try {
      await takeLock(client, run)
      const { pending, newer } = compareMigrations(files, await appliedMigrations(client), modules)
      await prepare(client, partitions)
      for (const file of pending) {
        run.say(`Applying ${file.name} (${applied.length + 1} of ${pending.length}).`)
        await apply(client, file, run)
        applied.push(file.name)
      }
      return { applied, newer }
    } catch (cause) {
      if (!watch.isCancelled()) throw cause
      const done = applied.length > 0 ? `Applied before: ${applied.join(', ')}.` : 'Nothing was applied.'
      throw new MigrationError(`Interrupted. ${done} Run "rounds migrate" again to go on.`, { cause })
    } finally {
      await watch.end()
    }
  })
}

/** What `migrate` would apply, and what a newer build has applied. The serving role may call it too. */
export async function checkMigrations(databaseUrl: string, modules: string[]) {
  const applied = await withMigrationSession(databaseUrl, appliedMigrations)
  return compareMigrations(await readMigrationFiles(), applied, modules)
}

async function withMigrationSession<T>(databaseUrl: string, work: (client: Client) => Promise<T>) {
  let isOpen = false
  const begin = (client: Client) => {
    isOpen = true
    return work(client)
  }
  return withSession(databaseUrl, 'rounds migrate', begin).catch((cause: DatabaseError) => {
    const { message, hint = 'Use the owner of the database' } = cause
    if (!isOpen)
      throw new MigrationError(`The database cannot be used: ${message || codeOf(cause)}.`, { cause })
    if (codeOf(cause) !== '42501') throw cause
    const sentence = `The role of DATABASE_URL may not change the tables: ${message}. ${hint}.`
    throw new MigrationError(sentence, { cause })
  })
}

async function appliedMigrations(client: Client): Promise<Migration[]> {
  const isThere = "select from pg_tables where schemaname = 'rounds' and tablename = 'migration_files'"
  if ((await client.query(isThere)).rowCount === 0) return []
  const text = 'select name, sha256 from rounds.migration_files order by name collate "C"'
  return (await client.query<Migration>(text)).rows
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

async function prepare(client: Client, partitions: number | undefined) {
  await client.query(`
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    set lock_timeout = ${LOCK_TIMEOUT_MS};
    create schema if not exists rounds;
    create table if not exists rounds.migration_files (
      name text primary key,
      sha256 text not null
    )`)
  const { rows } = await client.query<{ made: number }>(`
    select substring(pg_get_expr(relpartbound, oid) from 'modulus (\\d+)')::integer as made
    from pg_class
    where oid = (select min(inhrelid) from pg_inherits where inhparent = to_regclass('casesheet.readings'))`)
  const { made = partitions ?? 32 } = rows[0] ?? {}
  if (partitions !== undefined && partitions !== made)
    throw new MigrationError(
      `The tables of this database are divided into ${made}, which --partitions cannot change.`,
    )
  await client.query("select set_config('rounds.partitions', $1, false)", [made])
}

async function apply(client: Client, file: MigrationFile, run: Run) {
  const retrying = <T>(work: () => Promise<T>) => untilLocked(file, run, work)
  const record = `insert into rounds.migration_files (name, sha256) values ('${file.name}', '${file.sha256}')`
  if (!file.text.startsWith('-- no transaction\n')) {
    // Statements that are sent together are one transaction.
    await retrying(() => client.query(`${file.text};\n${record}`))
    return
  }
  const statements = file.text.replace(/^[ \t]*--.*$/gm, '').split(/(?:;|\\gexec)[ \t]*$/m)
  for (const statement of statements.filter((text) => text.trim() !== '')) {
    const yielded = await retrying(() => runAlone(client, statement))
    for (const [index, text] of yielded.entries()) {
      const slow = setTimeout(() => run.say(`  ${index + 1} of ${yielded.length}: ${text}`), SLOW_MS)
      await retrying(() => runAlone(client, text)).finally(() => clearTimeout(slow))
    }
  }
  await client.query(record)
}

// What works concurrently lets others read and write while it waits, so it may wait: giving up would leave a useless index.
async function runAlone(client: Client, text: string): Promise<string[]> {
  const mayWait = /\bconcurrently\b/.test(text)
  if (mayWait) await client.query('set lock_timeout = 0')
  const { rows } = await client.query<string[]>({ text, rowMode: 'array' })
  if (mayWait) await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  return rows.flat()
}

async function untilLocked<T>(
  { name }: MigrationFile,
  { lockAttempts, signal }: Run,
  work: () => Promise<T>,
) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      if (attempt === lockAttempts)
        throw new MigrationError(
          `Migration ${name} did not get its lock: another session has held the table locked for too long (see pg_stat_activity). ` +
            'Run "rounds migrate" again: what was applied before stays.',
          { cause },
        )
      await pause(LOCK_TIMEOUT_MS * Math.random(), undefined, { signal })
    }
  }
}
