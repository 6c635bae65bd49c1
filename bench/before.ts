// What this release costs those who add: the same adds on it and on the release before, which is taken from the history of the
// clone, each on a database of its own in the same PostgreSQL, in turn. The CPU of the database sessions is compared too: on a
// shared machine it is steadier than the rate.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unpackPreviousRelease } from '../test/previous-release.ts'
import { cpuSecondsOfEach } from './cpu.ts'
import { type Figure, figureOf, type Round } from './figures.ts'
import { loadsOn, type Tokens } from './http-loads.ts'
import type { Measured } from './loads.ts'
import { measureRounds, type Say } from './rounds.ts'
import { startOurs } from './rows.ts'
import type { Database, Stage } from './stage.ts'

const BAR = 0.9
// Short looks in quick alternation: what else the machine does meets both alike.
const SECONDS = 3
const ROUNDS = 9

type LoadDatabase = (name: string, migrationsDir?: string) => Promise<Database>
type Setting = { stage: Stage; tokens: Tokens; load: LoadDatabase; say: Say }
type Release = { url: string; database: Database }

export async function measureBefore({ stage, tokens, load, say }: Setting): Promise<Figure[]> {
  const dir = join(stage.dir, 'release-before')
  mkdirSync(dir)
  unpackPreviousRelease(dir)
  const before = await start('release_before', dir)
  const ours = await start('this_release')
  const { add, addThousands } = loadsOn(tokens, SECONDS)
  const rows = [
    rowOf('add, one reading a request', add),
    rowOf('add, 1,000 a request (readings)', addThousands),
  ]
  const rounds = await measureRounds(rows, ROUNDS, say)
  return rows.flatMap((row, index) => {
    const ofRow = rounds[index] ?? []
    return [
      figureOf(row, ofRow),
      figureOf({ name: `${row.name}, per CPU second of PostgreSQL`, bar: BAR }, ofRow.map(byCpu)),
    ]
  })

  async function start(name: string, of?: string): Promise<Release> {
    const database = await load(name, of && join(of, 'migrations'))
    const { url } = await startOurs({ stage, database, tokens }, of)
    return { url, database }
  }

  function rowOf(name: string, run: (url: string) => Promise<Measured>) {
    const on = ({ url, database }: Release) => withCpu(database, () => run(url))
    return {
      name: `${name} / the release before`,
      bar: BAR,
      ours: () => on(ours),
      reference: () => on(before),
    }
  }
}

async function withCpu(database: Database, run: () => Promise<Measured>): Promise<Measured> {
  const before = await cpuOfSessions(database)
  const measured = await run()
  const spent = (await cpuOfSessions(database)) - before
  return { ...measured, perCpuSecond: (measured.perSecond * SECONDS) / spent }
}

async function cpuOfSessions(database: Database): Promise<number> {
  const sessions = await database.sql<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return cpuSecondsOfEach(sessions.map(({ pid }) => pid))
}

function byCpu({ ours, reference }: Round): Round {
  const rate = ({ perCpuSecond = Number.NaN }: Measured) => ({
    perSecond: perCpuSecond,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
  })
  return { ours: rate(ours), reference: rate(reference) }
}
