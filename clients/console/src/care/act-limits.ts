// Whether a reading is beyond an act limit of a doctor who has one for this patient. No limit is the console's own.
import type { Reading, ReadingTypeEntry, Target } from '../../../typescript/src/client.ts'
import { numberText } from '../format/numbers.ts'
import { unitOf } from '../format/reading-text.ts'
import { nameOf } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { boundsIn, judgedFields, rangesOf, unitOfNumber } from './in-target.ts'

export type BeyondLimit = {
  /** "45 mg/dL", "Systolic 190 mmHg". */
  value: string
  place: 'below' | 'above'
  /** In the unit of the value. */
  limit: string
  target: Target
}

/** The value that is farthest beyond a limit; undefined where there is none. */
export function beyondLimit(
  reading: Reading,
  entry: ReadingTypeEntry | undefined,
  targets: readonly Target[],
): BeyondLimit | undefined {
  if (!entry) return undefined
  const fields: Readonly<Record<string, unknown>> = reading
  const found = targets.flatMap((target) => {
    if (target.author.kind === 'patient' || target.readingType !== reading.readingType) return []
    const ranges = rangesOf({ unit: target.unit, fields: actLimits(target) }, entry)
    return (judgedFields(fields, entry, ranges) ?? []).flatMap(({ field, place, beyond }) => {
      const range = ranges.find((one) => one.field === field)
      const unit = unitOfNumber(field, unitOf(fields, entry), entry)
      if (place === 'in' || !range || unit === undefined) return []
      const { low, high } = boundsIn(range, unit)
      const value = `${numberText(Number(fields[field]))} ${unitSign(unit)}`
      return [
        {
          value: field === 'value' ? value : `${nameOf(field)} ${value}`,
          place,
          limit: numberText((place === 'below' ? low : high) ?? 0),
          target,
          beyond,
        },
      ]
    })
  })
  return found.toSorted((one, other) => other.beyond - one.beyond)[0]
}

function actLimits({ fields }: Target) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, { actBelow = null, actAbove = null }]) => [
      field,
      { low: actBelow, high: actAbove },
    ]),
  )
}
