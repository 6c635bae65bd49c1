// The same requests on two servers in turn, each on a database of its own in the same PostgreSQL. CPU is compared too: it limits the
// rate, and on a shared machine it is steadier.
import { cpuSecondsOfEach } from './cpu.ts'
import { type Figure, figureOf, type Round } from './figures.ts'
import type { Measured } from './loads.ts'
import { measureRounds, type Say } from './rounds.ts'
import type { Database } from './stage.ts'

// Short looks in quick alternation: what else the machine does meets both alike.
export const SECONDS_OF_LOOK = 3
const ROUNDS = 9

export type Side = { url: string; pid: number; database: Database }
export type SideRow = {
  name: string
  bar: number | null
  ours: Side
  reference: Side
  run: (side: Side) => Promise<Measured>
}

/** Each row by its rate, by CPU of the server with its database sessions, and by CPU of the sessions alone. */
export async function measureSides(rows: SideRow[], say: Say): Promise<Figure[]> {
  const measured = await measureRounds(
    rows.map(({ name, bar, ours, reference, run }) => ({
      name,
      bar,
      ours: () => withCpu(ours, run),
      reference: () => withCpu(reference, run),
    })),
    ROUNDS,
    say,
  )
  return rows.flatMap(({ name, bar }, index) => {
    const rounds = measured[index] ?? []
    return [
      figureOf({ name, bar }, rounds),
      figureOf({ name: `${name}, by CPU`, bar }, rounds.map(byCpu('all'))),
      figureOf({ name: `${name}, by CPU of PostgreSQL alone`, bar: null }, rounds.map(byCpu('database'))),
    ]
  })
}

async function withCpu(side: Side, run: (side: Side) => Promise<Measured>): Promise<Measured> {
  const before = await cpuOf(side)
  const measured = await run(side)
  const after = await cpuOf(side)
  const count = measured.perSecond * SECONDS_OF_LOOK
  return {
    ...measured,
    perCpuSecond: {
      all: count / (after.server + after.database - before.server - before.database),
      database: count / (after.database - before.database),
    },
  }
}

async function cpuOf({ pid: server, database }: Side) {
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
