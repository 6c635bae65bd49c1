// What a reading is: the contract of the interface, and what it leaves open stays open. A type that nobody listed is
// accepted with whatever fields it brings, and fields that nobody knows are kept.
import { type Static, Type } from 'typebox'
import { type Check, checkFor } from '../../http/validation.ts'
import type { FieldError } from '../../refusal.ts'
import { EpochTime } from './epoch-time.ts'
import { EXAMPLE_HEART_RATE, EXAMPLE_SYMPTOM } from './example-readings.ts'

export const MAX_READINGS = 1_000

export const PatientUid = Type.String({
  minLength: 1,
  maxLength: 128,
  // Control characters, and those that reorder the text around them on a screen.
  pattern: '^[^\\p{Cc}\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]*$',
  description: 'Unique id of the patient. It must be in the token; it is compared exactly.',
  examples: [EXAMPLE_SYMPTOM.patientUid],
  'x-mustBe': 'a text of 1 to 128 characters without control characters',
})

export const ReadingType = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,64}$',
  description: 'Kind of reading. `symptom` is used for symptom readings; any other type is accepted too.',
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

const fields = {
  patientUid: PatientUid,
  readingType: ReadingType,
  timestamp: EpochTime(EXAMPLE_SYMPTOM.timestamp),
  readingId: givenByRounds,
  measuredAt: givenByRounds,
  receivedAt: givenByRounds,
}

export const SymptomReading = Type.Object(
  {
    ...fields,
    readingType: Type.Literal('symptom'),
    symptoms: Type.Array(Symptom, { minItems: 1, maxItems: 100, 'x-mustBe': 'a list of 1 to 100 symptoms' }),
  },
  {
    $id: 'SymptomReading',
    additionalProperties: true,
    examples: [EXAMPLE_SYMPTOM],
  },
)

export const OtherReading = Type.Object(fields, {
  $id: 'OtherReading',
  additionalProperties: true,
  examples: [EXAMPLE_HEART_RATE],
})

export const Reading = Type.Unsafe<Static<typeof OtherReading> & Record<string, unknown>>({
  $id: 'Reading',
  description: 'A reading. Fields beyond those named are kept and returned as they were sent.',
  anyOf: [{ $ref: 'SymptomReading#' }, { $ref: 'OtherReading#' }],
})
export type Reading = Static<typeof Reading>

const checkOfType = new Map<unknown, Check>([['symptom', checkFor(SymptomReading)]])
const checkOther = checkFor(OtherReading)
const checkCount = checkFor(
  Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: MAX_READINGS,
    'x-mustBe': `a reading, or a list of 1 to ${MAX_READINGS} readings`,
  }),
)

/** Checks the body of an add: one reading, or a list of them. Pointers are into the body as it was sent. */
export function checkReadings(body: unknown): FieldError[] {
  if (!Array.isArray(body)) return checkReading(body)
  const errors = checkCount(body)
  if (errors.length > 0) return errors
  return body.flatMap((reading, index) =>
    checkReading(reading).map(({ pointer, message }) => ({ pointer: `/${index}${pointer}`, message })),
  )
}

/** Checks one reading. Pointers are into the reading. */
export function checkReading(reading: unknown): FieldError[] {
  const check = checkOfType.get(Object(reading).readingType) ?? checkOther
  return check(reading)
}
