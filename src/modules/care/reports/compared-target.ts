// What a report compares readings with: the ranges of the target that judges for whoever reads. It is read before the readings are; whether
// the grant still holds is proved behind them.
import type { Db } from '../../../db/db.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { conversionBetween, convert, type Unit } from '../../casesheet/catalogue/units.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { isMore } from '../status/beyond.ts'
import { targetThatJudges } from '../targets/seen-targets.ts'
import type { Target } from '../targets/target.ts'
import { comparedIn } from '../unit-sql.ts'
import type { Measured } from './report-readings.ts'

/** Of a field. Those that have act limits alone have none. */
export type FieldRange = { field: string; low: number | null; high: number | null; unit: Unit }

export type Compared = { target: Target | null; ranges: FieldRange[] }

export function createFindCompared(db: Db, now: () => number) {
  /** `readingType` is undefined where the grant does not hold it. */
  return async (patientUid: string, readingType: string | undefined, reader: Reader): Promise<Compared> => {
    const asked = { patientUid, subject: reader.readBy, now: now() }
    const target = readingType && (await targetThatJudges(db, { ...asked, readingType }, reader))
    const ranges = target ? rangesOf(target) : []
    return target && ranges.length > 0 ? { target, ranges } : { target: null, ranges: [] }
  }
}

function rangesOf({ readingType, unit, fields }: Target): FieldRange[] {
  return Object.entries(fields).flatMap(([field, { low = null, high = null }]) => {
    const { quantities = {}, units = [] } = CATALOGUE[readingType] ?? {}
    const ofField = quantities[field]?.unit ?? units.find((one) => one === unit)
    return (low === null && high === null) || !ofField ? [] : [{ field, low, high, unit: ofField }]
  })
}

export type Side = 'below' | 'in' | 'above'

/** A value at a bound is in. What had to be converted is rounded to what people are shown: 10.0 mmol/L is at most 180 mg/dL. */
export function sideOf(value: number, unit: Unit, range: Pick<FieldRange, 'low' | 'high' | 'unit'>): Side {
  const compared =
    unit === range.unit ? value : comparedIn(range.unit, convert(value, conversionBetween(unit, range.unit)))
  if (range.low !== null && isMore(range.low, compared)) return 'below'
  if (range.high !== null && isMore(compared, range.high)) return 'above'
  return 'in'
}

/** "LOW" is below, and "HIGH" above, whatever number stands beside it. */
export function judgedValue(value: number, { mark }: Pick<Measured, 'mark'>): number {
  if (mark === undefined) return value
  return mark === 'low' ? -Infinity : Infinity
}
