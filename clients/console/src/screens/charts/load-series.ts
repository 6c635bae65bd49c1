// The readings of one type for the range on screen: the readings themselves while they are few, else statistics.
//
// Statistics come first where nothing is known: they say how many readings there are and cost little. Once they are known,
// zooming in asks at once for what will be drawn.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { bucketFor, estimateCount, MAX_READINGS, withMargin } from './level-of-detail.ts'
import { loadStatistics } from './load-statistics.ts'
import { type Series, type TimedReading, timedReading } from './series.ts'
import { contains, type TimeRange } from './time-range.ts'

// The largest page. An answer holds a mebibyte at most, so large readings take more pages.
const PAGE = 1_000
const MAX_PAGES = 5

type Asks = Pick<RoundsClient, 'readingStatistics' | 'getReadings'>

export type SeriesRequest = {
  patientUid: string
  readingType: string
  zone: string
  view: TimeRange
  /** What was shown before; `undefined` where it must not be used, as after a change. */
  known: Series | undefined
}

/** Whether what is known is the best that can be drawn for this view. */
export function isEnough(known: Series | undefined, view: TimeRange): boolean {
  if (known === undefined || !contains(known.covers, view)) return false
  if (known.kind === 'readings') return true
  return known.bucket === bucketFor(view) && estimateCount(known.buckets, view) > MAX_READINGS
}

export async function loadSeries(rounds: Asks, request: SeriesRequest, signal: AbortSignal): Promise<Series> {
  const { view, known } = request
  const isKnownToBeFew =
    known?.kind === 'statistics' &&
    contains(known.covers, view) &&
    estimateCount(known.buckets, withMargin(view)) <= MAX_READINGS
  if (isKnownToBeFew) {
    const few = await loadReadings(rounds, request, signal)
    if (few) return few
  }

  const bucket = bucketFor(view)
  const range = withMargin(view, bucket)
  const { patientUid, readingType, zone } = request
  const { buckets, units } = await loadStatistics(
    rounds,
    { patientUid, readingType, range, bucket, zone },
    signal,
  )
  if (!isKnownToBeFew && estimateCount(buckets, withMargin(view)) <= MAX_READINGS) {
    const few = await loadReadings(rounds, request, signal)
    if (few) return few
  }
  const [first, last] = [buckets[0], buckets.at(-1)]
  const covers = { fromMs: first?.startMs ?? range.fromMs, toMs: last?.endMs ?? range.toMs }
  return { kind: 'statistics', covers, bucket, buckets, units }
}

/** Nothing if they are more than expected, or larger. */
async function loadReadings(
  rounds: Asks,
  { patientUid, readingType, view }: SeriesRequest,
  signal: AbortSignal,
): Promise<Series | undefined> {
  const covers = withMargin(view)
  const readings: TimedReading[] = []
  const query = {
    patientUid,
    readingType: [readingType],
    from: Math.floor(covers.fromMs) / 1_000,
    to: Math.ceil(covers.toMs) / 1_000,
    limit: PAGE,
  }
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, nextCursor } = await rounds.getReadings({ ...query, cursor }, { signal })
    for (const reading of data) readings.push(timedReading(reading))
    if (nextCursor === null) return { kind: 'readings', covers, readings }
    if (readings.length > 2 * MAX_READINGS) return undefined
    cursor = nextCursor
  }
  return undefined
}
