// The lowest and the highest value on screen: which mark has it, and, of a bucket, which reading.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { loadSeries } from './load-series.ts'
import { type Mark, marksIn, marksOf } from './marks.ts'
import type { Series } from './series.ts'
import type { TypeShape } from './type-shape.ts'

export type Side = 'lowest' | 'highest'

/** Of several that are equal, the first, as reports name it. */
export function extremeOf(marks: readonly Mark[], field: string, side: Side): Mark | undefined {
  let found: Mark | undefined
  for (const mark of marks) {
    const value = valueOf(mark, field, side)
    if (value === undefined) continue
    const best = found && valueOf(found, field, side)
    if (best === undefined || (side === 'lowest' ? value < best : value > best)) found = mark
  }
  return found
}

export function valueOf({ values }: Mark, field: string, side: Side): number | undefined {
  return side === 'lowest' ? values[field]?.min : values[field]?.max
}

type Wanted = {
  patientUid: string
  zone: string
  shape: TypeShape
  unit: string | undefined
  field: string
  side: Side
  signal: AbortSignal
}

/** The reading that a bucket has its extreme from, by shorter and shorter buckets; the shortest one where readings are too many. */
export async function readingBehind(
  rounds: Pick<RoundsClient, 'readingStatistics' | 'getReadings'>,
  mark: Mark,
  { patientUid, zone, shape, unit, field, side, signal }: Wanted,
): Promise<Mark> {
  const detail = { room: 400, kind: shape.kind } as const
  let [found, known] = [mark, undefined as Series | undefined]
  while (found.bucket) {
    const view = { fromMs: found.bucket.startMs, toMs: found.bucket.endMs }
    const request = { patientUid, readingType: shape.readingType, zone, view, detail, known }
    known = await loadSeries(rounds, request, signal)
    const next = extremeOf(marksIn(marksOf(known, shape, unit), view), field, side)
    if (next === undefined || next.bucket?.startMs === view.fromMs) return found
    found = next
  }
  return found
}
