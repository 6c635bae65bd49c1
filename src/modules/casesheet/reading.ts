// What a reading is: the contract of the interface, and what it leaves open stays open. The types of the catalogue are
// checked; any other type is accepted with any fields, and unknown fields are kept. `source` is checked in every type.
import { type Static, type TSchema, Type } from 'typebox'
import { faultOfList, MAX_LIST_ITEMS } from '../../http/json/strict-json.ts'
import { type Check, checkFor } from '../../http/json/validation.ts'
import { below, type FieldError, MAX_ERRORS, Refusal, refuseFields } from '../../refusal.ts'
import { CATALOGUE } from './catalogue/catalogue.ts'
import { catalogueCheck } from './catalogue/catalogue-check.ts'
import { catalogueSchema, componentOf } from './catalogue/catalogue-schema.ts'
import { createNameFinder } from './catalogue/near-names.ts'
import { EpochTime, microsecondsOf } from './epoch-time.ts'
import { checkFhirElements } from './fhir-elements/fhir-elements.ts'

export const MAX_READINGS = MAX_LIST_ITEMS

export const EXAMPLE_SYMPTOM = {
  patientUid: 'patient-1',
  readingType: 'symptom',
  symptoms: [{ symptom: 'headache', severity: 'MODERATE' }],
  timestamp: 1_762_000_000_000,
}

export const EXAMPLE_NOTE = {
  patientUid: 'patient-1',
  readingType: 'note',
  text: 'Gave juice.',
  timestamp: 1_762_000_120_000,
}

export const EXAMPLE_HEART_RATE = {
  patientUid: 'patient-1',
  readingType: 'heartRate',
  value: 72,
  timestamp: 1_762_000_060_000,
}

/** A pattern: no control characters, and none that reorders the text around it on a screen. */
export const ONE_LINE_FORM = /^[^\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]*$/u
export const ONE_LINE = ONE_LINE_FORM.source
/** The same with something to see in it. */
export const ONE_VISIBLE_LINE = `^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])${ONE_LINE.slice(1)}`
/** The same on several lines. */
export const VISIBLE_LINES = `^(?=[\\s\\S]*[\\p{L}\\p{N}\\p{P}\\p{S}])(?:${ONE_LINE.slice(1, -2)}|[\\r\\n])*$`

export const PatientUid = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: ONE_LINE,
  description: 'Unique id of the patient. It must be in the token; it is compared exactly.',
  examples: [EXAMPLE_SYMPTOM.patientUid],
  'x-mustBe': 'a text of 1 to 128 characters without control characters',
})

export const READING_TYPE_FORM = /^[A-Za-z0-9_.-]{1,64}$/

export const ReadingType = Type.String({
  pattern: READING_TYPE_FORM.source,
  description:
    'Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any ' +
    'other type is accepted too.',
  'x-mustBe': 'a text of 1 to 64 letters, digits, "_", "-" or "."',
})

const Symptom = Type.Object({
  symptom: Type.String({ minLength: 1, maxLength: 500, 'x-mustBe': 'a text of 1 to 500 characters' }),
  severity: Type.String({
    pattern: '^[A-Z][A-Z0-9_]{0,31}$',
    description: 'An upper-case label; MILD, MODERATE and SEVERE are the usual ones.',
    'x-mustBe': 'upper case, such as MODERATE',
  }),
})

const givenByRounds = Type.Optional(
  Type.Unsafe<undefined>({
    not: {},
    readOnly: true,
    description: 'Given by the service.',
    'x-mustBe': 'left out: the service gives it',
  }),
)

const MAX_SOURCE_CHARS = 200

const sourceText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_SOURCE_CHARS,
    pattern: ONE_VISIBLE_LINE,
    description,
    'x-mustBe': `a text of 1 to ${MAX_SOURCE_CHARS} characters on one line, not only blanks, without control characters`,
  })

export const SOURCE_KINDS = ['device', 'manual', 'import'] as const

/** Where a reading comes from. Nothing else may stand in it: a misspelt `serial` would be shown nowhere. */
const Source = Type.Object(
  {
    kind: Type.Enum([...SOURCE_KINDS], {
      type: 'string',
      description:
        'Whether a device sent it, a person typed it in, or it was imported from another record or system.',
      'x-mustBe': `one of ${SOURCE_KINDS.join(', ')}`,
    }),
    device: Type.Optional(
      Type.Object(
        {
          name: sourceText('What people call the device.'),
          manufacturer: Type.Optional(sourceText('Who made it.')),
          model: Type.Optional(sourceText('The number or name of its model.')),
          serial: Type.Optional(sourceText('Its serial number.')),
        },
        { additionalProperties: false, 'x-mustBe': 'an object with the name of the device' },
      ),
    ),
    app: Type.Optional(
      Type.Object(
        {
          name: sourceText('The program that sent the reading, or into which it was typed.'),
          version: Type.Optional(sourceText('Its version.')),
        },
        { additionalProperties: false, 'x-mustBe': 'an object with the name of the app' },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'Where the reading comes from. It is part of the content, as any field.',
    examples: [
      {
        kind: 'device',
        device: { name: 'Cuff 2', manufacturer: 'Example Devices', model: 'EX-200', serial: '123' },
        app: { name: 'Example Health', version: '4.1' },
      },
    ],
    'x-mustBe': 'an object with a kind, and with device or app where they are known',
  },
)

export type Source = Static<typeof Source>

/** Its elements are checked by hand: their types refer to each other, and a schema of all would be repeated in each type. */
const Fhir = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, ' +
      'encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for.',
    examples: [{ identifier: [{ system: 'urn:example:hub', value: '17' }] }],
    'x-mustBe': 'an object with elements of an Observation',
  },
)

const fields = {
  patientUid: PatientUid,
  readingType: ReadingType,
  timestamp: EpochTime(EXAMPLE_SYMPTOM.timestamp),
  source: Type.Optional(Source),
  fhir: Type.Optional(Fhir),
  readingId: givenByRounds,
  measuredAt: givenByRounds,
  receivedAt: givenByRounds,
  withdrawn: givenByRounds,
}

const listOfSymptoms = { minItems: 1, maxItems: 100, 'x-mustBe': 'a list of 1 to 100 symptoms' }

const SymptomReading = Type.Object(
  {
    ...fields,
    readingType: Type.Literal('symptom'),
    symptoms: Type.Array(Symptom, listOfSymptoms),
  },
  {
    $id: 'SymptomReading',
    additionalProperties: true,
    examples: [EXAMPLE_SYMPTOM],
  },
)

/**
 * The same without the rule for each symptom: Ajv would list everything that is wrong with a thousand of them before the first
 * twenty errors are taken.
 */
const SymptomReadingAsList = Type.Object({
  ...SymptomReading.properties,
  symptoms: Type.Array(Type.Unknown(), listOfSymptoms),
})

const NoteReading = Type.Object(
  {
    ...fields,
    readingType: Type.Literal('note'),
    text: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: VISIBLE_LINES,
      description: 'What somebody wrote beside the readings. It is never judged.',
      'x-mustBe': 'a text of 1 to 500 characters, not only blanks, without control characters but line ends',
    }),
  },
  {
    $id: 'NoteReading',
    additionalProperties: true,
    examples: [EXAMPLE_NOTE],
  },
)

/** The schema of each type that is checked, by its name. */
export const CHECKED_TYPES: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ['symptom', SymptomReading],
  ['note', NoteReading],
  ...Object.entries(CATALOGUE).map(([name, type]) => [name, catalogueSchema(name, type, fields)] as const),
])

const CatalogueReading = Type.Unsafe({
  $id: 'CatalogueReading',
  description: 'A reading of a type that is checked: `readingType` says which.',
  anyOf: [...CHECKED_TYPES.keys()].map((readingType) => ({ $ref: `${componentOf(readingType)}#` })),
})

const OtherReading = Type.Object(
  {
    ...fields,
    readingType: Type.String({
      ...ReadingType,
      description:
        'Any type that is not in the catalogue, nor one of the catalogue but for case, blanks, dashes or underscores.',
      not: { enum: [...CHECKED_TYPES.keys()] },
    }),
  },
  {
    $id: 'OtherReading',
    description: 'A reading of any type that is not in the catalogue, with whatever fields it brings.',
    additionalProperties: true,
    examples: [{ patientUid: 'patient-1', readingType: 'acme.grip', newtons: 310, timestamp: 1762000000000 }],
  },
)

export const Reading = Type.Unsafe<Static<typeof OtherReading> & Record<string, unknown>>({
  $id: 'Reading',
  description: 'A reading. Fields beyond those named are kept and returned as they were sent.',
  anyOf: [{ $ref: 'CatalogueReading#' }, { $ref: 'OtherReading#' }],
})
export type Reading = Static<typeof Reading>

/** What the OpenAPI document names. */
export const READING_SCHEMAS = [
  ...[...CHECKED_TYPES.values(), OtherReading].map(withNamedSource),
  { $id: 'ReadingSource', ...Source },
  CatalogueReading,
  Reading,
]

/** The schemas of `GET readings/types` stand alone; here all point to one. */
function withNamedSource(schema: TSchema): TSchema {
  const { properties }: { properties?: object } = schema
  return { ...schema, properties: { ...properties, source: { $ref: 'ReadingSource#' } } }
}

const checkOfType = new Map<unknown, Check>([
  ['symptom', checkSymptoms],
  ['note', checkFor(NoteReading)],
])
for (const [readingType, type] of Object.entries(CATALOGUE)) {
  const check = checkFor(CHECKED_TYPES.get(readingType) as TSchema)
  checkOfType.set(readingType, catalogueCheck(type, check))
}
const checkedTypeMeantBy = createNameFinder(CHECKED_TYPES.keys())
const checkSymptomList = checkFor(SymptomReadingAsList)
const checkSymptom = checkFor(Symptom)
const checkOther = checkFor(OtherReading)
const checkCount = checkFor(
  Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: MAX_READINGS,
    'x-mustBe': `a reading, or a list of 1 to ${MAX_READINGS} readings`,
  }),
)

/**
 * Checks the body of an add: one reading, or a list of them. Pointers are into the body as it was sent. An item that is a
 * Refusal could not be accepted as JSON of one reading. A fault in it is named first, because it alone has a position.
 */
export function checkReadings(body: unknown, checkOne: Check = checkReading): Refusal | undefined {
  if (!Array.isArray(body)) return refusalOf(checkOne(body))
  const errors = checkCount(body)
  if (errors.length > 0) return refusalOf(errors)
  const fault = faultOfList(body)
  if (fault) return fault
  for (const [index, reading] of body.entries()) {
    if (reading instanceof Refusal && !reading.errors) return reading
    errors.push(...checkOne(reading).map((error) => below(`/${index}`, error)))
    // No answer names more, and a list of a thousand wrong readings need not be read to its end.
    if (errors.length >= MAX_ERRORS) break
  }
  return refusalOf(errors)
}

function refusalOf(errors: FieldError[]): Refusal | undefined {
  return errors.length > 0 ? refuseFields(errors) : undefined
}

/** Checks one reading. Pointers are into the reading. */
export function checkReading(reading: unknown): FieldError[] {
  if (reading instanceof Refusal) return reading.errors ?? []
  const errors = checkByType(reading)
  const { fhir, source }: { fhir?: unknown; source?: unknown } = Object(reading)
  if (typeof fhir !== 'object' || fhir === null || Array.isArray(fhir)) return errors
  return [...errors, ...checkFhirElements(fhir, source)].slice(0, MAX_ERRORS)
}

function checkByType(reading: unknown): FieldError[] {
  const { readingType }: { readingType?: unknown } = Object(reading)
  const check = checkOfType.get(readingType)
  if (check) return check(reading)
  const meant = checkedTypeMeantBy(readingType)
  return meant === undefined ? checkOther(reading) : checkMisnamed(reading, meant)
}

/** The check of a reading, with a bound on how far ahead of now it may be unless `maxAheadMs` is 0: the interface has none. */
export function createReadingCheck(maxAheadMs: number, now: () => number): Check {
  if (maxAheadMs === 0) return checkReading
  const message = `must be at most ${maxAheadMs / 1_000} seconds ahead of the service's clock`
  return (reading) => {
    const errors = checkReading(reading)
    if (errors.some(({ pointer }) => pointer === '/timestamp')) return errors
    const timestamp: unknown = Object(reading).timestamp
    const isAhead =
      typeof timestamp === 'number' && microsecondsOf(timestamp) > BigInt(now() + maxAheadMs) * 1_000n
    return isAhead ? [...errors, { pointer: '/timestamp', message }] : errors
  }
}

/** Stored under another name, it would be checked by nothing and missing from every chart of its type. */
function checkMisnamed(reading: unknown, meant: string): FieldError[] {
  const others = checkOther(reading).filter(({ pointer }) => pointer !== '/readingType')
  return [{ pointer: '/readingType', message: `must be written ${meant}` }, ...others]
}

/** Checks a reading of the type symptom, up to the twentieth error. */
function checkSymptoms(reading: unknown): FieldError[] {
  const errors = checkSymptomList(reading)
  const symptoms: unknown = Object(reading).symptoms
  if (!Array.isArray(symptoms) || symptoms.length > listOfSymptoms.maxItems) return errors
  for (const [index, symptom] of symptoms.entries()) {
    errors.push(...checkSymptom(symptom).map((error) => below(`/symptoms/${index}`, error)))
    if (errors.length >= MAX_ERRORS) break
  }
  return errors
}
