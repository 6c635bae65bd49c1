// What this release costs: the same requests on it and on the release before, or on any commit, which is taken from the history of
// the clone, each on a database of its own in the same PostgreSQL, in turn. CPU is compared too: it limits the rate, and on a shared
// machine it is steadier.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unpackCommit, unpackPreviousRelease } from '../test/support/previous-release.ts'
import { cpuSecondsOfEach } from './cpu.ts'
import { type Figure, figureOf, type Round } from './figures.ts'
import { loadsOn, type Tokens } from './http-loads.ts'
import type { Measured } from './loads.ts'
import { measureRounds, type Say } from './rounds.ts'
import { startOurs } from './rows.ts'
import type { Database, Stage } from './stage.ts'

const BAR = 0.9
/** Of a commit: one change may cost less than a release. */
const BAR_OF_COMMIT = 0.97
// Short looks in quick alternation: what else the machine does meets both alike.
const SECONDS = 3
const ROUNDS = 9

type LoadDatabase = (name: string, migrationsDir?: string) => Promise<Database>
type Setting = { stage: Stage; tokens: Tokens; load: LoadDatabase; say: Say; commit?: string | undefined }
type Release = { url: string; pid: number; database: Database }

export async function measureBefore({ stage, tokens, load, say, commit }: Setting): Promise<Figure[]> {
  const dir = join(stage.dir, 'release-before')
  mkdirSync(dir)
  if (commit) unpackCommit(commit, dir)
  else unpackPreviousRelease(dir)
  const [named, bar] = commit ? [commit, BAR_OF_COMMIT] : ['the release before', BAR]
  const before = await start('release_before', dir)
  const ours = await start('this_release')
  const { add, addThousands, get } = loadsOn(tokens, SECONDS)
  const adds = rowOf('add, one reading a request', add)
  const rows = commit
    ? [
        adds,
        ...[1, 20].map((readings) => rowOf(`get of ${readings}`, (url) => get(url, readings))),
        rowOf('a lone get of 20', (url) => get(url, 20, 1)),
      ]
    : [adds, rowOf('add, 1,000 a request (readings)', addThousands)]
  const rounds = await measureRounds(rows, ROUNDS, say)
  return rows.flatMap((row, index) => {
    const ofRow = rounds[index] ?? []
    return [
      figureOf(row, ofRow),
      figureOf({ name: `${row.name}, by CPU`, bar }, ofRow.map(byCpu('all'))),
      figureOf({ name: `${row.name}, by CPU of PostgreSQL alone`, bar: null }, ofRow.map(byCpu('database'))),
    ]
  })

  async function start(name: string, of?: string): Promise<Release> {
    const database = await load(name, of && join(of, 'migrations'))
    const { url, pid } = await startOurs({ stage, database, tokens }, of)
    return { url, pid, database }
  }

  function rowOf(name: string, run: (url: string) => Promise<Measured>) {
    const on = (release: Release) => withCpu(release, () => run(release.url))
    return {
      name: `${name} / ${named}`,
      bar,
      ours: () => on(ours),
      reference: () => on(before),
    }
  }
}

async function withCpu(release: Release, run: () => Promise<Measured>): Promise<Measured> {
  const before = await cpuOf(release)
  const measured = await run()
  const after = await cpuOf(release)
  const count = measured.perSecond * SECONDS
  return {
    ...measured,
    perCpuSecond: {
      all: count / (after.server + after.database - before.server - before.database),
      database: count / (after.database - before.database),
    },
  }
}

async function cpuOf({ pid: server, database }: Release) {
  const sessions = await database.sql<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return { server: cpuSecondsOfEach([server]), database: cpuSecondsOfEach(sessions.map(({ pid }) => pid)) }
}

function byCpu(of: 'all' | 'database') {
  const rate = ({ perCpuSecond }: Measured) => ({
    perSecond: perCpuSecond?.[of] ?? Number.NaN,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
  })
  return ({ ours, reference }: Round): Round => ({ ours: rate(ours), reference: rate(reference) })
}
