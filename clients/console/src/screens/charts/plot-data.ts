// Marks as the columns that uPlot draws: seconds first, then the mean of each field drawn. A row without values interrupts lines where
// there is a gap.
import type { Mark } from './marks.ts'

export type Columns = (number | null)[][]

export function columnsOf(marks: readonly Mark[], fields: readonly string[]): Columns {
  const columns: Columns = Array.from({ length: 1 + fields.length }, () => [])
  const [times, ...means] = columns as [(number | null)[], ...Columns]
  marks.forEach((mark, index) => {
    times.push(mark.atMs / 1_000)
    fields.forEach((field, place) => means[place]?.push(mark.values[field]?.mean ?? null))
    const next = marks[index + 1]
    if (mark.isBeforeGap && next) {
      times.push((mark.atMs + next.atMs) / 2_000)
      for (const column of means) column.push(null)
    }
  })
  return columns
}

/** Marks that no line reaches, because there are gaps on both sides. They need a dot to be seen. */
export function lonelyIndexes(column: readonly (number | null)[]): number[] {
  return column.flatMap((value, index) =>
    value !== null && (column[index - 1] ?? null) === null && (column[index + 1] ?? null) === null
      ? index
      : [],
  )
}

/** The least and most that must be in sight, with some air; the same for marks that differ little. `bounds` are those of targets. */
export function heightOf(
  marks: readonly Mark[],
  fields: readonly string[],
  bounds: readonly number[] = [],
): [number, number] | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { values } of marks) {
    for (const field of fields) {
      const summary = values[field]
      if (!summary) continue
      least = Math.min(least, summary.min)
      most = Math.max(most, summary.max)
    }
  }
  if (least > most) return undefined
  least = Math.min(least, ...bounds)
  most = Math.max(most, ...bounds)
  const step = roundStep(Math.max(most - least, Math.abs(most) * 0.02, 1e-9) / 4)
  const from = Math.floor((least - step * 0.05) / step) * step
  const to = Math.ceil((most + step * 0.05) / step) * step
  // No room below zero for what is never below it.
  return [least >= 0 ? Math.max(0, from) : from, to]
}

/** 1, 2 or 5 times a power of ten, or 25 times one from 1 on, at least so much. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const times = power >= 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10]
  return (times.find((one) => one * power >= least * 0.999999) ?? 10) * power
}
