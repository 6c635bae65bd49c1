// What a report compares readings with: the ranges of the target that judges for whoever reads. It is read before the readings are; whether
// the grant still holds is proved behind them.
import type { Db } from '../../../db/db.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { targetThatJudges } from '../targets/seen-targets.ts'
import type { Target } from '../targets/target.ts'

/** Of a field. Those that have act limits alone have none. */
export type FieldRange = { field: string; low: number | null; high: number | null; unit: string }

export type Compared = { target: Target | null; ranges: FieldRange[] }

export type FindCompared = ReturnType<typeof createFindCompared>

export function createFindCompared(db: Db, now: () => number) {
  /** `readingType` is undefined where the grant does not hold it. */
  return async (patientUid: string, readingType: string | undefined, reader: Reader): Promise<Compared> => {
    const { doctorId, readBy: subject } = reader
    const target =
      readingType && (await targetThatJudges(db, { patientUid, readingType, doctorId, subject, now: now() }))
    const ranges = target ? rangesOf(target) : []
    return target && ranges.length > 0 ? { target, ranges } : { target: null, ranges: [] }
  }
}

function rangesOf({ readingType, unit, fields }: Target): FieldRange[] {
  return Object.entries(fields).flatMap(([field, { low = null, high = null }]) => {
    const ownUnit = CATALOGUE[readingType]?.quantities[field]?.unit
    return low === null && high === null ? [] : [{ field, low, high, unit: ownUnit ?? unit }]
  })
}

/** SQL: the ranges, which this parameter has as JSON. */
export const rangesIn = (parameter: string) => `
    ranges as materialized (
      select field, low, high, unit
      from json_to_recordset(${parameter}::json) as ranges (field text, low float8, high float8, unit text)
    )`
