// `rounds migrate`: plain SQL files of migrations/, in order, each in a transaction of its own, through node-pg-migrate.
// Two migrators at once do not collide: one works, the other waits. A file that was applied and then edited stops the
// run, because what stands in the database is no longer what the file says.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runner } from 'node-pg-migrate'
import { Client } from 'pg'
import { CommandError } from '../refusal.ts'
import { codeOf, type Db } from './db.ts'

const MIGRATIONS_DIR = join(import.meta.dirname, '../../migrations')
const LOCK_ID = 7_069_105_000_001n

class MigrationError extends CommandError {}

/** Brings the database up to date and returns the names of the files it applied. */
export async function migrate(databaseUrl: string, migrationsDir = MIGRATIONS_DIR): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'rounds migrate' })
  await client.connect().catch((cause: Error) => {
    throw new MigrationError(`The database cannot be used: ${cause.message || codeOf(cause)}.`, { cause })
  })
  try {
    await takeLock(client)
    await client.query(`
      create schema if not exists rounds;
      create table if not exists rounds.migration_files (
        name text primary key,
        sha256 text not null
      )`)
    await mustMatchWhatWasApplied(client, migrationsDir)
    try {
      const applied = await runner({
        dbClient: client,
        dir: migrationsDir,
        direction: 'up',
        migrationsSchema: 'rounds',
        migrationsTable: 'migrations',
        noLock: true,
        logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      })
      return applied.map(({ name }) => name)
    } finally {
      await rememberFiles(client, migrationsDir)
    }
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== '42501') throw error
    const problem = `The role of DATABASE_URL may not change the tables: ${error.message}.`
    throw new MigrationError(`${problem} Use the owner of the database.`, { cause: error })
  } finally {
    await client.end()
  }
}

// Also after a run that failed: each file is committed by itself, so those before the failing one are there to stay.
async function rememberFiles(client: Client, migrationsDir: string) {
  await client.query('rollback') // the runner leaves the failed one's transaction open
  const { rows } = await client.query<{ name: string }>(`
    select name
    from rounds.migrations
    where name not in (select name from rounds.migration_files)`)
  for (const { name } of rows) {
    await client.query('insert into rounds.migration_files (name, sha256) values ($1, $2)', [
      name,
      await sha256OfFile(migrationsDir, name),
    ])
  }
}

/** Whether every migration that this program knows has been applied; later ones, of a newer program, do no harm. */
export async function isMigrated(db: Db): Promise<boolean> {
  const files = (await readdir(MIGRATIONS_DIR)).map((file) => file.replace(/\.sql$/, ''))
  const { rows } = await db.attempt<{ applied: number }>({
    name: 'migrations-applied',
    text: 'select count(*)::int as applied from rounds.migration_files where name = any($1)',
    values: [files],
  })
  return rows[0]?.applied === files.length
}

// Polled, not awaited in the server: a session that blocks in pg_advisory_lock() holds a snapshot and would deadlock
// with a `create index concurrently` of the one that holds the lock. The lock ends with the session.
async function takeLock(client: Client) {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_ID,
    ])
    if (rows[0]?.taken) return
    await new Promise((resume) => setTimeout(resume, 200))
  }
}

async function mustMatchWhatWasApplied(client: Client, migrationsDir: string) {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from rounds.migration_files order by name',
  )
  for (const { name, sha256 } of rows) {
    if ((await sha256OfFile(migrationsDir, name)) !== sha256) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied. Restore it and add a new one instead.`,
      )
    }
  }
}

async function sha256OfFile(migrationsDir: string, name: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(join(migrationsDir, `${name}.sql`)))
      .digest('hex')
  } catch (cause) {
    throw new MigrationError(`Migration ${name} was applied, but its file is gone.`, { cause })
  }
}

function ignore() {}
