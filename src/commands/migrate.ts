// `rounds migrate`.
import { readMigrateConfig } from '../config/config.ts'
import { CommandError } from '../refusal.ts'
import { defineCommand, mustHaveNoArguments, readWholeNumber } from './command.ts'
import { stopSignal } from './signals.ts'
import { sayWaiting } from './waiting.ts'

const HELP = `rounds migrate [--partitions N | --check | --restored]: bring the database up to date. Running it again, or twice at
once, does no harm.

Requests are served meanwhile. It waits at most 2 seconds at a time for a lock, so that statements queued behind it are not
delayed longer, and names the sessions that it waits for. Ctrl-C cancels its statement in the server; the next run resumes.

  --partitions N            divide readings, corrections and access log by patient into N tables each (default 32; 1 to 1024),
                            when the database is made. More than 32 are for patients divided between several clusters.
  --check                   change nothing; exit with 0 if the database has every migration of this build, else with 1 and
                            the names of those that are missing. A database of a newer release has them all.
  --restored                the cluster was set back to an earlier state without a new timeline (a copy or snapshot of its
                            data directory): cursors of readings/changes expire, and their consumers begin again

If the tables were copied into another cluster or database (pg_dump, pg_upgrade), those cursors expire without an option.

Needed:
  DATABASE_URL              postgres:// address of the owner of the tables, a role that may create schemas; for --check the
                            serving role is enough

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
  options: { partitions: { type: 'string' }, check: { type: 'boolean' }, restored: { type: 'boolean' } },
  async run({ args, options: { partitions, check = false, restored = false } }, { env, errors }) {
    mustHaveNoArguments('migrate', args)
    const { databaseUrl, modules } = readMigrateConfig(env)
    const asked = readWholeNumber(partitions, { name: '--partitions', min: 1, max: 1_024 })
    if (check && (restored || asked)) throw new CommandError('Give --check alone: it changes nothing.')
    const { findPending, migrate } = await import('../db/migrate/migrate.ts')
    if (check) {
      const pending = await findPending(databaseUrl, modules)
      if (pending.length === 0) return UP_TO_DATE
      throw new CommandError(`Not applied yet: ${pending.join(', ')}. Run "rounds migrate" first.`)
    }
    const say = (line: string) => errors.write(`${line}\n`)
    const onWaiting = sayWaiting((line) => say(`  ${line}`))
    const run = { modules, partitions: asked, say, onWaiting, signal: stopSignal(env) }
    const applied = await migrate(databaseUrl, run)
    const { renewFeed } = await import('../modules/feed/renew-feed.ts')
    const isRenewed = await renewFeed({ databaseUrl, isRestored: restored })
    const done = applied.length > 0 ? `Applied ${applied.join(', ')}.` : UP_TO_DATE
    return done + (isRenewed ? CURSORS_EXPIRED : '')
  },
})

const UP_TO_DATE = 'The database is up to date.'
const CURSORS_EXPIRED =
  '\nThe database was restored or copied: cursors of readings/changes have expired, and their consumers begin again.'
