// `rounds access-log`.
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import { defineCommand } from './command.ts'
import { isDay, mustBeConfirmed, whoAsks } from './confirm.ts'
import { showProgress } from './progress.ts'

const HELP = `rounds access-log trim --before DAY --by YOU [--dry-run | --yes]: remove old entries of the access log for good.

A row of casesheet.access_log_trims keeps when, who, from before which day, and how many.

  --before DAY              entries from before this day (UTC) are removed, such as 2020-12-31
  --by YOU                  who you are, for the record: your name or your address
  --dry-run                 change nothing, only report how many would be removed
  --yes                     do not ask for confirmation

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"; the serving role may do none of this

Example:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds access-log trim --before 2020-12-31 --by me@clinic.example --dry-run
`

export const accessLogCommand = defineCommand({
  summary: 'rounds access-log trim          remove old entries of the access log',
  help: HELP,
  options: {
    by: { type: 'string' },
    yes: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    before: { type: 'string' },
  },
  async run({ args: [verb, ...others], options }, { env, ...terminal }) {
    const { before = '' } = options
    if (verb !== 'trim' || others.length > 0 || !isDay(before))
      throw new ConfigError(
        'Say "rounds access-log trim --before DAY --by YOU", with a day such as 2020-12-31.',
      )
    const trimmedBy = whoAsks(options.by)
    const databaseUrl = readDatabaseUrl(env)
    const at = `${before}T00:00:00Z`
    const { countOldAccesses, trimAccessLog } = await import('../modules/operators/trim-access-log.ts')
    const question = `${await countOldAccesses(databaseUrl, at)} entries of the access log are from before ${before} (UTC).`
    if (options['dry-run']) return `Nothing was changed. ${question}`
    if (!options.yes) await mustBeConfirmed(`${question} They will be deleted for good.`, before, terminal)
    const progress = showProgress(terminal.errors)
    const count = await trimAccessLog({
      databaseUrl,
      before: at,
      trimmedBy,
      onProgress: progress.show,
    }).finally(progress.end)
    return `Deleted ${count} entries of the access log from before ${before} (UTC).`
  },
})
