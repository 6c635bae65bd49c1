// `rounds care`.
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import { defineCommand } from './command.ts'

const HELP = `rounds care rebuild: make the lists of patients again, from the readings.

Deletes what is made of readings for the lists of doctors: the sums of days and the newest readings of each patient who
shares with a doctor. Servers with the module care (MODULES) make all of it again, what changed meanwhile first. Until
then, a list says since when it is behind (behindSince). What doctors have seen stays seen. Readings, targets, grants and
looks are not touched.

Where alerts are on (ALERTS), the servers also evaluate every rule again, from when it was set. What the readings say
already stays as it is: no alert opens twice.

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"; the serving role may do none of this

Example:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds care rebuild
`

export const careCommand = defineCommand({
  summary: "rounds care rebuild             make the doctors' lists of patients again from the readings",
  help: HELP,
  options: {},
  async run({ args: [verb, ...others] }, { env }) {
    if (verb !== 'rebuild' || others.length > 0) throw new ConfigError('Say "rounds care rebuild".')
    const databaseUrl = readDatabaseUrl(env)
    const { rebuildSummaries } = await import('../modules/care/summaries/rebuild-summaries.ts')
    const { evaluateAgain } = await import('../modules/care/evaluation/evaluate-again.ts')
    const count = await rebuildSummaries(databaseUrl)
    const watched = await evaluateAgain(databaseUrl)
    const lists =
      count === 0
        ? 'There is nothing to make again: no patient shares with a doctor.'
        : `What lists are made of is deleted for ${patients(count)}. The servers make it again now; until then lists are behind.`
    return watched === 0 ? lists : `${lists}\nThe alert rules of ${patients(watched)} are evaluated again.`
  },
})

const patients = (count: number) => (count === 1 ? '1 patient' : `${count} patients`)
