// What each card says about its target, and the order of the cards: a sensor first, then what was measured last.
import type { StoredReading, Target } from '../../../../typescript/src/client.ts'
import { type JudgedField, judgedFields, type Range, rangesOf } from '../../care/in-target.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { ageOf } from '../../format/times.ts'
import { MINUTE_MS } from '../../format/zone-calendar.ts'
import { SENSOR, STALE_MINUTES } from '../everyone/sensor-state.ts'

export type Attention = {
  readingType: string
  group: 'outside' | 'in' | 'without' | 'old'
  ranges: readonly Range[]
  /** Nothing where there is no target, or the reading is old, or a sensor is silent: what it says of now is nothing. */
  judged: readonly JudgedField[] | undefined
}

type Deps = {
  catalogue: Catalogue
  targetOf: (readingType: string) => Target | undefined
  now: number
}

export function cardsOf(readings: readonly StoredReading[], { catalogue, targetOf, now }: Deps): Attention[] {
  return readings.toSorted(bySensorAndTime).map((reading): Attention => {
    const { readingType, measuredAt } = reading
    const entry = catalogue.get(readingType)
    const ranges = rangesOf(targetOf(readingType), entry)
    if (ageOf(measuredAt, now, 'UTC').mark === 'old')
      return { readingType, group: 'old', ranges, judged: undefined }
    const judged = isSilent(reading, now) ? undefined : judgedFields(reading, entry, ranges)
    const group = !judged ? 'without' : judged.some(({ place }) => place !== 'in') ? 'outside' : 'in'
    return { readingType, group, ranges, judged }
  })
}

/** A sensor that has sent nothing for a while. */
export const isSilent = ({ readingType, measuredAt }: StoredReading, now: number) =>
  readingType === SENSOR && now - Date.parse(measuredAt) > STALE_MINUTES * MINUTE_MS

/** Where several were measured at once, as they came. */
function bySensorAndTime(one: StoredReading, other: StoredReading): number {
  const isSensor = ({ readingType }: StoredReading) => Number(readingType === SENSOR)
  return isSensor(other) - isSensor(one) || Date.parse(other.measuredAt) - Date.parse(one.measuredAt)
}
