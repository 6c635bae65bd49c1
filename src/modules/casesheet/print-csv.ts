// Readings as CSV for people with a spreadsheet (RFC 4180: commas, CRLF, quotes where needed). The columns are fixed, since
// a stream knows nothing of what comes later. Nothing is lost: numbers of the catalogue's fields have a column each, and
// every other field stays, with its name and type, in the JSON of the last column. `unit` and `symptoms` are there to be
// read: the unit that is meant, also where the reading names none, and the symptoms in words; what was sent is in `other`.
//
// A spreadsheet takes a cell that begins like a formula for one, and readings come from strangers' devices. So such a cell
// gets an apostrophe in front, unless it is a plain number; a cell that begins with an apostrophe gets another. Taking one
// leading apostrophe away from each cell gives back what was there. Where spreadsheets divide cells at semicolons, quotes
// do not help: so no text of a reading stands in a cell with a semicolon before what could begin a formula.
import { CATALOGUE } from './catalogue.ts'
import { type PrintReadings, printLines } from './print-readings.ts'

const GIVEN = ['patientUid', 'readingType', 'timestamp', 'measuredAt', 'receivedAt', 'readingId'] as const
const QUANTITIES = [
  ...new Set(Object.values(CATALOGUE).flatMap(({ quantities }) => Object.keys(quantities))),
].filter((name) => name !== 'value')

const COLUMNS = [...GIVEN, 'value', 'unit', ...QUANTITIES, 'symptoms', 'other']

/** With the mark by which spreadsheets know UTF-8: without it Excel garbles every name that is not English. */
export const CSV_HEAD = `\ufeff${COLUMNS.join()}\r\n`

/** A row for each reading, made of the very objects that the JSON answer holds. */
export const printCsv: PrintReadings = (listed, count, patientUid) => {
  const { text, last } = printLines(listed, count, patientUid)
  if (count === 0) return { text, last }
  const rows = text.split('\n').map((line) => printCsvRow(JSON.parse(line) as object))
  return { text: rows.join(''), last }
}

export function printCsvRow(stored: object): string {
  const reading: Record<string, unknown> = { ...stored }
  const cells = GIVEN.map((name) => take(reading, name))
  cells.push(takeNumber(reading, 'value'), unitMeant(cells[1] ?? '', reading['unit']))
  for (const name of QUANTITIES) cells.push(takeNumber(reading, name))
  cells.push(symptomsInWords(reading['symptoms']), otherFields(reading))
  return `${cells.map(printCell).join()}\r\n`
}

function take(reading: Record<string, unknown>, name: string): string {
  const value = reading[name]
  delete reading[name]
  return String(value)
}

/** Only numbers leave the JSON for a column of their own: a text "72" must not come back as the number 72. */
function takeNumber(reading: Record<string, unknown>, name: string): string {
  return typeof reading[name] === 'number' ? take(reading, name) : ''
}

function unitMeant(readingType: string, unit: unknown): string {
  if (unit === undefined)
    return Object.hasOwn(CATALOGUE, readingType) ? (CATALOGUE[readingType]?.units[0] ?? '') : ''
  return typeof unit === 'string' && !/[;\p{Cc}]/u.test(unit) ? unit : ''
}

function symptomsInWords(symptoms: unknown): string {
  if (!Array.isArray(symptoms)) return ''
  return symptoms
    .map((entry: unknown) => `${Object(entry).symptom} (${Object(entry).severity})`)
    .join(', ')
    .replace(/[;\p{Cc}\u2028\u2029]+/gu, ' ')
}

function otherFields(reading: Record<string, unknown>): string {
  const json = JSON.stringify(reading)
  // In JSON a semicolon can only stand in a text, where its escape means the same.
  return json === '{}' ? '' : json.replace(/;(?=\s*[=+\-@＝＋－＠])/g, '\\u003b')
}

const FORMULA_OR_APOSTROPHE = /^(\s*[=+\-@＝＋－＠]|[\t\r\n'])/
const PLAIN_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

function printCell(content: string): string {
  const cell = FORMULA_OR_APOSTROPHE.test(content) && !PLAIN_NUMBER.test(content) ? `'${content}` : content
  return /[",;\s]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
