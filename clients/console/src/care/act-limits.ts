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
  const said = new Set<string>()
  const ofType = targets.filter(({ readingType }) => readingType === reading.readingType)
  const found = ofType.filter(mayHold).flatMap((target) => {
    const ranges = rangesOf({ unit: target.unit, fields: actLimits(target, said) }, entry)
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

/**
 * Doctors' targets for the patient are listed newest first, and the newest whose doctor may set targets judges: those before it are of
 * doctors who no longer may. Those for all are listed only while their doctors may.
 */
function mayHold({ author, isForAll }: Target, index: number, ofType: readonly Target[]): boolean {
  const judging = ofType.findIndex(({ judges }) => judges)
  return author.kind !== 'patient' && (isForAll || (judging !== -1 && index >= judging))
}

/** What an author has said for the patient comes first in the list, and before what is for all: also that there is no limit. */
function actLimits({ author, fields }: Target, said: Set<string>) {
  const firstOf = (field: string, limit: 'actBelow' | 'actAbove') => {
    const key = JSON.stringify([author.kind, author.doctorId ?? author.practiceId, field, limit])
    const value = fields[field]?.[limit]
    if (value === undefined || said.has(key)) return null
    said.add(key)
    return value
  }
  return Object.fromEntries(
    Object.keys(fields).map((field) => [
      field,
      { low: firstOf(field, 'actBelow'), high: firstOf(field, 'actAbove') },
    ]),
  )
}
