// How far ahead of now a reading may be. The interface has no bound, so there is none by default.
import type { Check } from '../../../http/json/validation.ts'
import { microsecondsOf } from '../epoch-time.ts'
import { checkReading } from '../reading.ts'

/** The check of a reading, with a bound on its time unless `maxAheadMs` is 0. */
export function createReadingCheck(maxAheadMs: number, now: () => number): Check {
  if (maxAheadMs === 0) return checkReading
  const message = `must be at most ${maxAheadMs / 1_000} seconds ahead of the service's clock`
  return (reading) => {
    const errors = checkReading(reading)
    if (errors.some(({ pointer }) => pointer === '/timestamp')) return errors
    const timestamp: unknown = Object(reading).timestamp
    const isAhead =
      typeof timestamp === 'number' && microsecondsOf(timestamp) > BigInt(now() + maxAheadMs) * 1_000n
    return isAhead ? [...errors, { pointer: '/timestamp', message }] : errors
  }
}
