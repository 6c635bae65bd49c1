// Readings as CSV for people with a spreadsheet (RFC 4180: commas, CRLF, quotes where needed). The columns are fixed, since
// a stream knows nothing of what comes later. Nothing is lost: numbers of the catalogue's fields have a column each, and
// every other field stays, with its name and type, in the JSON of the last column. `unit`, `symptoms`, `sourceKind` and
// `sourceDevice` are there to be read and filtered by: the unit that is meant, also where the reading names none, the
// symptoms in words, and the kind and the device's name of its source; what was sent is in `other`.
//
// A spreadsheet takes a cell that begins like a formula for one, and readings come from strangers' devices. So a text that
// does gets an apostrophe in front, and one that begins with an apostrophe gets another. Taking one leading apostrophe away
// from each cell gives back what was there. Numbers stay numbers, also below zero. Where spreadsheets divide cells at
// semicolons, quotes do not help: so no text of a reading stands in a cell with a semicolon before what could begin a
// formula. And some programs end a line at more than CR and LF, even within quotes; so none of those characters stands in
// any cell: in JSON its escape means the same, and in words a space does.
import { CATALOGUE } from '../catalogue/catalogue.ts'
import type { PrintPage } from './print-page.ts'
import { printReading, readingsIn } from './print-readings.ts'

const GIVEN = ['patientUid', 'readingType', 'timestamp', 'measuredAt', 'receivedAt', 'readingId']
const QUANTITIES = [
  ...new Set(Object.values(CATALOGUE).flatMap(({ quantities }) => Object.keys(quantities))),
].filter((name) => name !== 'value')
const COLUMNS = [...GIVEN, 'value', 'unit', ...QUANTITIES, 'symptoms', 'sourceKind', 'sourceDevice', 'other']
const IS_GIVEN: ReadonlySet<string> = new Set(GIVEN)
const IS_QUANTITY: ReadonlySet<string> = new Set(['value', ...QUANTITIES])

/** With the mark by which spreadsheets know UTF-8: without it Excel garbles every name that is not English. */
export const CSV_HEAD = `\ufeff${COLUMNS.join()}\r\n`

/** A row for each reading, made of the very objects that the JSON answer holds. */
export const printCsv: PrintPage = ({ text, count }, patientUid, { before, after }) => {
  const patient = JSON.stringify(patientUid)
  const objects = readingsIn(text, count).map((reading) => JSON.parse(printReading(reading, patient)))
  return Buffer.from(before + objects.map(printCsvRow).join('') + after)
}

export function printCsvRow(reading: Record<string, unknown>): string {
  let row = ''
  for (const name of GIVEN) row += `${printCell(String(reading[name]))},`
  row += `${numberOf(reading['value'])},${printCell(unitMeant(reading))},`
  for (const name of QUANTITIES) row += `${numberOf(reading[name])},`
  row += `${printCell(symptomsInWords(reading['symptoms']))},`
  for (const text of sourceInWords(reading['source'])) row += `${printCell(text)},`
  return `${row}${printCell(otherFields(reading))}\r\n`
}

/** Only numbers leave the JSON for a column of their own: a text "72" must not come back as the number 72. */
function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

function hasColumn(name: string, value: unknown): boolean {
  return (typeof value === 'number' && IS_QUANTITY.has(name)) || IS_GIVEN.has(name)
}

function unitMeant({ readingType, unit }: Record<string, unknown>): string {
  if (typeof unit === 'string') return /[;\p{Cc}\u2028\u2029]/u.test(unit) ? '' : unit
  const type = String(readingType)
  return unit === undefined && Object.hasOwn(CATALOGUE, type) ? (CATALOGUE[type]?.units[0] ?? '') : ''
}

function symptomsInWords(symptoms: unknown): string {
  if (!Array.isArray(symptoms)) return ''
  // A type that is not in the catalogue may have a field of this name that holds anything.
  return symptoms
    .map((entry: unknown) => Object(entry) as Record<string, unknown>)
    .filter(({ symptom, severity }) => typeof symptom === 'string' && typeof severity === 'string')
    .map(({ symptom, severity }) => `${symptom as string} (${severity as string})`)
    .join(', ')
    .replace(NOT_IN_WORDS, ' ')
}

/** Its kind and the name of its device. A reading stored before `source` was checked may hold anything there. */
function sourceInWords(source: unknown): [kind: string, device: string] {
  const { kind, device }: { kind?: unknown; device?: unknown } = Object(source)
  const { name }: { name?: unknown } = Object(device)
  return [inWords(kind), inWords(name)]
}

function inWords(text: unknown): string {
  return typeof text === 'string' ? text.replace(NOT_IN_WORDS, ' ') : ''
}

const NOT_IN_WORDS = /[;\p{Cc}\u2028\u2029]+/gu

function otherFields(reading: Record<string, unknown>): string {
  let fields: Record<string, unknown> | undefined
  for (const name of Object.keys(reading)) {
    if (!hasColumn(name, reading[name])) (fields ??= {})[name] = reading[name]
  }
  // In JSON these can only stand in a text, where their escapes mean the same. Below U+0020 all are escaped already.
  return fields
    ? JSON.stringify(fields).replace(LINE_END, escaped).replace(SEMICOLON_OF_FORMULA, escaped)
    : ''
}

const LINE_END = /[\u0085\u2028\u2029]/g
const SEMICOLON_OF_FORMULA = /;\s*[=+\-@＝＋－＠]/g

/** With an escape in place of its first character. */
function escaped(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`
}

const FORMULA_OR_APOSTROPHE = /^(\s*[=+\-@＝＋－＠]|[\t\r\n'])/

function printCell(content: string): string {
  const cell = FORMULA_OR_APOSTROPHE.test(content) ? `'${content}` : content
  return /[",;\s]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell
}
