// The rows of the readings on several databases, each measured in turn in every round, so that they can be compared.
import { type Figure, figureOf, type Round } from './figures.ts'
import type { Tokens } from './http-loads.ts'
import { type Row, readingsRows, startOurs } from './rows.ts'
import type { Database, Stage } from './stage.ts'

export type Variant = { label: string; database: Database }

/** The figures of one row on each database. */
export type Curve = { name: string; figures: Figure[] }

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
        const result = { reference: await row.reference(), ours: await row.ours() }
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
  }))
}
