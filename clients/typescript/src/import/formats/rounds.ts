// What Rounds itself exports: CSV with a fixed set of columns, and a line of JSON for each reading. The readings come back as they
// are, with their own source, so that an export brought into the record that it came from stores nothing.
import type { Findings, FoundReading, ReadFormat } from '../import-contract.ts'
import { faultOfJson, isExact } from '../json-text.ts'
import { linesOf, type Row, rowsOf } from '../lines.ts'

// There to be read by people; `other` holds what was sent.
const IN_WORDS = new Set(['unit', 'symptoms', 'sourceKind', 'sourceDevice', 'other'])
const GIVEN = ['readingId', 'measuredAt', 'receivedAt']
const TEXTS = new Set(['patientUid', 'readingType', ...GIVEN])

const OF_ANOTHER = 'It is a reading of another patient.'
const WITHDRAWN = 'It was withdrawn, because it was entered in error.'
const NO_READING = 'It is no whole reading with readingType and timestamp.'

type Fields = Record<string, unknown>

export const readRoundsNdjson: ReadFormat = async ({ text: pieces, options: { patientUid } }, found) => {
  for await (const lines of linesOf(pieces())) {
    for (const { text, line } of lines) {
      if (text.trim() === '') continue
      const fault = faultOfJson(text)
      if (fault !== undefined) found.skipped(fault, `line ${line}`)
      else takeReading(parsed(text), { line, patientUid, found })
    }
  }
}

export const readRoundsCsv: ReadFormat = async ({ text, options: { patientUid } }, found) => {
  let header: string[] | undefined
  for await (const rows of rowsOf(text(), ',')) {
    for (const row of rows) {
      if (header === undefined) header = row.cells
      else takeReading(fieldsOf(header, row), { line: row.line, patientUid, found })
    }
  }
}

/** One leading apostrophe is taken away from each cell, and all but texts are numbers, as docs/api.md says. */
function fieldsOf(header: string[], { cells }: Row): Fields | undefined {
  if (cells.length !== header.length) return undefined
  const fields: Fields = {}
  for (const [at, name] of header.entries()) {
    const cell = (cells[at] ?? '').replace(/^'/, '')
    if (cell === '' || IN_WORDS.has(name)) continue
    if (TEXTS.has(name)) fields[name] = cell
    else if (/^-?\d/.test(cell) && Number.isFinite(Number(cell)) && isExact(cell)) fields[name] = Number(cell)
    else return undefined
  }
  const other = (cells[header.indexOf('other')] ?? '').replace(/^'/, '')
  if (other === '') return fields
  const rest = faultOfJson(other) === undefined ? parsed(other) : undefined
  return rest && { ...fields, ...rest }
}

type Place = { line: number; patientUid: string; found: Findings }

function takeReading(fields: Fields | undefined, { line, patientUid, found }: Place) {
  const example = `line ${line}`
  if (!isReading(fields)) return found.skipped(NO_READING, example)
  const { patientUid: named, withdrawn, ...reading } = fields
  if (named !== undefined && named !== patientUid) return found.skipped(OF_ANOTHER, example)
  if (withdrawn !== undefined) return found.skipped(WITHDRAWN, example)
  for (const name of GIVEN) delete reading[name]
  found.reading(reading, line)
}

function isReading(fields: Fields | undefined): fields is FoundReading & Fields {
  return typeof fields?.['readingType'] === 'string' && Number.isFinite(fields['timestamp'])
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined
  } catch {
    return undefined
  }
}
