// What a small chart of 30 days draws, from 0 to 1 in both directions: each reading where they are few, else each day from its least
// to its most. Nothing joins two of them: what lay between was not measured.
import type { Month } from './month.ts'

/** A dot where both heights are the same. */
export type Stroke = { at: number; from: number; to: number }
export type SparkShape = {
  isByDay: boolean
  /** Of each field. */
  strokes: readonly (readonly Stroke[])[]
  /** Of two numbers that were measured together: from one to the other. */
  pairs: readonly Stroke[]
  /** The lowest and the highest. */
  extremes: readonly Stroke[]
}

export function shapeOf({ days, points, extremes }: Month, fields: readonly string[]): SparkShape {
  const [start, end] = [days[0]?.startMs ?? 0, days.at(-1)?.endMs ?? 1]
  const least = Math.min(...extremes.map(({ value }) => value))
  const most = Math.max(...extremes.map(({ value }) => value))
  const at = (ms: number) => (ms - start) / (end - start)
  const height = (value: number) => (most === least ? 0.5 : (value - least) / (most - least))
  const middleOf = (ms: number) => {
    const day = days.find(({ startMs, endMs }) => ms >= startMs && ms < endMs)
    return day ? at((day.startMs + day.endMs) / 2) : at(ms)
  }
  const dot = (x: number, value: number): Stroke => ({ at: x, from: height(value), to: height(value) })
  const strokesOf = (field: string): Stroke[] =>
    points === undefined
      ? days.flatMap(({ startMs, ranges }) => {
          const range = ranges[field]
          return range ? [{ at: middleOf(startMs), from: height(range.min), to: height(range.max) }] : []
        })
      : points.flatMap(({ atMs, values }) => {
          const value = values[field]
          return value === undefined ? [] : [dot(at(atMs), value)]
        })
  const [upper = '', lower] = fields
  const pairs = (lower === undefined ? [] : (points ?? [])).flatMap(({ atMs, values }) => {
    const [high, low] = [values[upper], values[lower ?? '']]
    return high === undefined || low === undefined
      ? []
      : [{ at: at(atMs), from: height(low), to: height(high) }]
  })
  return {
    isByDay: points === undefined,
    strokes: fields.map(strokesOf),
    pairs,
    extremes: extremes.map(({ atMs, value }) => dot(points === undefined ? middleOf(atMs) : at(atMs), value)),
  }
}
