import type { Db } from './db.ts'
import { type Cause, notMigrated, READ_ONLY } from './outage-causes.ts'

/** Why the database cannot serve a build that needs these migrations, if it cannot. Those of a newer build do no harm. */
export async function findObstacle(db: Db, migrations: { name: string }[]): Promise<Cause | undefined> {
  const { rows } = await db.attempt<{ missing: string[]; is_read_only: boolean }>({
    name: 'find-obstacle',
    text: `
      select
        array(
          select needed
          from unnest($1::text[]) as needed
          where needed not in (select name from rounds.migration_files)
        ) as missing,
        current_setting('transaction_read_only') = 'on' as is_read_only`,
    values: [migrations.map(({ name }) => name)],
  })
  const [{ missing, is_read_only } = { missing: [], is_read_only: false }] = rows
  if (missing.length > 0) return notMigrated(missing)
  return is_read_only ? READ_ONLY : undefined
}
