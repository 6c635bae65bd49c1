// The same requests on two servers in turn, each on a database of its own in the same PostgreSQL. CPU is compared too: it limits the
// rate, and on a shared machine it is steadier.
import { type Figure, figureOf, type Round } from './figures.ts'
import type { Server } from './http-loads.ts'
import type { Measured } from './loads.ts'
import { measureRounds, type Say } from './rounds.ts'
import type { Row } from './rows.ts'
import type { Database } from './stage.ts'

// Short looks in quick alternation: what else the machine does meets both alike.
const SECONDS_OF_LOOK = 3
const ROUNDS = 9

export type Side = Server & { database: Database }

/** Each row by its rate, by CPU of the server with PostgreSQL, and by CPU of PostgreSQL alone. */
export async function measureSides(rows: Row[], say: Say): Promise<Figure[]> {
  const measured = await measureRounds(rows, { rounds: ROUNDS, seconds: SECONDS_OF_LOOK, say })
  return rows.flatMap(({ name, bar }, index) => {
    const rounds = measured[index] ?? []
    return [
      figureOf({ name, bar }, rounds),
      figureOf({ name: `${name}, by CPU`, bar }, rounds.map(byCpu('all'))),
      figureOf({ name: `${name}, by CPU of PostgreSQL alone`, bar: null }, rounds.map(byCpu('postgres'))),
    ]
  })
}

/** The requests of a second of CPU in place of those of a second. */
function byCpu(of: 'all' | 'postgres') {
  const rate = ({ cpuUs }: Measured): Measured => {
    const { server, postgres } = cpuUs ?? { server: Number.NaN, postgres: Number.NaN }
    return {
      perSecond: 1e6 / (of === 'all' ? server + postgres : postgres),
      p50Ms: Number.NaN,
      p99Ms: Number.NaN,
    }
  }
  return ({ ours, reference }: Round): Round => ({ ours: rate(ours), reference: rate(reference) })
}
