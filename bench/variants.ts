// The rows of the readings on several databases, each measured in turn in every round, so that they can be compared.
import { type Figure, figureOf, median, type Round } from './figures.ts'
import type { Tokens } from './http-loads.ts'
import { type Row, readingsRows, startOurs } from './rows.ts'
import type { Database, Stage } from './stage.ts'

export type Variant = { label: string; database: Database }

/** The figures of one row on each database, and its rates there as shares of the first's, within each round. */
export type Curve = { name: string; figures: Figure[]; shares: number[] }

type Run = { stage: Stage; tokens: Tokens; seconds: number; rounds: number; say: (text: string) => void }

export async function measureVariants(
  variants: Variant[],
  { stage, tokens, seconds, rounds, say }: Run,
): Promise<Curve[]> {
  const rowsOfVariant: Row[][] = []
  for (const { database } of variants) {
    const setting = { stage, database, tokens, seconds }
    const { url } = await startOurs(setting)
    rowsOfVariant.push(readingsRows(setting, url))
  }
  const names = rowsOfVariant[0]?.map(({ name }) => name) ?? []
  const measured: Round[][][] = names.map(() => variants.map(() => []))
  for (let round = 1; round <= rounds; round++) {
    for (const [index, name] of names.entries()) {
      for (const [which, rows] of rowsOfVariant.entries()) {
        const row = rows[index]
        if (!row) continue
        const result = await measureRound(row, round)
        measured[index]?.[which]?.push(result)
        const [ours, reference] = [result.ours, result.reference].map(({ perSecond }) =>
          Math.round(perSecond),
        )
        say(`round ${round}  ${variants[which]?.label}: ${name}: ${ours} / ${reference}`)
      }
    }
  }
  return names.map((name, index) => ({
    name,
    figures: rowsOfVariant.map((rows, which) =>
      figureOf(rows[index] ?? { name, bar: null }, measured[index]?.[which] ?? []),
    ),
    shares: variants.map((_, which) => median(sharesOf(measured[index]?.[which], measured[index]?.[0]))),
  }))
}

/** Whoever comes second finds the disk busy with what the first wrote, so they take turns. */
export async function measureRound({ ours, reference }: Row, round: number): Promise<Round> {
  if (round % 2 === 0) return { ours: await ours(), reference: await reference() }
  const first = await reference()
  return { ours: await ours(), reference: first }
}

function sharesOf(rounds: Round[] = [], ofFirst: Round[] = []): number[] {
  return rounds.map(({ ours }, round) => ours.perSecond / (ofFirst[round]?.ours.perSecond ?? Number.NaN))
}
