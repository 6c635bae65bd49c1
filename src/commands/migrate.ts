// `rounds migrate`.
import { readMigrateConfig } from '../config/config.ts'
import type { MigrationProgress } from '../db/migrate/migrate.ts'
import { CommandError } from '../refusal.ts'
import { defineCommand, mustHaveNoArguments } from './command.ts'
import type { Output } from './progress.ts'
import { stopSignal } from './signals.ts'
import { sayWaiting } from './waiting.ts'

const HELP = `rounds migrate [--check | --status | --restored]: bring the database up to date. Running it again, or twice at once, does no harm.

Requests are served meanwhile. It waits at most 2 seconds at a time for a lock, so that statements queued behind it are not
delayed longer. It prints each migration, each index that takes long, and the sessions that it waits for. Ctrl-C cancels its
statement in the server and says what was applied; the next run resumes.

  --check                   change nothing; exit with 0 if the database has every migration of this build, else with 1 and
                            the names of those that are missing. A database of a newer release has them all.
  --status                  change nothing; list every migration as applied or pending, the session that is migrating now,
                            and indexes that an interrupted run left unfinished
  --restored                the cluster was set back to an earlier state without a new timeline (a copy or snapshot of its
                            data directory): cursors of readings/changes expire, and their consumers begin again

If the tables were copied into another cluster or database (pg_dump, pg_upgrade), those cursors expire without an option.

Needed:
  DATABASE_URL              postgres:// address of a role that may create schemas (the owner of the tables); for --check
                            and --status, the serving role is enough

Optional:
  MODULES                   those of the servers (appointments,casesheet,care): fhir has an index of its own, which takes hours
                            on large tables, and a fifth of the disk

Examples:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds migrate
  DATABASE_URL=postgres://api@localhost/rounds npx rounds migrate --check
`

export const migrateCommand = defineCommand({
  summary: 'rounds migrate                  bring the database up to date (--check: only say whether it is)',
  help: HELP,
  options: { check: { type: 'boolean' }, status: { type: 'boolean' }, restored: { type: 'boolean' } },
  async run({ args, options: { check = false, status = false, restored = false } }, { env, errors }) {
    mustHaveNoArguments('migrate', args)
    if (Number(check) + Number(status) + Number(restored) > 1)
      throw new CommandError('Give one of --check, --status and --restored: the first two change nothing.')
    const config = readMigrateConfig(env)
    if (status) return showStatus(config)
    if (check) return showCheck(config)
    return bringUpToDate(config, { isRestored: restored, env, errors })
  },
})

type MigrateConfig = ReturnType<typeof readMigrateConfig>

async function bringUpToDate(
  { databaseUrl, modules }: MigrateConfig,
  { isRestored, env, errors }: { isRestored: boolean; env: NodeJS.ProcessEnv; errors: Output },
): Promise<string> {
  const { migrate } = await import('../db/migrate/migrate.ts')
  const progress = describeProgress((line) => errors.write(`${line}\n`))
  const { applied, newer } = await migrate(databaseUrl, {
    modules,
    onProgress: (step) => progress.show(step),
    signal: stopSignal(env),
  }).finally(() => progress.end())
  const done = applied.length > 0 ? `Applied ${applied.join(', ')}.` : UP_TO_DATE
  const { renewFeed } = await import('../modules/feed/renew-feed.ts')
  const isRenewed = await renewFeed({ databaseUrl, isRestored })
  return done + (isRenewed ? CURSORS_EXPIRED : '') + describeNewer(newer)
}

/** A line for each migration, for each statement of one that takes long, and now and then for what is waited for. */
function describeProgress(say: (line: string) => void) {
  const onWaiting = sayWaiting((line) => say(`  ${line}`))
  let slow: NodeJS.Timeout | undefined
  return {
    show(progress: MigrationProgress) {
      if (progress.kind === 'waiting') return onWaiting(progress.sessions)
      clearTimeout(slow)
      if (progress.kind === 'applying') {
        say(`Applying ${progress.name} (${progress.index} of ${progress.count}).`)
      } else {
        const line = `  ${progress.index} of ${progress.count}: ${progress.text}`
        slow = setTimeout(() => say(line), SLOW_MS)
      }
    },
    end: () => clearTimeout(slow),
  }
}

async function showCheck({ databaseUrl, modules }: MigrateConfig): Promise<string> {
  const { checkMigrations } = await import('../db/migrate/migration-status.ts')
  const { pending, newer } = await checkMigrations(databaseUrl, modules)
  if (pending.length > 0)
    throw new CommandError(`Not applied yet: ${pending.join(', ')}. Run "rounds migrate" first.`)
  return UP_TO_DATE + describeNewer(newer)
}

async function showStatus({ databaseUrl, modules }: MigrateConfig): Promise<string> {
  const { migrationStatus } = await import('../db/migrate/migration-status.ts')
  const { applied, pending, newer, running, unfinished } = await migrationStatus(databaseUrl, modules)
  return [
    ...applied.map((name) => `applied     ${name}`),
    ...pending.map((name) => `pending     ${name}`),
    ...newer.map((name) => `newer       ${name}`),
    ...unfinished.map((name) => `unfinished  index ${name}`),
    ...(running === undefined ? [] : [`migrating   ${running}`]),
  ].join('\n')
}

const SLOW_MS = 500
const UP_TO_DATE = 'The database is up to date.'
const CURSORS_EXPIRED =
  '\nThe database was restored or copied: cursors of readings/changes have expired, and their consumers begin again.'

// The rule for migrations: the release before must go on working, so that it can serve until the new one does.
function describeNewer(newer: string[]): string {
  if (newer.length === 0) return ''
  return `\nIt also has migrations of a newer release: ${newer.join(', ')}. This build can run against it only if it is the release immediately before.`
}
