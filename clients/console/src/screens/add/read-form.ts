// What was typed into a form, as a reading to send, or what is wrong with it, field by field; and a reading back as typed.
import type { Reading, ReadingSource } from '../../../../typescript/src/client.ts'
import { numberText } from '../../format/numbers.ts'
import { symptomsOf } from '../../format/reading-text.ts'
import { instantOfLocal, localInput } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { words } from '../../words/words.ts'
import type { FormField, NumberField, ReadingForm } from './form-of.ts'

/** Without a version: the same reading typed again after an update is still the same. */
export const TYPED = { kind: 'manual', app: { name: 'Rounds console' } } as const satisfies ReadingSource

/** Clocks differ a little. */
const AHEAD_MS = 5 * 60_000

export type Typed = {
  /** By field. A symptom has three: the one that was chosen, own words, and how bad it is. */
  texts: Record<string, string>
  /** In UCUM; empty until one is chosen. */
  unit: string
  /** As the wall clock shows it, or empty for the moment of sending. */
  at: string
}
export type Mistakes = Record<string, string>

type Deps = { patientUid: string; zone: string; now: number }

/** A comma or a point is the mark of decimals: nobody types thousands. Undefined if it is no number. */
export function numberFrom(text: string): number | undefined {
  const plain = text.trim().replace(',', '.').replace(/^−/, '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

export function readForm(
  form: ReadingForm,
  typed: Typed,
  { patientUid, zone, now }: Deps,
): { reading: Reading } | { mistakes: Mistakes } {
  const mistakes: Mistakes = {}
  const values: Record<string, unknown> = {}
  for (const field of form.fields) {
    const { value, mistake } = readField(field, typed, zone)
    if (mistake !== undefined) mistakes[field.name] = mistake
    else if (value !== undefined) values[field.name] = value
  }
  for (const field of form.fields) {
    if (field.kind !== 'number' || field.below === undefined || mistakes[field.name] !== undefined) continue
    const [value, above] = [values[field.name], values[field.below]]
    if (typeof value === 'number' && typeof above === 'number' && value >= above)
      mistakes[field.name] = `It must be below ${nameWithin(field.below)}.`
  }
  if (form.fields.some(({ kind }) => kind === 'symptoms') && !typed.texts['severity'])
    mistakes['severity'] = words.add.chooseSeverity
  if (form.units.length > 1 && typed.unit === '') mistakes['unit'] = 'Choose the unit.'
  const timestamp = typed.at === '' ? now : instantOfLocal(typed.at, zone)
  if (timestamp === undefined) mistakes['timestamp'] = 'This is not a date and a time.'
  else if (timestamp > now + AHEAD_MS) mistakes['timestamp'] = 'This time is in the future.'
  if (timestamp === undefined || Object.keys(mistakes).length > 0) return { mistakes }
  const unit = form.units.length > 1 || form.isUnitRequired ? { unit: typed.unit } : {}
  const reading = { patientUid, readingType: form.readingType, ...values, ...unit, timestamp, source: TYPED }
  return { reading: reading as Reading }
}

/** A reading that was not accepted, as it was typed, so that it can be corrected. */
export function typedFrom(form: ReadingForm, reading: Reading, zone: string): Typed {
  const fields: Readonly<Record<string, unknown>> = reading
  const texts: Record<string, string> = {}
  for (const { name, kind } of form.fields) {
    const value = fields[name]
    if (kind === 'time' && typeof value === 'number') texts[name] = localInput(value, zone)
    else if (typeof value === 'number' || typeof value === 'string') texts[name] = String(value)
  }
  const symptoms = symptomsOf(fields)
  // Of several, nothing is lost, and how bad it is, is said anew.
  const [severity = '', ...others] = new Set(symptoms.map((one) => one.severity))
  const said = symptoms.map(({ symptom }) => symptom).join(', ')
  if (said !== '') Object.assign(texts, { words: said, severity: others.length === 0 ? severity : '' })
  const unit: unknown = fields['unit']
  return {
    texts,
    unit: typeof unit === 'string' ? unit : onlyUnitOf(form),
    at: localInput(reading.timestamp, zone),
  }
}

/** A unit that nobody need choose. */
export function onlyUnitOf({ units: [unit = '', ...others] }: ReadingForm): string {
  return others.length === 0 ? unit : ''
}

type Read = { value?: unknown; mistake?: string }

function readField(field: FormField, { texts, unit }: Typed, zone: string): Read {
  if (field.kind === 'symptoms') return readSymptom(texts)
  const text = (texts[field.name] ?? '').trim()
  if (text === '') return field.isRequired ? { mistake: `${nameOf(field.name)} is missing.` } : {}
  if (field.kind === 'number') return readNumber(field, text, unit)
  if (field.kind !== 'time') return { value: text }
  const at = instantOfLocal(text, zone)
  return at === undefined ? { mistake: 'This is not a date and a time.' } : { value: at }
}

function readNumber(field: NumberField, text: string, unit: string): Read {
  const value = numberFrom(text)
  if (value === undefined) return { mistake: 'This is not a number.' }
  if (field.isWhole && !Number.isInteger(value)) return { mistake: 'It must be a whole number.' }
  const limits = field.limitsIn(unit)
  if (!limits || (value >= limits.least && value <= limits.most)) return { value }
  const { least, most } = limits
  return {
    mistake: `It must be from ${numberText(least)} to ${numberText(most)} ${unitSign(field.unitOf(unit))}.`,
  }
}

/** "Chest pain, crushing". */
function readSymptom({ symptom = '', words: own = '', severity }: Record<string, string>): Read {
  const said = [symptom, own.trim()].filter((part) => part !== '').join(', ')
  if (said === '') return { mistake: words.add.symptomMissing }
  return { value: [{ symptom: said, severity }] }
}
