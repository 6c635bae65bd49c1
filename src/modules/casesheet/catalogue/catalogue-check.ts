// What the schema of a type cannot say: which unit a usual spelling means.
import type { Check } from '../../../http/json/validation.ts'
import type { FieldError } from '../../../refusal.ts'
import type { CatalogueType } from './catalogue.ts'
import { unitMeantBy } from './unit-spellings.ts'
import type { Unit } from './units.ts'

/** `check` with better words about the unit. */
export function catalogueCheck({ units }: CatalogueType, check: Check): Check {
  return (reading) =>
    check(reading).map((error) =>
      error.pointer === '/unit' ? unitError(error, Object(reading).unit, units) : error,
    )
}

/** An error about a unit, with the units there are or the one that a usual spelling means. */
export function unitError(
  { pointer, message }: FieldError,
  unit: unknown,
  units: readonly Unit[],
): FieldError {
  if (unit === undefined) return { pointer, message: `${message}: one of ${units.join(', ')}` }
  const meant = unitMeantBy(unit, units)
  return { pointer, message: meant === undefined ? message : `${message}: write ${meant}` }
}
