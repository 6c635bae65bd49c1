// `npm run lab overload`: the bounds under overload, held strictly, and a table of what was measured. It needs a machine that
// does nothing else: the load, the server and PostgreSQL share its cores. Several rounds, each on a server of its own;
// a bound must hold in the median round.
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { measureOverload, type Overload, TIMES } from './overload.ts'
import { startLoadStage } from './stage.ts'

const ROUNDS = 3
const SECONDS = { capacity: 5, normal: 10, overload: 10, after: 6 }
const MAX_REFUSED_MS = 50
const MAX_GROWTH_MIB = 64
const NORMAL_WITHIN_S = 5

const postgres = await startThrowawayPostgres({
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
})
process.env['TEST_DATABASE_URL'] = postgres.url
const rounds: Overload[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const stage = await startLoadStage()
  rounds.push(await measureOverload(stage, SECONDS))
  stage.server.child.kill('SIGTERM')
  await stage.server.ended
  await stage.issuer.stop()
}
await postgres.stop()

/** The seconds after which every second was normal again, refusing nobody. */
function secondsToNormal({ normal, after }: Overload): number {
  return after.bySecond.findLastIndex(({ p99 }) => p99 > 2 * normal.accepted.p99) + 1
}

type Row = { name: string; of: (round: Overload) => number; bound?: (round: Overload) => number }

const ROWS: Row[] = [
  { name: 'capacity, requests a second', of: (round) => round.capacityPerSecond },
  { name: 'p99 at half of it, ms', of: ({ normal }) => normal.accepted.p99 },
  {
    name: `served a second at ${TIMES} times it`,
    of: ({ overload }) => overload.accepted.count / overload.seconds,
  },
  {
    name: 'p99 of those served, ms',
    of: ({ overload }) => overload.accepted.p99,
    bound: ({ normal }) => 2 * normal.accepted.p99,
  },
  {
    name: 'p50 of those refused, ms',
    of: ({ overload }) => overload.refused.p50,
    bound: () => MAX_REFUSED_MS,
  },
  {
    name: 'p99 of those refused, ms',
    of: ({ overload }) => overload.refused.p99,
    bound: () => MAX_REFUSED_MS,
  },
  { name: 'p99 of how late the load itself sent, ms', of: ({ overload }) => overload.lateness.p99 },
  {
    name: 'memory grown, MiB',
    of: ({ memoryMiB }) => memoryMiB.most - memoryMiB.before,
    bound: () => MAX_GROWTH_MIB,
  },
  { name: 'seconds until normal again', of: secondsToNormal, bound: () => NORMAL_WITHIN_S },
  {
    name: 'answers of another kind, or none',
    of: ({ normal, overload, after }) =>
      [normal, overload, after].reduce(
        (sum, { sent, accepted, refused }) => sum + sent - accepted.count - refused.count,
        0,
      ),
    bound: () => 0,
  },
]

const medianOf = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const say = (line: string) => process.stdout.write(`${line}\n`)
const print = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1))

say(`| ${['', ...rounds.map((_, index) => `round ${index + 1}`), 'median', 'bound'].join(' | ')} |`)
say(`| --- ${'| --- '.repeat(ROUNDS + 2)}|`)
for (const { name, of, bound } of ROWS) {
  const values = rounds.map(of)
  // Bounds that are ratios are held within each round, since the machine differs between them.
  const isKept = bound === undefined || medianOf(rounds.map((round) => of(round) - bound(round))) <= 0
  if (!isKept) process.exitCode = 1
  const told =
    bound === undefined ? '' : `${print(medianOf(rounds.map(bound)))}${isKept ? '' : ' **missed**'}`
  say(`| ${[name, ...values.map(print), print(medianOf(values)), told].join(' | ')} |`)
}
