// The points of small lines, from 0 to 1 in both directions, out of statistics by day.
import type { StatisticsAnswer } from '../../../../typescript/src/client.ts'

type SparkPoint = { at: number; height: number }
export type SparkLine = { field: string; points: (SparkPoint | undefined)[] }

/** All lines share one scale. `min` and `max` are those of the readings, not of the means. */
export function linesOf({ data }: Pick<StatisticsAnswer, 'data'>, fields: string[]) {
  const means = fields.flatMap((field) => data.map((bucket) => bucket.fields[field]?.mean))
  const known = means.filter((mean) => mean !== undefined)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const heightOf = (mean: number) => (high === low ? 0.5 : (mean - low) / (high - low))
  const lines = fields.map(
    (field): SparkLine => ({
      field,
      points: data.map((bucket, index) => {
        const mean = bucket.fields[field]?.mean
        if (mean === undefined) return undefined
        return { at: data.length < 2 ? 1 : index / (data.length - 1), height: heightOf(mean) }
      }),
    }),
  )
  const summaries = data.flatMap((bucket) => fields.flatMap((field) => bucket.fields[field] ?? []))
  return {
    lines,
    min: Math.min(...summaries.map(({ min }) => min)),
    max: Math.max(...summaries.map(({ max }) => max)),
    count: data.reduce((sum, bucket) => sum + (bucket.fields[fields[0] ?? '']?.count ?? 0), 0),
  }
}
