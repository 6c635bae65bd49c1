// The rows of the readings on several databases, each measured in turn in every round, so that they can be compared.
import { type Figure, figureOf, median, type Round } from './figures.ts'
import type { Tokens } from './http-loads.ts'
import { measureRounds, type Say } from './rounds.ts'
import { type Row, readingsRows, startOurs } from './rows.ts'
import type { Database, Stage } from './stage.ts'

export type Variant = { label: string; database: Database }

/** The figures of one row on each database, and its rates there as shares of the first's, within each round. */
export type Curve = { name: string; figures: Figure[]; shares: number[] }

type Run = { stage: Stage; tokens: Tokens; seconds: number; rounds: number; say: Say }

export async function measureVariants(
  variants: Variant[],
  { stage, tokens, seconds, rounds, say }: Run,
): Promise<Curve[]> {
  const rowsOfVariant: Row[][] = []
  for (const { database } of variants) {
    const setting = { stage, database, tokens }
    rowsOfVariant.push(readingsRows(setting, await startOurs(setting)))
  }
  const names = rowsOfVariant[0]?.map(({ name }) => name) ?? []
  // Row by row, and within each row variant by variant: what is compared is measured side by side.
  const inTurn = names.flatMap((name, index) =>
    variants.flatMap(({ label }, which) => {
      const row = rowsOfVariant[which]?.[index]
      return row ? { ...row, name: `${label}: ${name}` } : []
    }),
  )
  const measured = await measureRounds(inTurn, { rounds, seconds, say })
  return names.map((name, index) => {
    const begin = index * variants.length
    const roundsOfRow = measured.slice(begin, begin + variants.length)
    return {
      name,
      figures: roundsOfRow.map((found, which) =>
        figureOf({ name, bar: inTurn[begin + which]?.bar ?? null }, found),
      ),
      shares: roundsOfRow.map((found) => median(sharesOf(found, roundsOfRow[0]))),
    }
  })
}

function sharesOf(rounds: Round[], ofFirst: Round[] = []): number[] {
  return rounds.map(({ ours }, round) => ours.perSecond / (ofFirst[round]?.ours.perSecond ?? Number.NaN))
}
