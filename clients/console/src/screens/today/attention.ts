// What each card says about its target, and the order of the cards: outside target first, the furthest outside at the top; then in
// target, without a target, and old. Within a group, the order of the catalogue.
import type { StoredReading, Target } from '../../../../typescript/src/client.ts'
import { type JudgedField, judgedFields, type Range, rangesOf } from '../../care/in-target.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { ageOf } from '../../format/times.ts'

const GROUPS = ['outside', 'in', 'without', 'old'] as const

export type Attention = {
  readingType: string
  group: (typeof GROUPS)[number]
  ranges: readonly Range[]
  /** Nothing where there is no target, or the reading is old: what it says of today is nothing. */
  judged: readonly JudgedField[] | undefined
}

type Deps = {
  catalogue: Catalogue
  targetOf: (readingType: string) => Target | undefined
  now: number
}

/** `readings` in the order of the catalogue. */
export function byAttention(
  readings: readonly StoredReading[],
  { catalogue, targetOf, now }: Deps,
): Attention[] {
  const found = readings.map((reading): Attention => {
    const { readingType, measuredAt } = reading
    const entry = catalogue.get(readingType)
    const ranges = rangesOf(targetOf(readingType), entry)
    if (ageOf(measuredAt, now, 'UTC').mark === 'old')
      return { readingType, group: 'old', ranges, judged: undefined }
    const judged = judgedFields(reading, entry, ranges)
    const group = !judged ? 'without' : judged.some(({ place }) => place !== 'in') ? 'outside' : 'in'
    return { readingType, group, ranges, judged }
  })
  return found.toSorted(
    (one, other) =>
      GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group) || beyondOf(other) - beyondOf(one),
  )
}

const beyondOf = ({ judged }: Attention) => Math.max(0, ...(judged ?? []).map(({ beyond }) => beyond))
