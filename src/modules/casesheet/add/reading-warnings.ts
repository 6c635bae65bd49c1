// What deserves a second look in a reading that is accepted all the same: a number outside the plausible range of its type, a
// time before the year 2000 or ahead of now. A warning changes nothing of what is stored.
import { type Static, Type } from 'typebox'
import { pointerPart } from '../../../refusal.ts'
import { CATALOGUE, type Limits } from '../catalogue/catalogue.ts'
import { limitsText, rangesOf } from '../catalogue/limits.ts'
import type { Unit } from '../catalogue/units.ts'
import { microsecondsOf } from '../epoch-time.ts'
import type { Reading } from '../reading.ts'

export const ReadingWarning = Type.Object(
  {
    code: Type.Enum(['Implausible', 'Before2000', 'AheadOfNow'], { type: 'string' }),
    pointer: Type.String({ description: 'JSON Pointer into this reading.' }),
    message: Type.String({ description: 'A sentence for people. It never carries personal data.' }),
  },
  { additionalProperties: false },
)
export type ReadingWarning = Static<typeof ReadingWarning>

const START_OF_2000 = BigInt(Date.UTC(2000, 0)) * 1_000n
/** Clocks of devices differ by seconds. */
const TOLERATED_AHEAD_MS = 60_000

type PlausibleRange = { field: string; unit: Unit; isInUnitOfReading: boolean; limits: Limits }

const RANGES = new Map(
  Object.keys(CATALOGUE).map((readingType) => [readingType, plausibleRangesOf(readingType)]),
)

export type Warn = (reading: Reading) => ReadingWarning[]

/** The warnings about a reading that has passed its check. */
export function createWarn(now: () => number): Warn {
  return (reading) => [...aboutNumbers(reading), ...aboutTime(reading, now())]
}

function aboutNumbers(reading: Reading): ReadingWarning[] {
  const ranges = RANGES.get(reading.readingType) ?? []
  const unit = reading['unit'] ?? CATALOGUE[reading.readingType]?.units[0]
  return ranges
    .filter((range) => {
      const number = reading[range.field]
      if (typeof number !== 'number' || (range.isInUnitOfReading && range.unit !== unit)) return false
      return number < range.limits[0] || number > range.limits[1]
    })
    .map(({ field, limits, unit: named }) => ({
      code: 'Implausible',
      pointer: pointerPart(field),
      message: `${field} is outside ${limitsText(limits, named)}, which is very unusual: check the number and its unit.`,
    }))
}

function aboutTime({ timestamp }: Reading, nowMs: number): ReadingWarning[] {
  const pointer = '/timestamp'
  const at = microsecondsOf(timestamp)
  if (at < START_OF_2000) {
    const message = 'timestamp is before the year 2000: check the clock of the device.'
    return [{ code: 'Before2000', pointer, message }]
  }
  if (at <= BigInt(nowMs + TOLERATED_AHEAD_MS) * 1_000n) return []
  const message =
    "timestamp is more than a minute ahead of the service's clock: check the clock of the device."
  return [{ code: 'AheadOfNow', pointer, message }]
}

/** Each number of a type in each unit that it may be sent in. */
function plausibleRangesOf(readingType: string): PlausibleRange[] {
  const type = CATALOGUE[readingType]
  if (!type) return []
  return Object.entries(type.quantities).flatMap(([field, quantity]) =>
    rangesOf(quantity, type).flatMap(({ unit, plausible: limits }) =>
      limits ? [{ field, unit, isInUnitOfReading: quantity.unit === undefined, limits }] : [],
    ),
  )
}
