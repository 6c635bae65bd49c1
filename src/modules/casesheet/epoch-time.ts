// The interface leaves the unit of its epoch numbers open, so both are read. Below 100,000,000,000 a number is seconds,
// from there on milliseconds: as seconds that number is the year 5138, as milliseconds it is March 1973, so no reading
// of a device can be read wrongly.
import { Type } from 'typebox'

export const FIRST_MILLISECONDS = 100_000_000_000
export const END_OF_9999 = 253_402_300_799_999

export function EpochTime(example: number) {
  return Type.Number({
    minimum: 0,
    maximum: END_OF_9999,
    description: 'Epoch seconds when below 100000000000, epoch milliseconds from there on.',
    examples: [example],
    'x-mustBe': 'a number of epoch seconds or milliseconds, from 1970 to the end of the year 9999',
  })
}

/** The instant in microseconds since 1970: what the database stores and compares, so every other comparison uses it too. */
export function microsecondsOf(epochTime: number): bigint {
  const { milliseconds, microseconds } = roundedParts(epochTime)
  return BigInt(milliseconds) * 1_000n + BigInt(microseconds)
}

/** The instant as RFC 3339 in UTC: to the millisecond, or to the microsecond where the number is that fine. */
export function instantOf(epochTime: number): string {
  const { milliseconds, microseconds } = roundedParts(epochTime)
  const iso = new Date(milliseconds).toISOString()
  return microseconds === 0 ? iso : `${iso.slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`
}

/**
 * Whole milliseconds, and the microseconds beyond them. One number could not hold both: from the year 2255 on, microseconds
 * are beyond what a double counts exactly. This rounding decides `measured_at`, which is in the key of a reading: with
 * another rounding, a reading that is sent again would be stored twice.
 */
function roundedParts(epochTime: number): { milliseconds: number; microseconds: number } {
  const exact = epochTime < FIRST_MILLISECONDS ? epochTime * 1_000 : epochTime
  const milliseconds = Math.floor(exact)
  const microseconds = Math.round((exact % 1) * 1_000)
  // A fraction that rounds up to a whole millisecond carries over.
  return microseconds === 1_000
    ? { milliseconds: milliseconds + 1, microseconds: 0 }
    : { milliseconds, microseconds }
}

const SECONDS_END = 19

/** "2025-11-01 12:26:41.25+00" → RFC 3339, to the millisecond or as fine as it is, up to so many digits. */
export function instantFrom(text: string, mostDigits: 3 | 6): string {
  if (!text.endsWith('+00')) throw new Error('The database did not print an instant in UTC.')
  const seconds = `${text.slice(0, 10)}T${text.slice(11, SECONDS_END)}`
  // Most instants are whole seconds or milliseconds.
  if (text.length === SECONDS_END + 3) return `${seconds}.000Z`
  const fraction = text.slice(SECONDS_END + 1, -3)
  const digits = fraction.length <= 3 ? fraction.padEnd(3, '0') : fraction.padEnd(6, '0').slice(0, mostDigits)
  return `${seconds}.${digits}Z`
}
