// GET readings/types: the catalogue, for developers of devices, forms and charts. It holds no patient's data and stays
// the same as long as the program runs, so it is cached as bytes.
import { type Static, type TSchema, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { notModified, withEtag } from '../../../http/answers/etag.ts'
import { checkFor, NoQuery } from '../../../http/json/validation.ts'
import { CHECKED_TYPES } from '../reading.ts'
import { CATALOGUE, type CatalogueType, type Limits } from './catalogue.ts'
import { rangesOf } from './limits.ts'

const MESSAGE = 'Reading types obtained successfully.'

const LimitsAnswer = Type.Object({ least: Type.Number(), most: Type.Number() })

const MeasuredNumber = Type.Object({
  field: Type.String({ description: 'Name of the field of the reading.' }),
  isRequired: Type.Boolean(),
  isWhole: Type.Boolean(),
  below: Type.Union([Type.String(), Type.Null()], {
    description: 'The field that it must be below, if any.',
  }),
  ranges: Type.Array(
    Type.Object({
      unit: Type.String({ description: 'In UCUM.' }),
      loinc: Type.Union([Type.String(), Type.Null()], {
        description: 'LOINC code of the number in this unit.',
      }),
      possible: Type.Unsafe<Static<typeof LimitsAnswer>>({
        ...LimitsAnswer,
        description: 'A number outside is refused.',
      }),
      plausible: Type.Union([LimitsAnswer, Type.Null()], {
        description:
          'Ask a person who types a number outside whether it is right. It is no reference range: do not draw it, and do ' +
          'not call a number within it normal.',
      }),
    }),
    { description: 'One for each unit that it may be sent in.' },
  ),
})

export const ReadingTypeEntry = Type.Object(
  {
    readingType: Type.String(),
    units: Type.Array(Type.String(), {
      description:
        'What `unit` may be, in UCUM. Where there is one, it may be left out; where there are several, it is required.',
    }),
    loinc: Type.Array(Type.String(), { description: 'LOINC codes that mean this type.' }),
    numbers: Type.Array(MeasuredNumber),
    example: Type.Unsafe<object>({ $ref: 'CatalogueReading#' }),
    schema: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'JSON Schema (2020-12) of a reading as it is sent.',
    }),
  },
  { $id: 'ReadingTypeEntry', additionalProperties: false },
)

const entries = [...CHECKED_TYPES].map(([readingType, schema]) => entryOf(readingType, schema))

export const READING_TYPES = withEtag(
  Buffer.from(JSON.stringify({ code: 'Ok', message: MESSAGE, data: entries })),
)

const ReadingTypesAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'ReadingTypeEntry#' })),
  },
  {
    additionalProperties: false,
    description: 'All types of the catalogue.',
    examples: [
      {
        code: 'Ok',
        message: MESSAGE,
        data: entries.filter(({ readingType }) => readingType === 'painScore'),
      },
    ],
  },
)

export const listReadingTypesContract = {
  tags: ['casesheet'],
  operationId: 'listReadingTypes',
  summary: 'Get the catalogue of reading types',
  description:
    'The types whose fields, units and possible ranges are checked when readings are added; any other type is accepted ' +
    'too. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.',
  querystring: NoQuery,
  response: {
    200: Type.Unsafe<string | Buffer>(ReadingTypesAnswer),
    304: notModified('The catalogue is the one that If-None-Match names.'),
    ...errorAnswers(() => checkFor(NoQuery)({ limit: 20 })),
  },
}

function entryOf(readingType: string, schema: TSchema) {
  const type = CATALOGUE[readingType]
  const { examples: [example] = [] } = schema as { examples?: object[] }
  return {
    readingType,
    units: type?.units ?? [],
    loinc: type?.loinc ?? [],
    numbers: type ? numbersOf(type) : [],
    example,
    schema: asStandalone(readingType, schema),
  }
}

function numbersOf(type: CatalogueType): Static<typeof MeasuredNumber>[] {
  return Object.entries(type.quantities).map(([field, quantity]) => ({
    field,
    isRequired: quantity.isOptional !== true,
    isWhole: quantity.isWhole === true,
    below: quantity.below ?? null,
    ranges: rangesOf(quantity, type).map(({ unit, possible, plausible }, index) => ({
      unit,
      // The type's code is that of its `value`; other numbers have codes of their own, or none.
      loinc: quantity.loinc ?? (field === 'value' ? (type.loinc[index] ?? type.loinc[0]) : undefined) ?? null,
      possible: limitsAnswer(possible),
      plausible: plausible ? limitsAnswer(plausible) : null,
    })),
  }))
}

function limitsAnswer([least, most]: Limits) {
  return { least, most }
}

/** The schema as any validator reads it: without the words that only our own messages need. */
function asStandalone(readingType: string, schema: TSchema): object {
  const { $id: _name, ...standard } = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)),
  ) as Record<string, unknown>
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: readingType, ...standard }
}
