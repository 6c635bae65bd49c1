// The rounds of a run: in each of them every row is measured once, so that whatever else the machine does meets all alike.
import { cpuOfMachine } from './cpu.ts'
import { type Figure, figureOf, hasCollapsed, type Round } from './figures.ts'
import { type Load, NoFigureError } from './loads.ts'
import type { Row } from './rows.ts'
import { warmUp } from './steady.ts'

export type Say = (text: string) => void
type Rounds = { rounds: number; seconds: number; say: Say }

const SECOND_LOOKS = 3

/** The figures of the rows. A collapse is there at every look; what another program did to one of the two is not. */
export async function measureFigures(rows: Row[], run: Rounds): Promise<Figure[]> {
  const measured = await measureRounds(rows, run)
  const figures: Figure[] = []
  for (const [index, row] of rows.entries()) {
    let figure = figureOf(row, measured[index] ?? [])
    for (let look = 1; look <= SECOND_LOOKS && hasCollapsed(figure); look++) {
      run.say(`${row.name} looks collapsed: ${figure.ratio.toFixed(2)}. Look ${look + 1}:`)
      const [again = []] = await measureRounds([row], run)
      figure = figureOf(row, again)
    }
    figures.push(figure)
  }
  return figures
}

/** The rounds of each row, in the order of the rows. A row that cannot be measured has none but the fault. */
export async function measureRounds(rows: Row[], { rounds, seconds, say }: Rounds): Promise<Round[][]> {
  const measured: Round[][] = rows.map(() => [])
  const steady = new Map<Row, boolean>()
  for (let round = 1; round <= rounds; round++) {
    for (const [index, row] of rows.entries()) {
      if (measured[index]?.some(({ fault }) => fault !== undefined)) continue
      const result = await orFault(async () => {
        if (!steady.has(row)) steady.set(row, await areSteady(row))
        return { ...(await measureRound(row, round, seconds)), isSteady: steady.get(row) === true }
      })
      measured[index]?.push(result)
      say(`round ${round}  ${row.name}: ${result.fault ?? printRound(result)}`)
    }
  }
  return measured
}

function printRound({ ours, reference, ratioOfCpu, isSteady }: Round): string {
  const rates = [ours, reference].map(({ perSecond }) => Math.round(perSecond)).filter(Number.isFinite)
  const byCpu = ratioOfCpu ? `, by CPU ${ratioOfCpu.toFixed(2)}` : ''
  return `${rates.join(' / ')}${byCpu}${isSteady === false ? ', not steady' : ''}`
}

async function orFault(measure: () => Promise<Round>): Promise<Round> {
  try {
    return await measure()
  } catch (error) {
    if (!(error instanceof NoFigureError)) throw error
    const nothing = { perSecond: Number.NaN, p50Ms: Number.NaN, p99Ms: Number.NaN }
    return { ours: nothing, reference: nothing, fault: error.message }
  }
}

async function areSteady({ ours, reference }: Row): Promise<boolean> {
  const [first, second] = [await warmUp(ours), await warmUp(reference)]
  return first && second
}

/** The second finds the disk busy with what the first wrote, so the order alternates. */
async function measureRound(row: Row, round: number, seconds: number): Promise<Round> {
  const first = await withCpu(round % 2 === 0 ? row.ours : row.reference, seconds)
  const second = await withCpu(round % 2 === 0 ? row.reference : row.ours, seconds)
  const [ours, reference] = round % 2 === 0 ? [first, second] : [second, first]
  const measured = { ours: ours.measured, reference: reference.measured }
  const isStarved = Math.max(ours.stolen, reference.stolen) > MUCH_STOLEN
  return isStarved ? { ...measured, ratioOfCpu: reference.cpuOfOne / ours.cpuOfOne } : measured
}

/** A share of what was needed; of less than so many ticks nothing can be said. */
const MUCH_STOLEN = 0.1
const MIN_TICKS = 50

/** With the CPU of one request, on the whole machine, and the share that the host withheld. */
async function withCpu(load: Load, seconds: number) {
  const [before, startedAt] = [cpuOfMachine(), performance.now()]
  const measured = await load(seconds)
  const [after, took] = [cpuOfMachine(), (performance.now() - startedAt) / 1_000]
  const [busy, stolen] = [after.busy - before.busy, after.stolen - before.stolen]
  return {
    measured,
    cpuOfOne: busy / took / measured.perSecond,
    stolen: stolen / Math.max(MIN_TICKS, busy + stolen),
  }
}
