// `rounds migrate` and `rounds migrate --check`, in words.
import { checkMigrations, migrate } from '../db/migrate.ts'
import { CommandError } from '../refusal.ts'

/** Does what was asked and returns what to say of it. */
export async function runMigrateCommand(databaseUrl: string, isCheck: boolean): Promise<string> {
  if (!isCheck) {
    const { applied, newer } = await migrate(databaseUrl)
    return (
      (applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.') +
      describeNewer(newer)
    )
  }
  const { pending, newer } = await checkMigrations(databaseUrl)
  if (pending.length > 0)
    throw new CommandError(`Not applied yet: ${pending.join(', ')}. Run "rounds migrate" first.`)
  return `The database is up to date.${describeNewer(newer)}`
}

// The rule for migrations: the release before must go on working, so that it can serve until the new one does.
function describeNewer(newer: string[]): string {
  if (newer.length === 0) return ''
  return `\nIt is ahead of this build, by ${newer.join(', ')}: that is fine for the release before those, and for no older one.`
}
