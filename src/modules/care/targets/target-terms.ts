// What a request to set targets says: of one field of the catalogue, or of a preset.
import { type Static, Type } from 'typebox'
import { type FieldError, refuseFields } from '../../../refusal.ts'
import { limitsText, type Range } from '../../casesheet/catalogue/limits.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { ONE_VISIBLE_LINE, PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { FieldName, fieldNamed, rangeNamed, typeNamed, unitNamed } from '../measured-field.ts'
import { PRESETS } from './presets.ts'
import { EXAMPLE_TARGET, type Target } from './target.ts'

const MAX_LABEL_CHARS = 100

const bound = (description: string, example: number) =>
  Type.Optional(Type.Number({ description, examples: [example], 'x-mustBe': 'a number' }))

export const SetBody = Type.Object(
  {
    patientUid: PatientUid,
    preset: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `Sets all targets of a published one: ${PRESETS.map(({ preset }) => preset).join(', ')}. Beside it, only unit may stand.`,
        examples: [PRESETS[0]?.preset],
        'x-mustBe': 'the name of a preset',
      }),
    ),
    readingType: Type.Optional(
      Type.String({ ...ReadingType, description: 'A type of the catalogue. Required without a preset.' }),
    ),
    field: Type.Optional(FieldName),
    low: bound('The lowest value in target.', EXAMPLE_TARGET.low),
    high: bound('The highest value in target.', EXAMPLE_TARGET.high),
    below: bound('Values in target are below this one. Not beside high.', 135),
    unit: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Unit of the bounds, in UCUM. May be left out if there is one.',
        examples: [EXAMPLE_TARGET.unit],
        'x-mustBe': 'a unit',
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
  },
  { additionalProperties: false },
)
export type SetBody = Static<typeof SetBody>

export type TargetTerms = Pick<Target, 'readingType' | 'unit' | 'label' | 'preset'> & {
  ranges: readonly Pick<Target, 'field' | 'low' | 'high' | 'below'>[]
}

/** Refuses what no target can be. */
export function termsIn(body: SetBody): TargetTerms {
  return body.preset === undefined ? termsOfOne(body) : termsOfPreset(body, body.preset)
}

const SAID_BY_PRESET = ['readingType', 'field', 'low', 'high', 'below', 'label'] as const

function termsOfPreset(body: SetBody, name: string): TargetTerms {
  const errors: FieldError[] = SAID_BY_PRESET.filter((field) => body[field] !== undefined).map((field) => ({
    pointer: `/${field}`,
    message: 'must be left out: the preset says it',
  }))
  const preset = PRESETS.find((known) => known.preset === name)
  if (!preset) {
    const names = PRESETS.map((known) => known.preset).join(', ')
    throw refuseFields([...errors, { pointer: '/preset', message: `must be one of ${names}` }])
  }
  const units = Object.keys(preset.units) as Unit[]
  const unit = units.length === 1 ? (body.unit ?? units[0]) : body.unit
  const ranges = Object.entries(preset.units).find(([known]) => known === unit)?.[1]
  if (!ranges) errors.push(unitNamed(units, body.unit))
  if (unit === undefined || !ranges || errors.length > 0) throw refuseFields(errors)
  return { readingType: preset.readingType, unit, label: null, preset: name, ranges }
}

function termsOfOne(body: SetBody): TargetTerms {
  const { readingType, label = null, low = null, high = null, below = null } = body
  if (readingType === undefined)
    throw refuseFields([{ pointer: '/readingType', message: 'is required unless a preset is named' }])
  const { value: type, error: typeError } = typeNamed(readingType)
  if (typeError) throw refuseFields([typeError])
  const { value: field, error: fieldError } = fieldNamed(type, body.field)
  if (fieldError) throw refuseFields([fieldError])
  const { value: range, error: unitWrong } = rangeNamed(type, field, body.unit)
  if (unitWrong) throw refuseFields([unitWrong])
  const errors = errorsOfBounds({ low, high, below }, range)
  if (errors.length > 0) throw refuseFields(errors)
  return { readingType, unit: range.unit, label, preset: null, ranges: [{ field, low, high, below }] }
}

type Bounds = Pick<Target, 'low' | 'high' | 'below'>

function errorsOfBounds(bounds: Bounds, { possible, unit }: Range): FieldError[] {
  const { low, high, below } = bounds
  const [least, most] = possible
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(bounds))
    if (value !== null && !(value >= least && value <= most))
      errors.push({ pointer: `/${name}`, message: `must be from ${limitsText(possible, unit)}` })
  if (low === null && high === null && below === null)
    errors.push({ pointer: '/low', message: 'is required unless high or below is given' })
  if (high !== null && below !== null)
    errors.push({ pointer: '/below', message: 'must be left out where high is given' })
  const end = high ?? below
  if (low !== null && end !== null && low >= end)
    errors.push({ pointer: '/low', message: `must be less than ${high === null ? 'below' : 'high'}` })
  return errors
}
