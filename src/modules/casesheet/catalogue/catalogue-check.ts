// What the schema of a type cannot say: which unit a usual spelling means, and that a field is nearly one of the type's.
import type { Check } from '../../../http/json/validation.ts'
import { type FieldError, MAX_ERRORS, pointerPart } from '../../../refusal.ts'
import type { CatalogueType } from './catalogue.ts'
import { createFieldFinder } from './near-names.ts'
import { unitMeantBy } from './unit-spellings.ts'
import type { Unit } from './units.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields of every reading. What resembles them is left alone: `measured_at` may well be a device's own. */
const COMMON = ['patientUid', 'readingType', 'timestamp', 'source', 'fhir']

/** `check` with better words about the unit, and with an error for each field that is nearly one of the type's. */
export function catalogueCheck(readingType: string, type: CatalogueType, check: Check): Check {
  const own = fieldsOf(type)
  const known = new Set([...own, ...COMMON])
  const fieldMeantBy = createFieldFinder(own)

  return (reading) => {
    const errors = check(reading)
    const misnamed = misnamedIn(Object(reading) as Fields)
    if (errors.length === 0 && misnamed.length === 0) return errors
    const meant = new Set(misnamed.map((field) => field.meant))
    const rest = errors.filter(
      ({ pointer, message }) => !(message === 'is required' && meant.has(pointer.slice(1))),
    )
    return [
      ...misnamed.map(({ name, meant: right }) => ({
        pointer: pointerPart(name),
        message: `is not a field of ${readingType}: write ${right}`,
      })),
      ...rest.map((error) =>
        error.pointer === '/unit' ? unitError(error, Object(reading).unit, type.units) : error,
      ),
    ]
  }

  function misnamedIn(reading: Fields) {
    const found: { name: string; meant: string }[] = []
    for (const name of Object.keys(reading)) {
      if (known.has(name)) continue
      const meant = fieldMeantBy(name, reading)
      if (meant !== undefined && found.push({ name, meant }) === MAX_ERRORS) break
    }
    return found
  }
}

/** The fields of a type beside those that every reading has. */
export function fieldsOf({ quantities, notes = {} }: CatalogueType): string[] {
  return [...Object.keys(quantities), 'unit', ...Object.keys(notes)]
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
