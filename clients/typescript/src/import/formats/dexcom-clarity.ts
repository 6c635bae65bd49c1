// The CSV export of Dexcom Clarity. Its first rows are about the person and the devices; then each row is an event. Times are local.
import { headOf } from '../file-text.ts'
import type { Findings, GlucoseUnit, ReadFormat } from '../import-contract.ts'
import { damaged } from '../import-error.ts'
import { type Row, rowsOf } from '../lines.ts'
import { createZone, NO_TIME, NOT_ONE_INSTANT, utcOf } from '../local-time.ts'
import { importedFrom } from '../source-text.ts'
import { type CsvHead, decimalOf, findHeader, glucoseUnitOf, NO_VALUE, noNumber } from './csv-head.ts'

const TIME = 1
const EVENT = 2
const PERSON = 4
const DEVICE = 6
const VALUE = 7
const TRANSMITTER = 13

/** EGW: as the German export has it. */
const READING_TYPES: Record<string, string> = {
  EGV: 'interstitialGlucose',
  EGW: 'interstitialGlucose',
  Calibration: 'bloodGlucose',
  Kalibrierung: 'bloodGlucose',
}
/** The sensor measures 40 to 400 mg/dL; beyond, the file has a word, and a reading the next number, as in Nightscout. */
const BEYOND = {
  low: { 'mg/dL': 39, 'mmol/L': 2.1 },
  high: { 'mg/dL': 401, 'mmol/L': 22.3 },
} as const
/** In which row a name of the person stands. */
const NAMES = new Set(['FirstName', 'LastName'])
/** Rows about the person and the settings. */
const NO_EVENTS = new Set([...NAMES, 'DateOfBirth', 'Device', 'Alert'])

export function clarityHead(head: string): CsvHead | undefined {
  return findHeader(
    head,
    (cells) =>
      /\(\S{4}-\S\S-\S\ST?\s?hh:mm:ss\)$/i.test(cells[TIME] ?? '') &&
      glucoseUnitOf(cells[VALUE]) !== undefined,
  )
}

type Place = { unit: GlucoseUnit | undefined; instantOf: (utc: number) => number | undefined }

export const readDexcomClarity: ReadFormat = async (input, found) => {
  const head = clarityHead(await headOf(input.text(), 65_536))
  if (!head) throw damaged('The header of the file is missing. Export it again.')
  const { timeZone } = input.options
  if (timeZone === undefined) input.need('timeZone')
  const instantOf = timeZone === undefined ? (utc: number) => utc : createZone(timeZone)
  const unit = glucoseUnitOf(head.header[VALUE])
  let isBelow = false
  const names: string[] = []
  for await (const rows of rowsOf(input.text(), head.divider)) {
    for (const row of rows) {
      if (isBelow) {
        if (NAMES.has(row.cells[EVENT]?.trim() ?? '')) names.push(row.cells[PERSON]?.trim() ?? '')
        input.wrote('writtenTime', row.cells[TIME] ?? '')
        takeRow(row, { unit, instantOf }, found)
      } else isBelow = row.cells[TIME]?.trim() === head.header[TIME]
    }
  }
  input.wrote('writtenName', names.join(' '))
}

function takeRow({ cells, line }: Row, { unit, instantOf }: Place, found: Findings) {
  const event = cells[EVENT]?.trim() ?? ''
  const readingType = Object.hasOwn(READING_TYPES, event) ? READING_TYPES[event] : undefined
  const time = cells[TIME]?.trim() ?? ''
  if (readingType === undefined) {
    // Where the words are of another language, such rows have no time.
    if (!NO_EVENTS.has(event) && time !== '') found.notUnderstood(event || 'Event without a type')
    return
  }
  const cell = cells[VALUE]?.trim() ?? ''
  if (cell === '') return found.skipped(NO_VALUE, `line ${line}`)
  const outOfRange = readingType === 'interstitialGlucose' ? sideOf(cell) : undefined
  const value = outOfRange && unit ? BEYOND[outOfRange][unit] : decimalOf(cell)
  if (value === undefined) return found.skipped(noNumber(cell), `line ${line}: ${time} ${cell}`)
  const utc = timeIn(time)
  if (utc === undefined) return found.skipped(NO_TIME, `line ${line}`)
  const timestamp = instantOf(utc)
  if (timestamp === undefined) return found.skipped(NOT_ONE_INSTANT, `line ${line}: ${time}`)
  const device = { name: cells[DEVICE], serial: cells[TRANSMITTER] }
  const source = importedFrom({ device, app: { name: 'Dexcom Clarity' } })
  const note = outOfRange === undefined ? {} : { outOfRange }
  found.reading({ readingType, timestamp, value, unit, ...note, source }, line)
}

function sideOf(cell: string): 'low' | 'high' | undefined {
  const word = cell.toLowerCase()
  return word === 'low' || word === 'high' ? word : undefined
}

function timeIn(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d):(\d\d)$/.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  return utcOf({ year, month, day, hour, minute, second })
}
