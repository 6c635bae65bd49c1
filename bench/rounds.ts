// The rounds of a run: in each of them every row is measured once, so that whatever else the machine does meets all alike.
import type { Round } from './figures.ts'
import type { Row } from './rows.ts'

export type Say = (text: string) => void

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
