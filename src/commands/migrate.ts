// `rounds migrate`.
import { readDatabaseUrl } from '../config/config.ts'
import { CommandError } from '../refusal.ts'
import { defineCommand, mustHaveNoArguments } from './command.ts'

const HELP = `rounds migrate [--check | --restored]: bring the database up to date. Running it again, or twice at once, does no harm.

Requests are served meanwhile. It waits at most 2 seconds at a time for a lock, so that statements queued behind it are not
delayed longer. The next run resumes a migration that was interrupted.

  --check                   change nothing; exit with 0 if the database has every migration of this build, else with 1 and
                            the names of those that are missing. A database of a newer release has them all.
  --restored                the cluster was set back to an earlier state without a new timeline (a copy or snapshot of its
                            data directory): cursors of readings/changes expire, and their consumers begin again

If the tables were copied into another cluster or database (pg_dump, pg_upgrade), those cursors expire without an option.

Needed:
  DATABASE_URL              postgres:// address of a role that may create schemas (the owner of the tables); for --check, the
                            serving role is enough

Examples:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds migrate
  DATABASE_URL=postgres://api@localhost/rounds npx rounds migrate --check
`

export const migrateCommand = defineCommand({
  summary: 'rounds migrate                  bring the database up to date (--check: only say whether it is)',
  help: HELP,
  options: { check: { type: 'boolean' }, restored: { type: 'boolean' } },
  async run({ args, options }, { env }) {
    mustHaveNoArguments('migrate', args)
    if (options.check && options.restored)
      throw new CommandError('--check changes nothing: leave out --restored, or --check.')
    const databaseUrl = readDatabaseUrl(env)
    const { checkMigrations, migrate } = await import('../db/migrate.ts')
    if (!options.check) {
      const { applied, newer } = await migrate(databaseUrl)
      const done = applied.length > 0 ? `Applied ${applied.join(', ')}.` : UP_TO_DATE
      const { renewFeed } = await import('../modules/casesheet/operators/renew-feed.ts')
      const isRenewed = await renewFeed({ databaseUrl, isRestored: options.restored ?? false })
      return done + (isRenewed ? CURSORS_EXPIRED : '') + describeNewer(newer)
    }
    const { pending, newer } = await checkMigrations(databaseUrl)
    if (pending.length > 0)
      throw new CommandError(`Not applied yet: ${pending.join(', ')}. Run "rounds migrate" first.`)
    return UP_TO_DATE + describeNewer(newer)
  },
})

const UP_TO_DATE = 'The database is up to date.'
const CURSORS_EXPIRED =
  '\nThe database was restored or copied: cursors of readings/changes have expired, and their consumers begin again.'

// The rule for migrations: the release before must go on working, so that it can serve until the new one does.
function describeNewer(newer: string[]): string {
  if (newer.length === 0) return ''
  return `\nIt also has migrations of a newer release: ${newer.join(', ')}. This build can run against it only if it is the release immediately before.`
}
