// How the readings of a type are drawn: which numbers they have, and in which units.
import type { ReadingTypeEntry } from '../../../../typescript/src/contract.ts'
import type { Series } from './series.ts'

/** A number of a reading, in the type's unit unless it has one of its own. */
export type Quantity = { field: string; unit: string | undefined }

export type TypeShape = {
  readingType: string
  kind: 'line' | 'pair' | 'symptoms'
  /** Units to choose from, the first is the default. Empty where a type has none. */
  units: readonly string[]
  /** All numbers that tables and pointers show; the first one, or two of a pair, are drawn. */
  quantities: readonly Quantity[]
}

// Fields that are numbers and no quantity.
const NOT_MEASURED = new Set(['timestamp'])

/** Known before the catalogue is. */
export function kindOf(readingType: string): TypeShape['kind'] {
  if (readingType === 'symptom') return 'symptoms'
  return readingType === 'bloodPressure' ? 'pair' : 'line'
}

/** `field` is the number to draw, of a type that is not in the catalogue. */
export function shapeOf(
  readingType: string,
  entry: ReadingTypeEntry | undefined,
  { series, field }: { series?: Series | undefined; field?: string | undefined } = {},
): TypeShape {
  if (readingType === 'symptom') return { readingType, kind: 'symptoms', units: [], quantities: [] }
  if (entry === undefined) {
    const fields = fieldsIn(series)
    const first = fields.find((name) => name === field) ?? fields[0]
    const unit = unitIn(series)
    const ordered = first === undefined ? [] : [first, ...fields.filter((name) => name !== first)]
    return {
      readingType,
      kind: 'line',
      units: [],
      quantities: ordered.map((name) => ({ field: name, unit })),
    }
  }
  const quantities = entry.numbers.map(({ field: name, ranges }): Quantity => {
    const units = ranges.map(({ unit }) => unit)
    return {
      field: name,
      // A number with a unit of its own, such as the pulse of a blood pressure, keeps it.
      unit: units.every((unit) => entry.units.includes(unit)) ? undefined : units[0],
    }
  })
  return { readingType, kind: kindOf(readingType), units: entry.units, quantities }
}

/** The numbers of readings whose type is not in the catalogue, `value` first. */
function fieldsIn(series: Series | undefined): string[] {
  const found = new Set<string>()
  if (series?.kind === 'statistics') {
    for (const { fields } of series.buckets) for (const name of Object.keys(fields)) found.add(name)
  }
  if (series?.kind === 'readings') {
    for (const { reading } of series.readings) {
      for (const [name, value] of Object.entries(reading)) {
        if (typeof value === 'number' && !NOT_MEASURED.has(name)) found.add(name)
      }
    }
  }
  return [...found].toSorted((a, b) => Number(b === 'value') - Number(a === 'value') || (a < b ? -1 : 1))
}

/** What such readings say themselves, if all agree. */
function unitIn(series: Series | undefined): string | undefined {
  if (series?.kind !== 'readings') return undefined
  const units = new Set(series.readings.map(({ reading }) => reading['unit']))
  const [unit] = units
  return units.size === 1 && typeof unit === 'string' ? unit : undefined
}

export function drawnFields({ kind, quantities }: TypeShape): string[] {
  return quantities.slice(0, kind === 'pair' ? 2 : 1).map(({ field }) => field)
}
