// How the rates change as readings grow in number.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Figure } from './figures.ts'
import { DURABLE } from './stage.ts'
import type { Curve } from './variants.ts'

export const SIZES = [1_000_000, 10_000_000, 100_000_000]
const BAR = 0.8

/** On disk, of a reading of bench/data.ts with its four indexes, as `npm run bench` prints it, and a tenth more. */
const BYTES_PER_READING = 390

/** Fails before anything is loaded: a full disk would stop PostgreSQL hours later. */
export function mustHaveRoom(sizes = SIZES) {
  const { bavail, bsize } = statfsSync(tmpdir())
  const readings = sizes.reduce((sum, size) => sum + size, 0)
  const needed = (readings * BYTES_PER_READING) / 1e9 + Number.parseInt(DURABLE.max_wal_size)
  const free = (bavail * bsize) / 1e9
  if (free < needed)
    throw new Error(
      `${tmpdir()} has ${free.toFixed(0)} GB free, and this needs ${needed.toFixed(0)}. Set TMPDIR, or --largest to fewer millions.`,
    )
}

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
