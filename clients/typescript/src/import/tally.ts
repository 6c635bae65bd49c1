// What was found in a file, counted. What a hostile file could make long is bounded.
import type { FoundReading, ImportedType, ImportPreview } from './import-contract.ts'

const MAX_NAMES = 200
const MAX_CHARS = 120
const OTHERS = 'others'
// As the service reads them: below it, a number is seconds.
const FIRST_MILLISECONDS = 100_000_000_000

type Counted = { readingType: string; unit: string; count: number; from: number; to: number }

export function createTally() {
  // By type, then by unit.
  const types = new Map<string, Map<string, Counted>>()
  const notUnderstood = new Map<string, number>()
  const skipped = new Map<string, { count: number; example: string }>()
  let found = 0
  let kinds = 0

  function countedOf(readingType: string, unit: string): Counted {
    const known = types.get(readingType)?.get(unit)
    if (known) return known
    if (kinds >= MAX_NAMES && readingType !== OTHERS) return countedOf(OTHERS, '')
    kinds++
    const counted = { readingType, unit, count: 0, from: Infinity, to: -Infinity }
    types.set(readingType, (types.get(readingType) ?? new Map<string, Counted>()).set(unit, counted))
    return counted
  }

  return {
    found: () => found,
    reading({ readingType, timestamp, unit }: FoundReading) {
      found++
      const counted = countedOf(readingType, typeof unit === 'string' ? unit : '')
      const at = timestamp < FIRST_MILLISECONDS ? timestamp * 1_000 : timestamp
      counted.count++
      if (at < counted.from) counted.from = at
      if (at > counted.to) counted.to = at
    },
    notUnderstood(name: string, count = 1) {
      const key =
        notUnderstood.has(name) || notUnderstood.size < MAX_NAMES ? name.slice(0, MAX_CHARS) : OTHERS
      notUnderstood.set(key, (notUnderstood.get(key) ?? 0) + count)
    },
    skipped(reason: string, example: string, count = 1) {
      const known = skipped.get(reason)
      if (known) known.count += count
      else skipped.set(reason, { count, example: example.slice(0, MAX_CHARS) })
    },
    /** `isTimed` says whether the times are known, so that they may be shown. */
    summary(isTimed: boolean): Omit<ImportPreview, 'format' | 'needs'> {
      const counted = [...types.values()].flatMap((units) => [...units.values()])
      counted.sort((a, b) => b.count - a.count || (a.readingType < b.readingType ? -1 : 1))
      return {
        types: counted.map((one) => describe(one, isTimed)),
        notUnderstood: [...notUnderstood]
          .map(([name, count]) => ({ name, count }))
          .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
        skipped: [...skipped].map(([reason, one]) => ({ reason, ...one })),
        ...(isTimed ? span(counted) : {}),
      }
    },
  }
}

function describe({ readingType, unit, count, ...times }: Counted, isTimed: boolean): ImportedType {
  return { readingType, ...(unit === '' ? {} : { unit }), count, ...(isTimed ? span([times]) : {}) }
}

/** A time that no calendar has is for the service to refuse. */
function span(spans: { from: number; to: number }[]): { from?: string; to?: string } {
  if (spans.length === 0) return {}
  const from = isoOf(Math.min(...spans.map((one) => one.from)))
  const to = isoOf(Math.max(...spans.map((one) => one.to)))
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function isoOf(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.valueOf()) ? undefined : date.toISOString()
}
