// Which field of which type a target or a rule is for, and in which unit: those of the catalogue. What is wrong is named with what
// would be right, as it is for readings.
import { Type } from 'typebox'
import type { FieldError } from '../../refusal.ts'
import { CATALOGUE, type CatalogueType } from '../casesheet/catalogue/catalogue.ts'
import { unitError } from '../casesheet/catalogue/catalogue-check.ts'
import { type Range, rangesOf } from '../casesheet/catalogue/limits.ts'
import { createNameFinder } from '../casesheet/catalogue/near-names.ts'

export const FieldName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Field of the reading. May be left out if the type has one number.',
  examples: ['systolic'],
  'x-mustBe': 'the name of a field',
})

/** What was found, or what is wrong with a field of the request. */
type Found<Value> = { value: Value; error?: never } | { value?: never; error: FieldError }

const typeMeantBy = createNameFinder(Object.keys(CATALOGUE))

export function typeNamed(readingType: string): Found<CatalogueType> {
  const value = ownOf(CATALOGUE, readingType)
  if (value) return { value }
  const meant = typeMeantBy(readingType)
  const message =
    meant === undefined
      ? 'must be a type of the catalogue that has numbers: see readings/types'
      : `must be written ${meant}`
  return { error: { pointer: '/readingType', message } }
}

/** The field may be left out where the type has one number. */
export function fieldNamed({ quantities }: CatalogueType, field: string | undefined): Found<string> {
  const fields = Object.keys(quantities)
  const [only, ...others] = fields
  if (field !== undefined && fields.includes(field)) return { value: field }
  if (field === undefined && only !== undefined && others.length === 0) return { value: only }
  const message = field === undefined ? 'is required: one of' : 'must be one of'
  return { error: { pointer: '/field', message: `${message} ${fields.join(', ')}` } }
}

/** The unit may be left out where there is one. */
export function rangeNamed(type: CatalogueType, field: string, unit: string | undefined): Found<Range> {
  const quantity = ownOf(type.quantities, field)
  const ranges = quantity ? rangesOf(quantity, type) : []
  const [only, ...others] = ranges
  const named = unit === undefined && others.length === 0 ? only : ranges.find((range) => range.unit === unit)
  if (named) return { value: named }
  return {
    error: unitNamed(
      ranges.map((range) => range.unit),
      unit,
    ),
  }
}

/** What is wrong with a unit that is none of these, or is missing. */
export function unitNamed(units: Range['unit'][], unit: string | undefined): FieldError {
  const message = unit === undefined ? 'is required' : `must be one of ${units.join(', ')}`
  return unitError({ pointer: '/unit', message }, unit, units)
}

/** Not a name that every object has, such as constructor. */
function ownOf<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
