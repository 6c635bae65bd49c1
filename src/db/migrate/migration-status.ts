// What a database has of the migrations of this build.

import { sessionHolding } from '../blocking-sessions.ts'
import type { Db } from '../db.ts'
import { type Cause, notMigrated, READ_ONLY } from '../outage-causes.ts'
import { compareMigrations, readMigrationFiles } from './migration-files.ts'
import { appliedMigrations, LOCK_ID, withMigrationSession } from './migration-session.ts'

/** What `migrate` would apply, and what a newer build has applied. The serving role may call it too. */
export async function checkMigrations(
  databaseUrl: string,
  modules: string[],
): Promise<Pick<MigrationStatus, 'applied' | 'pending' | 'newer'>> {
  const files = await readMigrationFiles()
  return withMigrationSession(databaseUrl, async (client) => {
    const isThere = await client.query(
      "select from pg_tables where schemaname = 'rounds' and tablename = 'migration_files'",
    )
    const applied = isThere.rows.length > 0 ? await appliedMigrations(client) : []
    const { pending, newer } = compareMigrations(files, applied, modules)
    const isApplied = new Set(applied.map(({ name }) => name))
    return {
      applied: files.map(({ name }) => name).filter((name) => isApplied.has(name)),
      pending: pending.map(({ name }) => name),
      newer,
    }
  })
}

export type MigrationStatus = {
  applied: string[]
  pending: string[]
  newer: string[]
  /** The session that is migrating now. */
  running: string | undefined
  /** Indexes that an interrupted build left behind. */
  unfinished: string[]
}

export async function migrationStatus(databaseUrl: string, modules: string[]): Promise<MigrationStatus> {
  const { applied, pending, newer } = await checkMigrations(databaseUrl, modules)
  return withMigrationSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select indexrelid::regclass::text as name
       from pg_index
       join pg_class on pg_class.oid = indexrelid
       where not indisvalid
         and relkind = 'i'
         and relnamespace in (select oid from pg_namespace where nspname in ('appointments', 'casesheet'))
       order by 1`,
    )
    return {
      applied,
      pending,
      newer,
      running: await sessionHolding(client, LOCK_ID),
      unfinished: rows.map(({ name }) => name),
    }
  })
}

/** Why the database cannot serve, if it cannot. Later migrations, of a newer build, do no harm. */
export async function findObstacle(db: Db, names: string[]): Promise<Cause | undefined> {
  const { rows } = await db.attempt<{ applied: string[]; is_read_only: boolean }>({
    name: 'find-obstacle',
    text: `
      select
        coalesce(array_agg(name), '{}') as applied,
        current_setting('transaction_read_only') = 'on' as is_read_only
      from rounds.migration_files
      where name = any($1)`,
    values: [names],
  })
  const applied = new Set(rows[0]?.applied)
  const missing = names.filter((name) => !applied.has(name))
  if (missing.length > 0) return notMigrated(missing)
  return rows[0]?.is_read_only ? READ_ONLY : undefined
}
