// Instants of the evaluation, in whole microseconds since 1970 as the database counts: exactly what it has, so that they are compared exactly.
import { durationMs } from '../rules/duration.ts'

export type Micros = number

export const SECOND: Micros = 1_000_000
export const HOUR: Micros = 3_600_000_000
export const DAY: Micros = 24 * HOUR

export const microsOf = (duration: string): Micros => durationMs(duration) * 1_000

/** SQL */
export const micros = (instant: string) => `(extract(epoch from ${instant}) * 1000000)::float8`

/** As RFC 3339 has it, to the microsecond. */
export function instantAt(at: Micros): string {
  const milliseconds = Math.floor(at / 1_000)
  const rest = String(at - milliseconds * 1_000).padStart(3, '0')
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`
}
