// For how long values stood.

import { DAY } from '../status/beyond.ts'
import { sensorStandsUntil } from '../summaries/day-sums.ts'
import type { Measured } from './report-readings.ts'

export const SENSOR = 'interstitialGlucose'

/**
 * The seconds of each: a sensor's value stands until the next, at most 20 minutes and never beyond its UTC day, another one at most a day;
 * neither beyond the end of the range or now.
 */
export function secondsStanding(measured: readonly Measured[], end: number): number[] {
  return measured.map(({ at, type }, nth) => {
    const next = measured[nth + 1]?.at ?? Infinity
    const until = type === SENSOR ? sensorStandsUntil(at, next) : Math.min(next, at + DAY)
    return Math.max(0, Math.min(until, end) - at) / 1_000
  })
}

export const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
