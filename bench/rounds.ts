// The rounds of a run: in each of them every row is measured once, so that whatever else the machine does meets all alike.
import { type Figure, figureOf, hasCollapsed, type Round } from './figures.ts'
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
      const rates = [result.ours, result.reference].map(({ perSecond }) => Math.round(perSecond))
      say(`round ${round}  ${row.name}: ${rates.filter(Number.isFinite).join(' / ')}`)
    }
  }
  return measured
}

/** The second finds the disk busy with what the first wrote, so the order alternates. */
async function measureRound({ ours, reference }: Row, round: number): Promise<Round> {
  if (round % 2 === 0) return { ours: await ours(), reference: await reference() }
  const first = await reference()
  return { ours: await ours(), reference: first }
}
