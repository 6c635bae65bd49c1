import type { Db } from './db.ts'
import { type Cause, notMigrated, READ_ONLY } from './outage-causes.ts'

/** Why the database cannot serve a build that needs these migrations, if it cannot. Those of a newer build do no harm. */
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
