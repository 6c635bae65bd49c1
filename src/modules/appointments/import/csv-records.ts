// The doctors of a CSV file: a header line with the names of the fields, commas between columns, `;` between the items
// of a list. Spreadsheets write `;` between columns where the comma is the decimal sign: then `|` stands between items, or `;`
// within quotes, which is what such a spreadsheet makes of a file of the first kind. A comma never does: titles hold commas.
// An empty cell is a field that is not given.
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { DirectoryError } from './mistakes.ts'
import { DoctorRecord, type FileRecord } from './record.ts'

const LISTS = new Set(['specialities', 'qualifications', 'languages'])
const BATCH = 500
const MAX_RECORD_CHARACTERS = 100_000

type Parsed = { record: string[]; info: { lines: number } }

export async function* readCsvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord[]> {
  const { delimiter, texts } = await findDelimiter(utf8Of(chunks))
  const itemsEnd = delimiter === ';' ? /[;|]/ : ';'
  const parser = parse({
    delimiter,
    info: true,
    trim: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  })
  // An error on the way ends the parser, and with it the loop below.
  pipeline(Readable.from(texts), parser, () => {})
  let header: string[] | undefined
  let records: FileRecord[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (!header) {
        header = mustBeHeader(record)
        continue
      }
      records.push({ list: 'doctors', row: info.lines, value: doctorFrom(header, record, itemsEnd) })
      if (records.length < BATCH) continue
      yield records
      records = []
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new DirectoryError(`The file is not well-formed CSV: ${error.message}.`, { cause: error })
      : error
  }
  if (!header) throw new DirectoryError('The file is empty: its first line must name the columns.')
  yield records
}

/** By the header line: no name of a column holds either sign. */
async function findDelimiter(texts: AsyncGenerator<string>) {
  let start = ''
  while (!/[\r\n]/.test(start.trimStart()) && start.length <= MAX_RECORD_CHARACTERS) {
    const { done, value } = await texts.next()
    if (done) break
    start += value
  }
  const [header = ''] = start.trimStart().split(/[\r\n]/, 1)
  async function* all() {
    yield start
    yield* texts
  }
  return { delimiter: header.includes(';') && !header.includes(',') ? ';' : ',', texts: all() }
}

async function* utf8Of(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) yield mustBeUtf8(() => decoder.decode(chunk, { stream: true }))
  yield mustBeUtf8(() => decoder.decode())
}

function mustBeUtf8(decode: () => string): string {
  try {
    return decode()
  } catch (cause) {
    throw new DirectoryError('The file is not in UTF-8. Save it as "CSV UTF-8" in your spreadsheet.', {
      cause,
    })
  }
}

function mustBeHeader(columns: string[]): string[] {
  const unknown = columns.find((column) => !(column in DoctorRecord.properties))
  const doubled = columns.find((column, index) => columns.indexOf(column) !== index)
  const missing = DoctorRecord.required.find((field) => !columns.includes(field))
  const fault =
    (unknown !== undefined && `the column ${JSON.stringify(unknown)} is unknown`) ||
    (doubled !== undefined && `the column ${doubled} appears twice`) ||
    (missing !== undefined && `the column ${missing} is missing`)
  if (fault)
    throw new DirectoryError(
      `line 1: ${fault}. Columns may be ${Object.keys(DoctorRecord.properties).join(', ')}.`,
    )
  return columns
}

function doctorFrom(header: string[], cells: string[], itemsEnd: string | RegExp): Record<string, unknown> {
  const given = header.flatMap((field, index) => {
    const cell = cells[index] ?? ''
    return cell === '' ? [] : [[field, valueOf(field, cell, itemsEnd)] as const]
  })
  return { specialities: [], ...Object.fromEntries(given) }
}

/** What cannot be read as its field's type stays text, which the record's check then refuses. */
function valueOf(field: string, cell: string, itemsEnd: string | RegExp): unknown {
  if (LISTS.has(field)) return cell.split(itemsEnd).map((item) => item.trim())
  if (field === 'experienceYears' && /^-?\d{1,9}$/.test(cell)) return Number(cell)
  if (field === 'isActive' && /^(true|false)$/i.test(cell)) return /^true$/i.test(cell)
  return cell
}
