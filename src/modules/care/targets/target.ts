// A target: what the readings of a type are compared with, as its author set it. Each author has one of a type for a patient, and a doctor
// one more for all who share with the permission manage. There is none until somebody sets it, and nobody's replaces another author's.
import { type Static, Type } from 'typebox'
import { EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { ReadingType } from '../../casesheet/reading.ts'
import { textOrNull } from '../answer-forms.ts'

const CLOSED = { additionalProperties: false } as const
const A_NUMBER = { 'x-mustBe': 'a number' } as const

const bound = (description: string) => Type.Optional(Type.Number({ description, ...A_NUMBER }))
const actLimit = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: `${description} Null: none, on purpose. Left out: not decided.`,
      'x-mustBe': 'a number, or null where there is none on purpose',
    }),
  )
const share = (description: string) =>
  Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      description,
      'x-mustBe': 'a share above 0 and below 1, such as 0.7',
    }),
  )

const Goals = Type.Object(
  {
    inRange: share('At least this share is from low to high.'),
    below: share('At most this share is below low.'),
    farBelow: share('At most this share is below farLow.'),
    above: share('At most this share is above high.'),
    farAbove: share('At most this share is above farHigh.'),
  },
  {
    ...CLOSED,
    minProperties: 1,
    description:
      'Shares of the time that the values of a sensor stood, or of the values of another type. Both kinds of glucose are judged only with goals.',
    'x-mustBe': 'an object with inRange, below, farBelow, above or farAbove',
  },
)

export const TargetField = Type.Object(
  {
    low: bound('The lowest value in target.'),
    high: bound('The highest value in target.'),
    actBelow: actLimit('A single value below it needs somebody now.'),
    actAbove: actLimit('A single value above it needs somebody now.'),
    farLow: bound('What farBelow of the goals is below.'),
    farHigh: bound('What farAbove of the goals is above.'),
    goals: Type.Optional(Goals),
  },
  {
    ...CLOSED,
    minProperties: 1,
    description:
      'What one field is compared with. A value at a limit is not beyond it. A field has at least one of low, high, actBelow and actAbove.',
    'x-mustBe': 'an object with low, high, actBelow, actAbove, farLow, farHigh or goals',
  },
)
export type TargetField = Static<typeof TargetField>

const MAX_FIELDS = 8

export const TargetFields = Type.Unsafe<Record<string, TargetField>>({
  type: 'object',
  additionalProperties: TargetField,
  minProperties: 1,
  maxProperties: MAX_FIELDS,
  description: 'What is compared, by the name of the field: value, or such as systolic and diastolic.',
  'x-mustBe': 'an object with the fields of the type',
})

export const EXPECT_EVERY = {
  description:
    'After a longer time without a reading of the type, the patient is listed as silent. Null expects nothing.',
} as const

export const EXAMPLE_FIELDS: Record<string, TargetField> = {
  systolic: { high: 135, actBelow: 90, actAbove: 180 },
  diastolic: { high: 85, actBelow: null, actAbove: 110 },
}

export const TargetAuthor = Type.Object(
  {
    kind: Type.Enum(['doctor', 'practice', 'patient'], {
      type: 'string',
      description: 'patient: also what a carer set for the patient.',
    }),
    doctorId: Type.Optional(Type.String({ description: 'The doctor, if it is one.' })),
    practiceId: Type.Optional(Type.String({ description: 'The practice, if it is one.' })),
    name: Type.String({ description: 'The name, or the id where no name is known.' }),
  },
  CLOSED,
)
export type TargetAuthor = Static<typeof TargetAuthor>

export const Target = Type.Object(
  {
    targetId: Type.String({
      format: 'uuid',
      description: 'Another one at every change but that of a label.',
    }),
    patientUid: textOrNull('The patient; null where it holds for all who share with the permission manage.'),
    readingType: Type.String({ ...ReadingType, description: 'A type of the catalogue.' }),
    unit: Type.String({
      description: 'The unit of all numbers, in UCUM, but of fields with one of their own.',
    }),
    expectEvery: Type.Unsafe<string | null>({ type: ['string', 'null'], ...EXPECT_EVERY }),
    label: textOrNull('A text beside it, such as why it was chosen; null for none.'),
    preset: textOrNull('The published target from which it was filled in; null for none.'),
    fields: TargetFields,
    author: TargetAuthor,
    isForAll: Type.Boolean({
      description:
        'Set for all who share with the permission manage. It holds where the type was measured in the last 90 days.',
    }),
    judges: Type.Boolean({
      description:
        'Whether readings are compared with it for the caller, in the list of patients and in reports. One of a type: for a doctor the ' +
        'first of the own for the patient, that of a practice of the doctor for the patient, the own for all, the newest of another doctor ' +
        'with the permission manage; for the patient ' +
        'the newest of such a doctor, else their own.',
    }),
    setBy: Type.String({ description: 'Who set it: the subject of the token.' }),
    setAt: Type.String({ format: 'date-time', description: 'When that was, in UTC.' }),
  },
  {
    $id: 'Target',
    ...CLOSED,
    description: 'What the readings of a type are compared with, and who set it.',
  },
)
export type Target = Static<typeof Target>

export const EXAMPLE_TARGET: Target = {
  targetId: '9b2f6a3e-5d6c-4f5e-8a51-2f7d1c0be4a7',
  patientUid: EXAMPLE_GRANT.patientUid,
  readingType: 'bloodPressure',
  unit: 'mm[Hg]',
  expectEvery: 'P3D',
  label: 'Agreed in October',
  preset: 'home-blood-pressure-esh',
  fields: EXAMPLE_FIELDS,
  author: { kind: 'doctor', doctorId: EXAMPLE_GRANT.doctorId, name: 'Dr Sample' },
  isForAll: false,
  judges: true,
  setBy: 'dr-willow',
  setAt: '2026-11-17T08:15:30.125460Z',
}

export const EXAMPLE_SENSOR_TARGET: Target = {
  ...EXAMPLE_TARGET,
  targetId: '0e7d54c2-7a0f-4f1c-9d6e-1b3a5c7e9f20',
  patientUid: null,
  readingType: 'interstitialGlucose',
  unit: 'mg/dL',
  expectEvery: 'P1D',
  label: null,
  preset: 'sensor-glucose',
  fields: {
    value: {
      low: 70,
      high: 180,
      actBelow: null,
      actAbove: null,
      farLow: 54,
      farHigh: 250,
      goals: { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25, farAbove: 0.05 },
    },
  },
  isForAll: true,
}
