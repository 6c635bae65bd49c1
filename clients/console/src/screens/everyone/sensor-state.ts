// What a child's sensor says now: how low, which way, how old. Low is what the doctor's target, else the carer's own, calls low; without
// one nothing is. The arrow is the sensor's own, never worked out here.
import type { ReadingTypeEntry, StoredReading, Target } from '../../../../typescript/src/client.ts'
import { boundsIn, placeOf } from '../../care/in-target.ts'
import { unitOf } from '../../format/reading-text.ts'
import { MINUTE_MS } from '../../format/zone-calendar.ts'

export const SENSOR = 'interstitialGlucose'
/** After so many a value says nothing of now. */
export const STALE_MINUTES = 15

export type SensorState = {
  reading: StoredReading
  minutes: number
  isStale: boolean
  place: 'farLow' | 'low' | 'in' | 'above' | undefined
  /** The limit that it is below, in the unit of the value. */
  limit: number | undefined
  trend: Trend | undefined
}

export function sensorState(
  reading: StoredReading,
  { entry, target, now }: { entry: ReadingTypeEntry; target: Target | undefined; now: number },
): SensorState {
  const ageMs = Math.max(0, now - Date.parse(reading.measuredAt))
  const isStale = ageMs > STALE_MINUTES * MINUTE_MS
  return {
    reading,
    minutes: Math.floor(ageMs / MINUTE_MS),
    isStale,
    ...judged(reading, entry, target),
    trend: isStale ? undefined : trendOf(reading['trend']),
  }
}

/** Below the far limit, below the limit, the rest, then those that say nothing of now. */
export const urgencyOf = (state: SensorState | undefined) =>
  state === undefined ? 4 : state.isStale ? 3 : state.place === 'farLow' ? 0 : state.place === 'low' ? 1 : 2

function judged(reading: StoredReading, entry: ReadingTypeEntry, target: Target | undefined) {
  const { low = null, high = null, farLow = null } = target ? (target.fields['value'] ?? {}) : {}
  const { value, outOfRange } = reading
  // Below all that the sensor can measure.
  if (outOfRange === 'low') return { place: 'farLow' as const, limit: undefined }
  if (!target || typeof value !== 'number') return { place: undefined, limit: undefined }
  const unit = unitOf(reading, entry)
  const isBelow = (bound: number | null) =>
    bound !== null && placeOf(value, unit, { low: bound, high: null, unit: target.unit }) === 'below'
  const limitIn = (bound: number | null) =>
    boundsIn({ low: bound, high: null, unit: target.unit }, unit).low ?? undefined
  if (isBelow(farLow)) return { place: 'farLow' as const, limit: limitIn(farLow) }
  if (isBelow(low)) return { place: 'low' as const, limit: limitIn(low) }
  const isAbove = placeOf(value, unit, { low: null, high, unit: target.unit }) === 'above'
  if (low === null && high === null) return { place: undefined, limit: undefined }
  return { place: isAbove ? ('above' as const) : ('in' as const), limit: undefined }
}

export type Trend = 'risingFast' | 'rising' | 'steady' | 'falling' | 'fallingFast'

export const ARROWS: Record<Trend, string> = {
  risingFast: '⇈',
  rising: '↗',
  steady: '→',
  falling: '↘',
  fallingFast: '⇊',
}

/** As makers of sensors write it. */
const WRITTEN: Record<string, Trend> = {
  risingfast: 'risingFast',
  risingquickly: 'risingFast',
  doubleup: 'risingFast',
  tripleup: 'risingFast',
  singleup: 'risingFast',
  rising: 'rising',
  fortyfiveup: 'rising',
  steady: 'steady',
  stable: 'steady',
  flat: 'steady',
  falling: 'falling',
  fortyfivedown: 'falling',
  fallingfast: 'fallingFast',
  fallingquickly: 'fallingFast',
  singledown: 'fallingFast',
  doubledown: 'fallingFast',
  tripledown: 'fallingFast',
}

/** Another word says nothing that can be drawn. */
export function trendOf(trend: unknown): Trend | undefined {
  const word = typeof trend === 'string' ? trend.toLowerCase().replaceAll(/[^a-z]/g, '') : ''
  return Object.hasOwn(WRITTEN, word) ? WRITTEN[word] : undefined
}
