// What a request to set a target says, and what no target can be.
import { type Static, Type } from 'typebox'
import { type FieldError, pointerPart, refuseFields } from '../../../refusal.ts'
import type { CatalogueType } from '../../casesheet/catalogue/catalogue.ts'
import { limitsText, type Range } from '../../casesheet/catalogue/limits.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { DoctorId } from '../../casesheet/grants/grant.ts'
import { ONE_VISIBLE_LINE, PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { rangeNamed, typeNamed, unitNamed } from '../measured-field.ts'
import { DURATION_FORM, durationMs } from '../rules/duration.ts'
import { PRESETS } from './presets.ts'
import { EXAMPLE_TARGET, EXPECT_EVERY, type TargetField, TargetFields } from './target.ts'

const MAX_LABEL_CHARS = 100
const EXPECTED_WITHIN = ['PT15M', 'P366D'] as const
const A_DURATION = `a duration in days, hours and minutes from ${EXPECTED_WITHIN.join(' to ')}, such as P3D, or null`

export const SetBody = Type.Object(
  {
    patientUid: Type.Optional(
      Type.String({
        ...PatientUid,
        description:
          'The patient. A doctor who leaves it out sets it for all who share with the permission manage.',
      }),
    ),
    practiceId: Type.Optional(
      Type.String({
        ...DoctorId,
        description:
          'The practice whose target it is: one that the token names. Only for a patient. Left out, it is that of the caller.',
        examples: ['practice-1'],
      }),
    ),
    readingType: Type.String({ ...ReadingType, description: 'A type of the catalogue.' }),
    unit: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Unit of the numbers, in UCUM. May be left out if the type has one.',
        examples: [EXAMPLE_TARGET.unit],
        'x-mustBe': 'a unit',
      }),
    ),
    expectEvery: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: DURATION_FORM,
        ...EXPECT_EVERY,
        description: `${EXPECT_EVERY.description} A doctor says it; from ${EXPECTED_WITHIN.join(' to ')}.`,
        examples: ['P3D'],
        'x-mustBe': A_DURATION,
      }),
    ),
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_LABEL_CHARS,
        pattern: ONE_VISIBLE_LINE,
        description: 'A text beside it, such as why it was chosen.',
        examples: [EXAMPLE_TARGET.label],
        'x-mustBe': `a text of 1 to ${MAX_LABEL_CHARS} characters on one line, without control characters`,
      }),
    ),
    preset: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'The published target of the type from which it was filled in: see targets/presets. It sets nothing itself.',
        examples: [EXAMPLE_TARGET.preset],
        'x-mustBe': 'the name of a preset',
      }),
    ),
    fields: TargetFields,
  },
  { additionalProperties: false },
)
export type SetBody = Static<typeof SetBody>

export type TargetTerms = {
  readingType: string
  unit: Unit
  expectEvery: string | null
  label: string | null
  preset: string | null
  fields: Record<string, TargetField>
}

/** A name that is nearly right must not be answered as if it were another's. */
export function mustNameType(readingType: string) {
  const { error } = typeNamed(readingType)
  if (error) throw refuseFields([error])
}

/** Refuses what no target can be, and beside it what this author may not say. */
export function termsIn(body: SetBody, author: 'doctor' | 'patient'): TargetTerms {
  const { readingType, fields, expectEvery, label = null, preset = null } = body
  const { value: type, error } = typeNamed(readingType)
  if (error) throw refuseFields([error])
  const { value: unit, error: unitWrong } = unitOfType(type, body.unit)
  if (unitWrong) throw refuseFields([unitWrong])
  const errors = [
    ...(author === 'doctor' ? errorsOfExpected(expectEvery) : errorsOfOwn(body)),
    ...errorsOfPreset(readingType, preset),
    ...Object.entries(fields).flatMap(([name, field]) => errorsOfField({ type, unit, name, field })),
  ]
  if (errors.length > 0) throw refuseFields(errors)
  return { readingType, unit, expectEvery: expectEvery ?? null, label, preset, fields }
}

function unitOfType({ units }: CatalogueType, unit: string | undefined) {
  const [only, ...others] = units
  const value = unit === undefined && others.length === 0 ? only : units.find((known) => known === unit)
  return value ? { value } : { error: unitNamed([...units], unit) }
}

function errorsOfExpected(expectEvery: string | null | undefined): FieldError[] {
  const [least, most] = EXPECTED_WITHIN.map(durationMs) as [number, number]
  const pointer = '/expectEvery'
  if (expectEvery === null) return []
  if (expectEvery === undefined) return [{ pointer, message: 'is required; null expects nothing' }]
  const ms = durationMs(expectEvery)
  return ms < least || ms > most ? [{ pointer, message: `must be ${A_DURATION}` }] : []
}

/** A patient's own has only bounds. */
function errorsOfOwn({ expectEvery, preset, fields }: SetBody): FieldError[] {
  const saidByDoctors = [
    ...Object.entries({ expectEvery, preset }).flatMap(([name, value]) =>
      value === undefined ? [] : [`/${name}`],
    ),
    ...Object.entries(fields).flatMap(([name, field]) =>
      Object.keys(field)
        .filter((key) => key !== 'low' && key !== 'high')
        .map((key) => `/fields${pointerPart(name)}/${key}`),
    ),
  ]
  return saidByDoctors.map((pointer) => ({ pointer, message: 'must be left out: only a doctor sets it' }))
}

function errorsOfPreset(readingType: string, preset: string | null): FieldError[] {
  const known = PRESETS.filter((published) => published.readingType === readingType).map((one) => one.preset)
  if (preset === null || known.includes(preset)) return []
  const message =
    known.length > 0 ? `must be one of ${known.join(', ')}` : 'must be left out: the type has none'
  return [{ pointer: '/preset', message }]
}

type FieldOfBody = { type: CatalogueType; unit: Unit; name: string; field: TargetField }

function errorsOfField({ type, unit, name, field }: FieldOfBody): FieldError[] {
  const pointer = `/fields${pointerPart(name)}`
  if (!Object.hasOwn(type.quantities, name))
    return [{ pointer, message: `must be one of ${Object.keys(type.quantities).join(', ')}` }]
  const { low, high, actBelow, actAbove } = field
  if (![low, high, actBelow, actAbove].some((limit) => typeof limit === 'number'))
    return [{ pointer, message: 'must have a number in low, high, actBelow or actAbove' }]
  const { value: range } = rangeNamed(type, name, type.quantities[name]?.unit ?? unit)
  if (!range) throw new Error('A field of the catalogue has no limits in a unit of its type.')
  const errors = [...errorsOfNumbers(field, range), ...errorsOfOrder(field), ...errorsOfGoals(field)]
  return errors.map((error) => ({ ...error, pointer: `${pointer}${error.pointer}` }))
}

const LIMITS = ['low', 'high', 'actBelow', 'actAbove', 'farLow', 'farHigh'] as const

function errorsOfNumbers(field: TargetField, { possible, unit }: Range): FieldError[] {
  const [least, most] = possible
  return LIMITS.filter((name) => {
    const value = field[name]
    return typeof value === 'number' && !(value >= least && value <= most)
  }).map((name) => ({ pointer: `/${name}`, message: `must be from ${limitsText(possible, unit)}` }))
}

/** Each pair in order, of which the first is named where it is not; act limits may be at the bounds. */
const ORDER: readonly [less: keyof TargetField, more: keyof TargetField, isOrAt?: 'orAt'][] = [
  ['low', 'high'],
  ['actBelow', 'low', 'orAt'],
  ['actBelow', 'high'],
  ['actBelow', 'actAbove'],
  ['low', 'actAbove'],
  ['high', 'actAbove', 'orAt'],
  ['farLow', 'low'],
  ['high', 'farHigh'],
]

function errorsOfOrder(field: TargetField): FieldError[] {
  return ORDER.flatMap(([less, more, orAt]) => {
    const [low, high] = [field[less], field[more]]
    if (typeof low !== 'number' || typeof high !== 'number') return []
    if (low < high || (orAt && low === high)) return []
    return [{ pointer: `/${less}`, message: `must be ${orAt ? 'at most' : 'less than'} ${more}` }]
  })
}

/** The limit that a share is of. */
const LIMIT_OF = { below: 'low', above: 'high', farBelow: 'farLow', farAbove: 'farHigh' } as const
/** A limit that is farther out needs the nearer one. */
const NEARER = { farLow: 'low', farHigh: 'high' } as const

function errorsOfGoals(field: TargetField): FieldError[] {
  const { goals = {}, low, high } = field
  const errors: FieldError[] = []
  for (const [goal, limit] of Object.entries(LIMIT_OF))
    if (goals[goal as keyof typeof LIMIT_OF] !== undefined && field[limit] === undefined)
      errors.push({ pointer: `/goals/${goal}`, message: `must be left out where there is no ${limit}` })
  if (goals.inRange !== undefined && low === undefined && high === undefined)
    errors.push({ pointer: '/goals/inRange', message: 'must be left out where there is no low and no high' })
  for (const [far, near] of Object.entries(NEARER))
    if (field[far as keyof typeof NEARER] !== undefined && field[near] === undefined)
      errors.push({ pointer: `/${far}`, message: `must be left out where there is no ${near}` })
  return errors
}
