// What a reading says, in words: its numbers with their units, and what stands beside them. A reading
// holds whatever its device sent, so nothing is taken for granted but that it is JSON.
import type { ReadingTypeEntry, StoredReading } from '../../../typescript/src/client.ts'
import { words } from '../words/words.ts'
import { numberText } from './numbers.ts'
import { dateTimeText, durationText } from './times.ts'
import { nameOf } from './type-names.ts'
import { unitSign } from './units.ts'

export type Catalogue = ReadonlyMap<string, ReadingTypeEntry>
export const catalogueOf = (entries: ReadingTypeEntry[]): Catalogue =>
  new Map(entries.map((entry) => [entry.readingType, entry]))

/** One measured number. */
type Measured = {
  field: string
  value: number
  text: string
  unit: string
}

export type ReadingText = {
  /** The value as it is shown large, such as "138 / 88". */
  value: string
  /** Beside it, smaller. Empty where the value says it itself, as durations and words do. */
  unit: string
  /** The numbers that the value is made of. */
  measured: Measured[]
  /** What else the reading holds: name and text. */
  others: { name: string; text: string }[]
}

type Symptom = { symptom: string; severity: string }

type Fields = Readonly<Record<string, unknown>>

/** Given by the service, or shown apart. */
const NOT_CONTENT = new Set([
  'patientUid',
  'readingType',
  'timestamp',
  'readingId',
  'measuredAt',
  'receivedAt',
  'withdrawn',
  'unit',
])

export function symptomsOf(reading: Fields): Symptom[] {
  const symptoms: unknown = reading['symptoms']
  if (!Array.isArray(symptoms)) return []
  return symptoms.flatMap((one: unknown) => {
    const { symptom, severity }: { symptom?: unknown; severity?: unknown } = Object(one)
    return typeof symptom === 'string'
      ? [{ symptom, severity: typeof severity === 'string' ? severity : '' }]
      : []
  })
}

export function readingText(
  reading: StoredReading | Fields,
  entry: ReadingTypeEntry | undefined,
  zone: string,
): ReadingText {
  const fields: Fields = reading
  const symptoms = fields['readingType'] === 'symptom' ? symptomsOf(fields) : []
  const measured = measuredIn(fields, entry)
  const main = mainOf(measured)
  const shown = new Set(main.map(({ field }) => field))
  if (symptoms.length > 0) shown.add('symptoms')
  const source = sourceText(fields)
  if (source !== '') shown.add('source')
  const notes = notesOf(fields['fhir'])
  if (typeof fields['fhir'] === 'object') shown.add('fhir')
  const others = [
    ...measured
      .filter(({ field }) => !shown.has(field))
      .map(({ field, text, unit }) => ({ name: nameOf(field), text: withUnit(text, unit) })),
    ...Object.entries(fields)
      .filter(
        ([field]) =>
          !NOT_CONTENT.has(field) && !shown.has(field) && !measured.some((one) => one.field === field),
      )
      .map(([field, value]) => ({ name: nameOf(field), text: plainText(field, value, zone) })),
  ]
  const text = valueOf(main, symptoms, others)
  // Last, and never in place of a value.
  text.others = [...text.others, ...notes.map((note) => ({ name: words.names.note, text: note }))]
  if (source !== '') text.others = [...text.others, { name: words.names.source, text: source }]
  return { ...text, measured: main }
}

/** What people wrote in another system, beside what only systems read. */
function notesOf(fhir: unknown): string[] {
  const { note }: { note?: unknown } = Object(fhir)
  if (!Array.isArray(note)) return []
  return note.flatMap((one: unknown) => {
    const { text }: { text?: unknown } = Object(one)
    return typeof text === 'string' ? [text] : []
  })
}

/**
 * Where a reading comes from: "Contour Next (Ascensia), serial 123", "typed into Rounds console", "imported". Empty where it does
 * not say so in the way that the service checks.
 */
export function sourceText(reading: Fields): string {
  const { kind, device, app }: { [name in 'kind' | 'device' | 'app']?: unknown } = Object(reading['source'])
  const [deviceName, appName] = [deviceText(device), appText(app)]
  const { names } = words
  const withDevice = (text: string) => (deviceName === '' ? text : names.measuredWith(text, deviceName))
  if (kind === 'manual') return withDevice(names.typedIn(appName))
  if (kind === 'import') return withDevice(names.imported(appName))
  if (kind !== 'device') return ''
  const sender = deviceName || names.aDevice
  return appName === '' ? sender : names.sentBy(sender, appName)
}

/** What its name says already is not said again. */
function deviceText(device: unknown): string {
  const { name, manufacturer, model, serial }: Record<string, unknown> = Object(device)
  if (typeof name !== 'string') return ''
  const isNew = (text: unknown): text is string =>
    typeof text === 'string' && !name.toLowerCase().includes(text.toLowerCase())
  return [
    isNew(manufacturer) ? `${name} (${manufacturer})` : name,
    ...(isNew(model) ? [words.names.model(model)] : []),
    ...(typeof serial === 'string' ? [words.names.serial(serial)] : []),
  ].join(', ')
}

function appText(app: unknown): string {
  const { name, version }: { name?: unknown; version?: unknown } = Object(app)
  if (typeof name !== 'string') return ''
  return typeof version === 'string' ? `${name} ${version}` : name
}

function valueOf(main: Measured[], symptoms: Symptom[], others: ReadingText['others']) {
  if (symptoms.length > 0) {
    return { value: symptoms.map(symptomText).join(', '), unit: '', others }
  }
  const [first] = main
  if (!first) {
    // A type of a device that we know nothing of: its first field is as good as any.
    const [one, ...rest] = others
    return one
      ? { value: one.text, unit: one.name === nameOf('value') ? words.names.noUnit : one.name, others: rest }
      : { value: words.names.nothingMeasured, unit: '', others }
  }
  if (main.length === 1 && first.unit === 'min' && first.value >= 60)
    return { value: durationText(first.value), unit: '', others }
  return { value: main.map(({ text }) => text).join(' / '), unit: first.unit, others }
}

function symptomText({ symptom, severity }: Symptom): string {
  return severity === '' ? symptom : `${symptom} (${severityWord(severity)})`
}

/** The numbers that belong together in large: `value`, or the two pressures. */
function mainOf(measured: Measured[]): Measured[] {
  const named = (field: string) => measured.filter((one) => one.field === field)
  const pair = [...named('systolic'), ...named('diastolic')]
  if (pair.length === 2) return pair
  const value = named('value')
  return value.length > 0 ? value : measured.slice(0, 1)
}

function measuredIn(fields: Fields, entry: ReadingTypeEntry | undefined): Measured[] {
  if (!entry) return unknownNumber(fields)
  return entry.numbers.flatMap(({ field, ranges }) => {
    const value = fields[field]
    if (typeof value !== 'number') return []
    const [first] = ranges
    if (!first) return []
    // A number with a unit of its own, such as the pulse of a blood pressure, keeps it.
    const unit = entry.units.includes(first.unit) ? unitOf(fields, entry) : first.unit
    return [{ field, value, text: numberText(value), unit: unitSign(unit) }]
  })
}

/** As it was sent, also where its type does not have it. Older readings may lack it, then the first is meant. */
export function unitOf({ unit }: Fields, { units }: Pick<ReadingTypeEntry, 'units'>): string {
  if (unit === undefined || unit === null) return units[0] ?? ''
  return typeof unit === 'string' ? unit : JSON.stringify(unit)
}

/** Of a type outside the catalogue: `value` with the unit that was sent with it. */
function unknownNumber(fields: Fields): Measured[] {
  const { value, unit } = fields
  if (typeof value !== 'number' || typeof unit !== 'string') return []
  return [{ field: 'value', value, text: numberText(value), unit: unitSign(unit) }]
}

function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`
}

function plainText(field: string, value: unknown, zone: string): string {
  if (field === 'startedAt' && typeof value === 'number')
    return dateTimeText(value < 100_000_000_000 ? value * 1_000 : value, zone)
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return value ? words.names.yes : words.names.no
  if (value === null) return words.names.none
  if (Array.isArray(value)) return value.map((one) => plainText('', one, zone)).join(', ')
  return Object.entries(Object(value) as object)
    .map(([name, one]) => `${name}: ${plainText(name, one, zone)}`)
    .join(', ')
}

/** MILD, MODERATE and SEVERE are the usual ones; any other upper-case label may come. */
export function severityWord(severity: string): string {
  const known: Readonly<Record<string, string>> = words.names.severities
  return Object.hasOwn(known, severity)
    ? (known[severity] ?? severity)
    : severity.toLowerCase().replaceAll('_', ' ')
}
