// The interface leaves the unit of its epoch numbers open, so both are read. Below 100,000,000,000 a number is seconds,
// from there on milliseconds: as seconds that number is the year 5138, as milliseconds it is March 1973, so no reading
// of a device can be read wrongly.
import { Type } from 'typebox'

const FIRST_MILLISECONDS = 100_000_000_000
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

export function millisecondsOf(epochTime: number): number {
  return epochTime < FIRST_MILLISECONDS ? epochTime * 1_000 : epochTime
}

/** The instant as RFC 3339 in UTC: to the millisecond, or to the microsecond where the number is that fine. */
export function instantOf(epochTime: number): string {
  const milliseconds = millisecondsOf(epochTime)
  const microseconds = Math.round((milliseconds % 1) * 1_000)
  // A fraction that rounds up to a whole millisecond carries over.
  const iso = new Date(Math.floor(milliseconds) + (microseconds === 1_000 ? 1 : 0)).toISOString()
  return microseconds % 1_000 === 0 ? iso : `${iso.slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`
}
