// The CSV export of LibreView. Record types: 0 history of the sensor, 1 scan of the sensor, 2 test strip, 3 ketone, 4 insulin, 5 food,
// 6 notes and changes of the clock. Times are those of the device; the order of day and month depends on the country.
import { headOf } from '../file-text.ts'
import type { Findings, Input, ReadFormat } from '../import-contract.ts'
import { damaged } from '../import-error.ts'
import { type Row, rowsOf } from '../lines.ts'
import { createZone, NO_TIME, NOT_ONE_INSTANT, utcOf } from '../local-time.ts'
import { importedFrom } from '../source-text.ts'
import { type CsvHead, decimalOf, findHeader, glucoseUnitOf, NO_VALUE, noNumber } from './csv-head.ts'

const DEVICE = 0
const SERIAL = 1
const TIME = 2
const RECORD_TYPE = 3
/** In the first row: who made the export. */
const NAME_ABOVE = 4

type Kind = { readingType: string; column: number }

const KINDS: Record<string, Kind> = {
  0: { readingType: 'interstitialGlucose', column: 4 },
  1: { readingType: 'interstitialGlucose', column: 5 },
  2: { readingType: 'bloodGlucose', column: 14 },
  3: { readingType: 'bloodKetone', column: 15 },
}
const OTHERS: Record<string, string> = { 4: 'Insulin', 5: 'Food', 6: 'Notes and changes of the clock' }

export function libreViewHead(head: string): CsvHead | undefined {
  return findHeader(head, (cells) => Object.values(KINDS).every(({ column }) => glucoseUnitOf(cells[column])))
}

type Order = 'day' | 'month'
type Place = { head: CsvHead; isDayFirst: boolean; instantOf: (utc: number) => number | undefined }

export const readLibreView: ReadFormat = async (input, found) => {
  const head = libreViewHead(await headOf(input.text(), 65_536))
  if (!head) throw damaged('The header of the file is missing. Export it again.')
  const { timeZone } = input.options
  if (timeZone === undefined) input.need('timeZone')
  const instantOf = timeZone === undefined ? (utc: number) => utc : createZone(timeZone)
  const isDayFirst = (await orderOf(input, head)) === 'day'
  input.wrote('writtenName', head.above[0]?.[NAME_ABOVE] ?? '')
  let isBelow = false
  for await (const rows of rowsOf(input.text(), head.divider)) {
    for (const row of rows) {
      if (isBelow) {
        input.wrote('writtenTime', row.cells[TIME] ?? '')
        takeRow(row, { head, isDayFirst, instantOf }, found)
      } else isBelow = isHeaderRow(row, head)
    }
  }
}

const isHeaderRow = ({ cells }: Row, { header }: CsvHead) => cells[TIME]?.trim() === header[TIME]

function takeRow({ cells, line }: Row, { head, isDayFirst, instantOf }: Place, found: Findings) {
  const recordType = cells[RECORD_TYPE]?.trim() ?? ''
  const kind = Object.hasOwn(KINDS, recordType) ? KINDS[recordType] : undefined
  if (!kind) return found.notUnderstood(OTHERS[recordType] ?? `Record type ${recordType || 'missing'}`)
  const cell = cells[kind.column]?.trim() ?? ''
  if (cell === '') return found.skipped(NO_VALUE, `line ${line}`)
  const value = decimalOf(cell)
  if (value === undefined) return found.skipped(noNumber(cell), `line ${line}: ${cells[TIME]} ${cell}`)
  const date = dateIn(cells[TIME] ?? '')
  const utc = date && utcIn(date, isDayFirst)
  if (utc === undefined) return found.skipped(NO_TIME, `line ${line}`)
  const timestamp = instantOf(utc)
  if (timestamp === undefined) return found.skipped(NOT_ONE_INSTANT, `line ${line}: ${cells[TIME]}`)
  const unit = glucoseUnitOf(head.header[kind.column])
  const source = importedFrom({
    device: { name: cells[DEVICE], serial: cells[SERIAL] },
    app: { name: 'LibreView' },
  })
  found.reading({ readingType: kind.readingType, timestamp, value, unit, source }, line)
}

type Parts = { numbers: [first: number, second: number, third: number]; clock: [number, number, number] }

function dateIn(text: string): Parts | undefined {
  const match =
    /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4}),?[ T](\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([AaPp])\.?[Mm]\.?)?$/.exec(
      text.trim(),
    )
  if (!match) return undefined
  const [, first, second, third, hour, minute, seconds = '0', half] = match
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return {
    numbers: [Number(first), Number(second), Number(third)],
    clock: [hours, Number(minute), Number(seconds)],
  }
}

function utcIn({ numbers: [first, second, third], clock }: Parts, isDayFirst: boolean): number | undefined {
  const [hour, minute, second_] = clock
  if (first > 31) return utcOf({ year: first, month: second, day: third, hour, minute, second: second_ })
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  return utcOf({ year: third, month, day, hour, minute, second: second_ })
}

/** What the dates themselves show decides; where they show nothing, what the caller says. */
async function orderOf(input: Input, head: CsvHead): Promise<Order> {
  const seen = new Set<Order>()
  let isOpen = false
  const look = (text: string) => {
    const [first = 0, second = 0] = dateIn(text)?.numbers ?? []
    if (first > 31) return false
    if (first > 12) seen.add('day')
    else if (second > 12) seen.add('month')
    else if (first !== second) return (isOpen = true)
    return false
  }
  // When the export was made stands above, with its zone behind it.
  for (const cell of head.above.flat()) look(cell.endsWith('UTC') ? cell.slice(0, -3) : cell)
  for await (const rows of rowsOf(input.text(), head.divider))
    for (const { cells } of rows) if (look(cells[TIME] ?? '')) input.wrote('writtenTime', cells[TIME] ?? '')
  if (seen.size > 1)
    throw damaged('In some of its dates the day stands first, in others the month. Export the file again.')
  const [order] = seen
  if (order) return order
  const { dayFirst } = input.options
  if (dayFirst === undefined && isOpen) input.need('dayFirst')
  return dayFirst ? 'day' : 'month'
}
