// The filters of the list of doctors, as its contract has them. Cursors and statements take their filters from here, and the
// compiler asks for the condition of each (find-doctors.ts), so a filter added here works everywhere or does not compile.
import { type Static, type TSchemaOptions, Type } from 'typebox'
import { exampleBeside } from '../../http/openapi.ts'
import { EXAMPLE_DOCTOR } from './doctor.ts'
import { LANGUAGE_TAG, type Language } from './language.ts'

export const EXAMPLE_SEARCH = {
  specialityId: EXAMPLE_DOCTOR.specialities[0]?.specialityId ?? '',
  q: 'willow',
  language: 'en',
  city: 'Pune',
  doctorId: [EXAMPLE_DOCTOR.doctorId],
}

export const DoctorFilters = Type.Object({
  specialityId: textFilter({
    description: 'Only doctors with this specialty.',
    ...exampleBeside(EXAMPLE_SEARCH.specialityId),
  }),
  q: textFilter({
    description:
      'Part of a name, in any case, accents ignored. Fewer than three letters or digits in a row match the beginning of a word.',
    examples: [EXAMPLE_SEARCH.q],
  }),
  language: textFilter({
    description: 'Only doctors who speak it; `en` also finds `en-IN`.',
    'x-mustBe': LANGUAGE_TAG,
    ...exampleBeside(EXAMPLE_SEARCH.language),
  }),
  city: textFilter({
    description: 'Only doctors in this city, in any case, accents ignored.',
    ...exampleBeside(EXAMPLE_SEARCH.city),
  }),
  doctorId: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, 'x-mustBe': 'a text of 1 to 200 characters' }), {
      maxItems: 50,
      description: 'Only the doctors with these ids; may be repeated.',
      ...exampleBeside(EXAMPLE_SEARCH.doctorId),
    }),
  ),
})

/** The filters of one request. */
export type Search = Static<typeof DoctorFilters>

export type FilterName = keyof Search

/** What the caller searches for, with the language that was meant in place of its tag. */
export type Filters = { [Name in Exclude<FilterName, 'language'>]?: Search[Name] | undefined } & {
  language?: Language | undefined
}

export const FILTER_NAMES = Object.keys(DoctorFilters.properties) as FilterName[]

function textFilter(options: TSchemaOptions) {
  return Type.Optional(
    Type.String({ maxLength: 200, pattern: '\\S', 'x-mustBe': 'a text of 1 to 200 characters', ...options }),
  )
}
