// What was typed into the form of a target, as what to send, or what is wrong with it, field by field. In which order limits stand, the
// service checks.
import type {
  ReadingTypeEntry,
  RoundsError,
  Target,
  TargetPreset,
  TargetToSet,
} from '../../../../typescript/src/client.ts'
import { numberText } from '../../format/numbers.ts'
import { unitSign } from '../../format/units.ts'
import { words } from '../../words/words.ts'
import { formOf, type NumberField } from '../add/form-of.ts'
import { numberFrom } from '../add/read-form.ts'

export const ACT_SIDES = ['actBelow', 'actAbove'] as const
export const GOALS = ['inRange', 'below', 'farBelow', 'above', 'farAbove'] as const
const BOUNDS = ['low', 'high', 'farLow', 'farHigh'] as const

type Bound = (typeof BOUNDS)[number]
export type ActSide = (typeof ACT_SIDES)[number]
export type Goal = (typeof GOALS)[number]
/** Nothing until one is chosen. */
export type ActChoice = '' | 'number' | 'none' | 'unsaid'

export type TypedField = {
  bounds: Record<Bound, string>
  acts: Record<ActSide, { choice: ActChoice; text: string }>
  /** In percent. */
  goals: Record<Goal, string>
}
export type TypedTarget = {
  fields: Readonly<Record<string, TypedField>>
  /** In UCUM; empty until one is chosen. */
  unit: string
  /** In ISO 8601; empty where nothing is expected. */
  expectEvery: string
  label: string
  /** What filled the form. */
  preset: TargetPreset | undefined
}
/** By field and limit, such as "systolic low"; "unit"; "" for the form as a whole. */
export type TargetMistakes = Record<string, string>

export type Terms = Omit<TargetToSet, 'patientUid'>
type Fields = Target['fields']
type TargetField = Fields[string]
type Read = { terms: Terms } | { mistakes: TargetMistakes }

export const numbersOf = (entry: ReadingTypeEntry): NumberField[] =>
  formOf(entry).fields.filter((field) => field.kind === 'number')

/** Without goals, a mean of glucose would hide lows. */
export const needsGoals = (readingType: string) => /^(blood|interstitial)Glucose$/.test(readingType)

type Before = { target: Target | undefined; unit: string; presets: readonly TargetPreset[] }

/** As it is set now, or as a new one begins: of a limit nothing is chosen, a sensor is expected every day. */
export function typedTarget(
  { readingType }: ReadingTypeEntry,
  { target, unit, presets }: Before,
): TypedTarget {
  const proposed = readingType === 'interstitialGlucose' ? 'P1D' : 'P3D'
  return {
    fields: Object.fromEntries(
      Object.entries(target?.fields ?? {}).map(([name, field]) => [name, typedField(field, 'unsaid')]),
    ),
    unit,
    expectEvery: target ? (target.expectEvery ?? '') : proposed,
    label: target?.label ?? '',
    preset: presets.find(({ preset }) => preset === target?.preset),
  }
}

export const fieldOf = ({ fields }: TypedTarget, name: string): TypedField =>
  fields[name] ?? typedField({}, '')

function typedField(field: TargetField, unsaid: ActChoice): TypedField {
  const textOf = (value: number | undefined) => (value === undefined ? '' : String(value))
  const actOf = (value: number | null | undefined) => {
    if (typeof value === 'number') return { choice: 'number' as const, text: String(value) }
    return { choice: value === null ? ('none' as const) : unsaid, text: '' }
  }
  return {
    bounds: {
      low: textOf(field.low),
      high: textOf(field.high),
      farLow: textOf(field.farLow),
      farHigh: textOf(field.farHigh),
    },
    acts: { actBelow: actOf(field.actBelow), actAbove: actOf(field.actAbove) },
    goals: Object.fromEntries(
      GOALS.map((goal) => [goal, percentText(field.goals?.[goal])]),
    ) as TypedField['goals'],
  }
}

/** 0.07 × 100 is 7.000000000000001. */
const percentText = (share: number | undefined) =>
  share === undefined ? '' : String(Number((share * 100).toPrecision(12)))

/** The numbers were typed in the unit before: 3.9 mmol/L is not 3.9 mg/dL. */
export function inUnit(typed: TypedTarget, unit: string): TypedTarget {
  if (typed.unit === '' || typed.unit === unit) return { ...typed, unit }
  return { ...typed, unit, fields: {}, preset: undefined }
}

/** What a preset names takes the place of what was typed; the rest stays. Its range is what the target was filled in from. */
export function filledWith(typed: TypedTarget, preset: TargetPreset): TypedTarget {
  const published: Fields = preset.units[typed.unit] ?? {}
  const fields = Object.entries(published).map(([name, field]): [string, TypedField] => {
    const [before, given] = [fieldOf(typed, name), typedField(field, '')]
    const acts = { ...before.acts }
    for (const side of ACT_SIDES) if (given.acts[side].choice !== '') acts[side] = given.acts[side]
    return [
      name,
      {
        acts,
        // What was published together stays together.
        bounds: hasRange(field) ? given.bounds : { ...before.bounds, ...said(given.bounds) },
        goals: hasRange(field) ? given.goals : before.goals,
      },
    ]
  })
  const isRange = Object.values(published).some(hasRange)
  return {
    ...typed,
    fields: { ...typed.fields, ...Object.fromEntries(fields) },
    preset: isRange ? preset : typed.preset,
  }
}

const hasRange = ({ low, high }: TargetField) => low !== undefined || high !== undefined
const said = <Name extends string>(texts: Record<Name, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

/** Of a patient or a carer, only the range. */
export function readTargetForm(entry: ReadingTypeEntry, typed: TypedTarget, isDoctor: boolean): Read {
  const mistakes: TargetMistakes = {}
  if (entry.units.length > 1 && typed.unit === '') mistakes['unit'] = words.plan.chooseUnit
  const unit = typed.unit || (entry.units[0] ?? '')
  const fields: Fields = {}
  for (const number of numbersOf(entry)) {
    const read = readField(number, fieldOf(typed, number.name), { unit, isDoctor })
    for (const [place, mistake] of Object.entries(read.mistakes))
      mistakes[`${number.name} ${place}`] = mistake
    if (read.field) fields[number.name] = read.field
  }
  if (Object.keys(mistakes).length > 0) return { mistakes }
  if (Object.keys(fields).length === 0) return { mistakes: { '': words.targetForm.typeOne } }
  const label = typed.label.replace(/\s+/g, ' ').trim()
  const { preset } = typed
  const asDoctor = {
    expectEvery: typed.expectEvery || null,
    ...(preset && isFilledFrom(preset.units[unit] ?? {}, fields) && { preset: preset.preset }),
  }
  return {
    terms: {
      readingType: entry.readingType,
      unit,
      fields,
      ...(label !== '' && { label }),
      ...(isDoctor && asDoctor),
    },
  }
}

type ReadField = { field: TargetField | undefined; mistakes: TargetMistakes }

/** A field in which no number is typed has no target. Of one that has, nothing is left to chance: both act limits are chosen. */
function readField(
  number: NumberField,
  { bounds, acts, goals }: TypedField,
  { unit, isDoctor }: { unit: string; isDoctor: boolean },
): ReadField {
  const mistakes: TargetMistakes = {}
  const field: TargetField = {}
  const read = (place: string, text: string, valueOf: (text: string) => number | string) => {
    if (text.trim() === '') return undefined
    const value = valueOf(text)
    if (typeof value === 'number') return value
    mistakes[place] = value
    return undefined
  }
  const limit = (text: string) => limitFrom(text, number, unit)
  for (const bound of BOUNDS) {
    const value = read(bound, bounds[bound], limit)
    if (value !== undefined) field[bound] = value
  }
  for (const side of ACT_SIDES) {
    const value = acts[side].choice === 'number' ? read(side, acts[side].text, limit) : undefined
    if (value !== undefined) field[side] = value
  }
  const shares: NonNullable<TargetField['goals']> = {}
  for (const goal of GOALS) {
    const value = read(`goals ${goal}`, goals[goal], shareFrom)
    if (value !== undefined) shares[goal] = value
  }
  if (Object.keys(shares).length > 0) field.goals = shares
  if (Object.keys(field).length + Object.keys(mistakes).length === 0) return { field: undefined, mistakes }
  for (const side of isDoctor ? ACT_SIDES : []) {
    const { choice, text } = acts[side]
    if (choice === '') mistakes[side] = words.targetForm.chooseOne
    if (choice === 'number' && text.trim() === '') mistakes[side] = words.targetForm.typeNumber
    if (choice === 'none') field[side] = null
  }
  return { field, mistakes }
}

function limitFrom(text: string, field: NumberField, unit: string): number | string {
  const value = numberFrom(text)
  if (value === undefined) return words.plan.notANumber
  const limits = field.limitsIn(unit)
  if (!limits || (value >= limits.least && value <= limits.most)) return value
  return words.plan.from(
    numberText(limits.least),
    `${numberText(limits.most)} ${unitSign(field.unitOf(unit))}`,
  )
}

function shareFrom(text: string): number | string {
  const percent = numberFrom(text)
  if (percent === undefined || percent <= 0 || percent >= 100) return words.targetForm.percent
  return Number((percent / 100).toPrecision(12))
}

/** Whether the range and goals are those that are published, no less and no more. */
function isFilledFrom(published: Fields, fields: Fields): boolean {
  return Object.keys({ ...published, ...fields }).every((name) => {
    const [is, was] = [fields[name], published[name]]
    return (
      BOUNDS.every((bound) => is?.[bound] === was?.[bound]) &&
      GOALS.every((goal) => is?.goals?.[goal] === was?.goals?.[goal])
    )
  })
}

/** What the service found wrong, at the field that it names: "/fields/systolic/low", "/fields/value/goals/below". */
export function mistakesIn({ errors }: RoundsError): TargetMistakes {
  return Object.fromEntries(
    errors.map(({ pointer, message }) => {
      const place = pointer.replace(/^\/(fields\/)?/, '').replaceAll('/', ' ')
      return [
        place,
        words.plan.found(message.replaceAll(/\b(low|high|act|far)(Below|Above|Low|High)?\b/g, inWords)),
      ]
    }),
  )
}

function inWords(limit: string): string {
  const known: Readonly<Record<string, string>> = words.targetForm.limitsOf
  return known[limit] ?? limit
}
