// The rounds of a run: in each of them every row is measured once, so that whatever else the machine does meets all alike.
import { cpuOfMachine } from './cpu.ts'
import { type Figure, figureOf, hasCollapsed, printedOf, type Round } from './figures.ts'
import type { Measured } from './loads.ts'
import type { Row } from './rows.ts'

export type Say = (text: string) => void

const SECOND_LOOKS = 3

/** The figures of the rows. A collapse is there at every look; what another program did to one of the two is not. */
export async function measureFigures(rows: Row[], rounds: number, say: Say): Promise<Figure[]> {
  const measured = await measureRounds(rows, rounds, say)
  const figures: Figure[] = []
  for (const [index, row] of rows.entries()) {
    let figure = figureOf(row, measured[index] ?? [])
    for (let look = 1; look <= SECOND_LOOKS && hasCollapsed(figure); look++) {
      say(`${row.name} looks collapsed: ${figure.ratio.toFixed(2)}. Look ${look + 1}:`)
      const [again = []] = await measureRounds([row], rounds, say)
      figure = figureOf(row, again)
    }
    figures.push(figure)
  }
  return figures
}

/** The rounds of each row, in the order of the rows. */
export async function measureRounds(rows: Row[], rounds: number, say: Say): Promise<Round[][]> {
  const measured: Round[][] = rows.map(() => [])
  for (let round = 1; round <= rounds; round++) {
    for (const [index, row] of rows.entries()) {
      const result = await measureRound(row, round)
      measured[index]?.push(result)
      const rates = [result.ours, result.reference].map((one) => Math.round(printedOf(one)))
      const byCpu = result.ratioOfCpu ? `, by CPU ${result.ratioOfCpu.toFixed(2)}` : ''
      say(`round ${round}  ${row.name}: ${rates.filter(Number.isFinite).join(' / ')}${byCpu}`)
    }
  }
  return measured
}

/** The second finds the disk busy with what the first wrote, so the order alternates. */
async function measureRound(row: Row, round: number): Promise<Round> {
  const first = await withCpu(round % 2 === 0 ? row.ours : row.reference)
  const second = await withCpu(round % 2 === 0 ? row.reference : row.ours)
  const [ours, reference] = round % 2 === 0 ? [first, second] : [second, first]
  const measured = { ours: ours.measured, reference: reference.measured }
  const isStarved = row.isExact !== true && Math.max(ours.stolen, reference.stolen) > MUCH_STOLEN
  return isStarved ? { ...measured, ratioOfCpu: reference.cpuOfOne / ours.cpuOfOne } : measured
}

/** A share of what was needed; of less than so many ticks nothing can be said. */
const MUCH_STOLEN = 0.1
const MIN_TICKS = 50

/** With the CPU of one request, on the whole machine, and the share that the host withheld. */
async function withCpu(measure: () => Promise<Measured>) {
  const [before, startedAt] = [cpuOfMachine(), performance.now()]
  const measured = await measure()
  const [after, seconds] = [cpuOfMachine(), (performance.now() - startedAt) / 1_000]
  const [busy, stolen] = [after.busy - before.busy, after.stolen - before.stolen]
  return {
    measured,
    cpuOfOne: busy / seconds / measured.perSecond,
    stolen: stolen / Math.max(MIN_TICKS, busy + stolen),
  }
}
