// The readings of one type for the range on screen: the readings themselves while they are few, else statistics.
//
// Statistics come first where nothing is known: they say how many readings there are and cost little. Once they are known,
// zooming in asks at once for what will be drawn.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { loadStatistics } from '../../statistics/load-statistics.ts'
import { bucketFor, estimateCount, maxReadings, type Room, withMargin } from './level-of-detail.ts'
import { type Series, type TimedReading, timedReading } from './series.ts'
import { contains, type TimeRange } from './time-range.ts'

// The largest page. An answer holds a mebibyte at most, so large readings take more pages.
const PAGE = 1_000
const MAX_PAGES = 5

type Asks = Pick<RoundsClient, 'readingStatistics' | 'getReadings'>

/** How much there is room for, and how it is drawn. */
export type Detail = { room: Room; kind: 'line' | 'pair' | 'symptoms' }

export type SeriesRequest = {
  patientUid: string
  readingType: string
  zone: string
  view: TimeRange
  detail: Detail
  /** What was shown before; `undefined` where it must not be used, as after a change. */
  known: Series | undefined
}

/** Whether what is known is the best that can be drawn for this view. */
export function isEnough(known: Series | undefined, view: TimeRange, { room, kind }: Detail): boolean {
  if (known === undefined || !contains(known.covers, view)) return false
  // With some more than that, so that a reading that arrives does not turn readings into statistics.
  if (known.kind === 'readings') return countIn(known.readings, view) <= 1.2 * maxReadings(room, kind)
  return (
    known.bucket === bucketFor(view, room) && estimateCount(known.buckets, view) > maxReadings(room, kind)
  )
}

function countIn(readings: readonly TimedReading[], { fromMs, toMs }: TimeRange): number {
  return readings.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length
}

export async function loadSeries(rounds: Asks, request: SeriesRequest, signal: AbortSignal): Promise<Series> {
  const { view, known, detail } = request
  const few = maxReadings(detail.room, detail.kind)
  const areExpectedToBeFew = expectedCount(known, view) <= few
  if (areExpectedToBeFew) {
    const readings = await loadReadings(rounds, request, signal)
    if (readings) return readings
  }

  const bucket = bucketFor(view, detail.room)
  const range = withMargin(view, bucket)
  const { patientUid, readingType, zone } = request
  const statistics = await loadStatistics(rounds, { patientUid, readingType, range, bucket, zone }, signal)
  const { units } = statistics
  // Those that the ends of the range cut would be taken for whole ones.
  const buckets = statistics.buckets.filter(
    ({ startMs, endMs }) => startMs >= range.fromMs && endMs <= range.toMs,
  )
  if (!areExpectedToBeFew && estimateCount(buckets, view) <= few) {
    const readings = await loadReadings(rounds, request, signal)
    if (readings) return readings
  }
  const [first, last] = [buckets[0], buckets.at(-1)]
  const covers = { fromMs: first?.startMs ?? range.fromMs, toMs: last?.endMs ?? range.toMs }
  return { kind: 'statistics', covers, bucket, buckets, units }
}

/** By what is known of this range, or of one beside it that is about as long. */
function expectedCount(known: Series | undefined, view: TimeRange): number {
  if (known === undefined) return Number.POSITIVE_INFINITY
  const { covers } = known
  if (known.kind === 'statistics') {
    return contains(covers, view) ? estimateCount(known.buckets, view) : Number.POSITIVE_INFINITY
  }
  const isBeside = view.fromMs < covers.toMs && view.toMs > covers.fromMs
  const times = (view.toMs - view.fromMs) / (covers.toMs - covers.fromMs)
  return isBeside && times <= 2 ? known.readings.length * times : Number.POSITIVE_INFINITY
}

/** Nothing if they are more than expected, or larger. */
async function loadReadings(
  rounds: Asks,
  { patientUid, readingType, view, detail }: SeriesRequest,
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
    if (nextCursor === null) {
      const series: Series = { kind: 'readings', covers, readings }
      return isEnough(series, view, detail) ? series : undefined
    }
    cursor = nextCursor
  }
  return undefined
}
