// How the rates change as readings grow in number.
import type { Figure } from './figures.ts'
import type { Curve } from './variants.ts'

export const SIZES = [1_000_000, 10_000_000, 100_000_000]
const BAR = 0.8

export const nameOfSize = (size: number) => `${(size / 1_000_000).toLocaleString('en')} million`

/** How much of the rate at the smallest size is left at each larger one; the largest must keep most of it. */
export function growthFigures(curves: Curve[]): Figure[] {
  return curves.flatMap(({ name, figures: [smallest, ...larger], shares }) =>
    larger.map((figure, index) => ({
      ...figure,
      name: `${name.split(' / ')[0]}: at ${nameOfSize(SIZES[index + 1] ?? 0)} / at ${nameOfSize(SIZES[0] ?? 0)}`,
      reference: smallest?.ours ?? Number.NaN,
      ratio: shares[index + 1] ?? Number.NaN,
      bar: index === larger.length - 1 && !name.includes('1,000 a request') ? BAR : null,
    })),
  )
}
