// Numbers that the service would refuse, by its catalogue: they are found before anything is sent, so that a preview promises what is
// stored. Whatever else the service checks, it says itself.
import type { ReadingTypeEntry } from '../contract.ts'
import type { FoundReading } from './import-contract.ts'

/** What is wrong with the numbers of a reading, in a sentence; undefined where nothing is, or where the type is not in the catalogue. */
export function createRangeCheck(types: readonly ReadingTypeEntry[]) {
  const numbersOf = new Map(types.map(({ readingType, numbers }) => [readingType, numbers]))
  return (reading: FoundReading): { reason: string; value: number } | undefined => {
    for (const { field, ranges } of numbersOf.get(reading.readingType) ?? []) {
      const value: unknown = reading[field]
      const range = ranges.find(({ unit }) => unit === reading['unit']) ?? ranges[0]
      if (typeof value !== 'number' || range === undefined) continue
      const { least, most } = range.possible
      if (value < least || value > most)
        return {
          reason: `Its ${field} is not from ${least} to ${most} ${range.unit}, which is all that Rounds takes.`,
          value,
        }
    }
    return undefined
  }
}

const MAX_KEYS = 200

/**
 * Counts what was outside, by type and unit. Where that is most of it, the unit may be another than the file says, and what is inside is
 * in doubt too. Where it is all of it, nothing of the type is taken anyway.
 */
export function createDoubt() {
  const seen = new Map<string, { inside: number; outside: number }>()
  return {
    count({ readingType, unit }: FoundReading, isOutside: boolean) {
      const key = `${readingType} in ${typeof unit === 'string' ? unit : 'its unit'}`
      const counts = seen.get(key) ?? { inside: 0, outside: 0 }
      // A hostile file may name any number of types.
      if (seen.has(key) || seen.size < MAX_KEYS) seen.set(key, counts)
      counts[isOutside ? 'outside' : 'inside']++
    },
    sentence(): string | undefined {
      const [worst] = [...seen].find(([, { inside, outside }]) => inside > 0 && outside > inside) ?? []
      return worst === undefined
        ? undefined
        : `Most values of ${worst} are outside of what is possible. The file may have another unit than it says, so none of it is taken.`
    },
  }
}
