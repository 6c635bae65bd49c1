// Observations as JSON. Nearly all readings hold nothing but the numbers of their type; all of one type have the same JSON
// but for a few texts and these numbers. So it is made once by way of the mapping, from a sample whose texts and numbers can
// be found again in it, and only these are filled in: a quarter of the time of making and printing each one.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { Observation } from '../resources.ts'
import { dateOf, isInSeconds } from '../time/effective-time.ts'
import { type IdentifiedReading, type ParsedReading, readingOf } from './listed-readings.ts'
import { patientReference } from './patient-reference.ts'
import { storedObservation } from './stored-observation.ts'

/** The JSON, and what a search looks at. */
export type Printed = { text: string; about: Pick<Observation, 'status' | 'code' | 'category'> }

/** Prints readings of one patient. */
export function observationPrinter(patientUid: string): (one: IdentifiedReading) => Printed {
  const subject = JSON.stringify(patientReference(patientUid))
  return (one) => {
    const { id, readingId, updatedAt } = one
    const template = templateFor(one)
    const date = template && plainDateOf(one)
    if (!template || date === undefined) {
      const observation = storedObservation({
        reading: readingOf(one, patientUid),
        id,
        readingId,
        updatedAt,
      })
      return { text: JSON.stringify(observation), about: observation }
    }
    const fill: Record<Text, string> = { id, readingId, updatedAt, subject, date }
    let text = template.first
    for (const { name, isText, following } of template.rest) {
      text += isText ? fill[name as Text] : String(one.fields[name])
      text += following
    }
    return { text, about: template.about }
  }
}

const SECONDS_END = 19

/** The date of a reading without an offset: cut from what the database printed, and undefined where it needs more than its text. */
function plainDateOf({ timestamp, measuredAt }: ParsedReading): string | undefined {
  if (!Number.isInteger(timestamp)) {
    const { text, extension } = dateOf(timestamp)
    return extension ? undefined : text
  }
  if (!isInSeconds(timestamp)) return instantFrom(measuredAt, 6)
  return `${measuredAt.slice(0, 10)}T${measuredAt.slice(11, SECONDS_END)}Z`
}

type Text = 'id' | 'readingId' | 'updatedAt' | 'subject' | 'date'

/** A text or a number of the reading, and what follows it. */
type Part = { name: string; isText: boolean; following: string }

type Template = { first: string; rest: Part[]; about: Printed['about'] }

const MAX_TEMPLATES = 1_000
const templates = new Map<string, Template>()

/** The template of a reading that holds nothing but numbers of its type and one of its units; undefined for any other. */
function templateFor({ readingType, fields }: ParsedReading): Template | undefined {
  const type = Object.hasOwn(CATALOGUE, readingType) ? CATALOGUE[readingType] : undefined
  if (!type) return undefined
  let key = readingType
  for (const name in fields) {
    const value = fields[name]
    const isPlain =
      name === 'unit'
        ? type.units.some((unit) => unit === value)
        : typeof value === 'number' && Object.hasOwn(type.quantities, name)
    if (!isPlain) return undefined
    key += name === 'unit' ? ` unit=${String(value)}` : ` ${name}`
  }
  const known = templates.get(key)
  if (known || templates.size >= MAX_TEMPLATES) return known
  const made = makeTemplate(readingType, fields)
  templates.set(key, made)
  return made
}

const SAMPLE = {
  id: 'sample-of-an-id',
  readingId: 'sample-of-a-reading-id',
  updatedAt: 'sample-of-an-update',
  patientUid: 'sample-of-a-patient',
  timestamp: 1_234_567_890,
}
const FIRST_NUMBER = 987_654_321.5

function makeTemplate(readingType: string, fields: ParsedReading['fields']): Template {
  const numbers = Object.keys(fields).filter((name) => name !== 'unit')
  const sampled = Object.fromEntries(numbers.map((name, index) => [name, FIRST_NUMBER + index]))
  const reading = {
    ...fields,
    ...sampled,
    patientUid: SAMPLE.patientUid,
    readingType,
    timestamp: SAMPLE.timestamp,
  }
  const observation = storedObservation({ ...SAMPLE, reading })
  const found = new Map<string, Omit<Part, 'following'>>([
    [SAMPLE.id, { name: 'id', isText: true }],
    [SAMPLE.readingId, { name: 'readingId', isText: true }],
    [SAMPLE.updatedAt, { name: 'updatedAt', isText: true }],
    [JSON.stringify(patientReference(SAMPLE.patientUid)), { name: 'subject', isText: true }],
    [dateOf(SAMPLE.timestamp).text, { name: 'date', isText: true }],
    ...numbers.map((name, index) => [String(FIRST_NUMBER + index), { name, isText: false }] as const),
  ])
  const pieces = divided(JSON.stringify(observation), [...found.keys()])
  const [first = ''] = pieces
  const rest: Part[] = []
  for (let at = 1; at < pieces.length; at += 2) {
    rest.push({ ...(found.get(pieces[at] ?? '') as Part), following: pieces[at + 1] ?? '' })
  }
  return { first, rest, about: observation }
}

/** What stands before, between and behind the marks, and the marks themselves in turn. */
function divided(text: string, marks: string[]): string[] {
  const places = marks.map((mark) => ({ mark, at: text.indexOf(mark) })).toSorted((a, b) => a.at - b.at)
  const pieces: string[] = []
  let start = 0
  for (const { mark, at } of places) {
    if (at === -1) throw new Error('The sample of an Observation does not show all that it was made of.')
    pieces.push(text.slice(start, at), mark)
    start = at + mark.length
  }
  return [...pieces, text.slice(start)]
}
