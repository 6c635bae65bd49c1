// The same rows with more and more readings: a database of each size, measured in turn in every round.
import { type Figure, figureOf, type Round } from './figures.ts'
import type { Tokens } from './http-loads.ts'
import { type Row, readingsRows, startOurs } from './rows.ts'
import type { Database, Stage } from './stage.ts'

export const SIZES = [1_000_000, 10_000_000, 100_000_000]
const BAR = 0.8

/** The figures of one row at each size. */
export type Curve = { name: string; atSize: Figure[] }

export async function measureGrowth(
  { stage, tokens, seconds }: { stage: Stage; tokens: Tokens; seconds: number },
  { databases, rounds, say }: { databases: Database[]; rounds: number; say: (text: string) => void },
): Promise<Curve[]> {
  const rowsAtSize: Row[][] = []
  for (const database of databases) {
    const setting = { stage, database, tokens, seconds }
    const { url } = await startOurs(setting)
    rowsAtSize.push(readingsRows(setting, url))
  }
  const names = rowsAtSize[0]?.map(({ name }) => name) ?? []
  const measured: Round[][][] = names.map(() => rowsAtSize.map(() => []))
  for (let round = 1; round <= rounds; round++) {
    for (const [index, name] of names.entries()) {
      for (const [size, rows] of rowsAtSize.entries()) {
        const row = rows[index]
        if (!row) continue
        const result = { reference: await row.reference(), ours: await row.ours() }
        measured[index]?.[size]?.push(result)
        say(`round ${round}  ${name} at ${nameOf(size)}: ${Math.round(result.ours.perSecond)}`)
      }
    }
  }
  return names.map((name, index) => ({
    name,
    atSize: rowsAtSize.map((rows, size) =>
      figureOf(rows[index] ?? { name, bar: null }, measured[index]?.[size] ?? []),
    ),
  }))
}

const nameOf = (size: number) => (SIZES[size] ?? 0).toLocaleString('en')

/** How much of the rate at the smallest size is left at each larger one; the largest must keep most of it. */
export function growthFigures(curves: Curve[]): Figure[] {
  return curves.flatMap(({ name, atSize: [smallest, ...larger] }) =>
    larger.map((figure, index) => ({
      ...figure,
      name: `${name.split(' / ')[0]}: at ${nameOf(index + 1)} / at ${nameOf(0)}`,
      reference: smallest?.ours ?? Number.NaN,
      ratio: figure.ours / (smallest?.ours ?? Number.NaN),
      bar: index === larger.length - 1 && !name.includes('1,000 a request') ? BAR : null,
    })),
  )
}
