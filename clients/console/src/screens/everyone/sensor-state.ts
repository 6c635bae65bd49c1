// What a child's sensor says now: how low, which way, how old. Low is what the doctor's target calls low, or where it has no limit below
// the carer's own; without one nothing is. The arrow is the sensor's own, never worked out here.
import type { ReadingTypeEntry, StoredReading, Target } from '../../../../typescript/src/client.ts'
import { boundsIn, placeOf } from '../../care/in-target.ts'
import { isOwnTarget } from '../../care/target-text.ts'
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
  /** Whose limits below hold; undefined where nobody has set one. */
  lowTarget: Target | undefined
  trend: Trend | undefined
}

export function sensorState(
  reading: StoredReading,
  { entry, targets, now }: { entry: ReadingTypeEntry; targets: readonly Target[]; now: number },
): SensorState {
  const ageMs = Math.max(0, now - Date.parse(reading.measuredAt))
  const isStale = ageMs > STALE_MINUTES * MINUTE_MS
  return {
    reading,
    minutes: Math.floor(ageMs / MINUTE_MS),
    isStale,
    ...judged(reading, entry, targets),
    trend: isStale ? undefined : trendOf(reading['trend']),
  }
}

export const isLowNow = (state: SensorState | undefined) =>
  state !== undefined && !state.isStale && (state.place === 'low' || state.place === 'farLow')

/** Below the far limit, below the limit, the rest, then those that say nothing of now. */
export const urgencyOf = (state: SensorState | undefined) =>
  state === undefined ? 4 : state.isStale ? 3 : state.place === 'farLow' ? 0 : state.place === 'low' ? 1 : 2

/** A value below an act limit needs somebody now, as one below the far limit does. */
function limitsOf(target: Target | undefined) {
  const { low = null, high = null, farLow = null, actBelow = null } = target?.fields['value'] ?? {}
  const far = [farLow, actBelow].filter((limit) => limit !== null)
  return { low, high, farLow: far.length > 0 ? Math.max(...far) : null }
}

const hasLow = (target: Target) => {
  const { low, farLow } = limitsOf(target)
  return low !== null || farLow !== null
}

function judged(reading: StoredReading, entry: ReadingTypeEntry, targets: readonly Target[]) {
  const ofSensor = targets.filter(({ readingType }) => readingType === SENSOR)
  const judging = ofSensor.find(({ judges }) => judges)
  const lowTarget = [
    ...(judging ? [judging] : []),
    ...ofSensor.filter((target) => isOwnTarget(target, undefined)),
  ].find(hasLow)
  const { low, farLow } = limitsOf(lowTarget)
  const { high } = limitsOf(judging)
  const { value, outOfRange } = reading
  const found = (place: SensorState['place'], limit?: number) => ({ place, limit, lowTarget })
  // Below all that the sensor can measure.
  if (outOfRange === 'low') return found('farLow')
  if (typeof value !== 'number') return found(undefined)
  const unit = unitOf(reading, entry)
  const below = (bound: number | null) => {
    const bounds = { low: bound, high: null, unit: lowTarget?.unit ?? unit }
    return placeOf(value, unit, bounds) === 'below' ? (boundsIn(bounds, unit).low ?? undefined) : undefined
  }
  const [farLimit, limit] = [below(farLow), below(low)]
  if (farLimit !== undefined) return found('farLow', farLimit)
  if (limit !== undefined) return found('low', limit)
  if (low === null && high === null) return found(undefined)
  const isAbove = placeOf(value, unit, { low: null, high, unit: judging?.unit ?? unit }) === 'above'
  return found(isAbove ? 'above' : 'in')
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
