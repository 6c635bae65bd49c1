// What a small chart of 30 days draws, from 0 to 1 in both directions: each reading where they are few, else each day from its least
// to its most. Nothing joins two of them: what lay between was not measured. Behind them, the target of each field.
import type { Range } from '../../care/in-target.ts'
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
  bands: readonly Band[]
}

/** The target of a field, in the unit of what is drawn. */
export type BandOf = Range
/** From the bottom where it has no lower bound, to the top where it has no upper one. */
export type Band = { from: number; to: number; lines: readonly number[] }

/** Days and readings, by the day or by the instant. */
type Drawn = {
  days: readonly {
    startMs: number
    endMs: number
    ranges: Readonly<Record<string, { min: number; max: number }>>
  }[]
  points: Month['points']
  extremes: readonly { value: number; atMs: number }[]
}

export function shapeOf(
  { days, points, extremes }: Drawn | Month,
  fields: readonly string[],
  targets: readonly BandOf[] = [],
): SparkShape {
  const [start, end] = [days[0]?.startMs ?? 0, days.at(-1)?.endMs ?? 1]
  const ends = extremes.map(({ value }) => value)
  const near = boundsNear(ends, targets)
  const least = Math.min(...ends, ...near)
  const most = Math.max(...ends, ...near)
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
    bands: bandsOf(targets, height),
  }
}

/** The bounds that are drawn among the values. One far away would press them flat: its band reaches the edge. */
function boundsNear(values: readonly number[], targets: readonly BandOf[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const reach = Math.max(most - least, 0.1 * Math.abs(most))
  return targets
    .flatMap(({ low, high }) => [low, high].filter((bound) => bound !== null))
    .filter((bound) => bound >= least - reach && bound <= most + reach)
}

/** Of two pressures without a lower bound, the upper one begins where the lower one ends. */
function bandsOf(targets: readonly BandOf[], height: (value: number) => number): Band[] {
  const within = (value: number) => Math.min(1, Math.max(0, height(value)))
  const isDrawn = (value: number) => height(value) >= 0 && height(value) <= 1
  const lower = targets.find(({ field }) => field === 'diastolic')
  const floor = lower?.high ?? null
  return targets.map(({ field, low, high }) => {
    const bottom = low ?? (field === 'systolic' && (high ?? 0) > (floor ?? 0) ? floor : null)
    return {
      from: bottom === null ? 0 : within(bottom),
      to: high === null ? 1 : within(high),
      lines: [low, high]
        .filter((bound) => bound !== null && isDrawn(bound))
        .map((bound) => height(bound ?? 0)),
    }
  })
}
