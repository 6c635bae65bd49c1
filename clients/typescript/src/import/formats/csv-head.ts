// What the exports of glucose sensors share: a header in the language of its owner, some rows below the top, with cells divided as
// that language does. Their columns stand in the same order in all languages, so they are found by their place.

const DIVIDERS = [',', ';', '\t'] as const
const HEADER_WITHIN = 5

export type CsvHead = { divider: string; header: string[]; above: string[][] }

/** The first of the first rows that is a header, by the cells that it has with one of the dividers. */
export function findHeader(head: string, isHeader: (cells: string[]) => boolean): CsvHead | undefined {
  const lines = head.split(/\r?\n/, HEADER_WITHIN)
  for (const divider of DIVIDERS) {
    const rows = lines.map((line) => line.split(divider).map((cell) => cell.replace(/^"|"$/g, '').trim()))
    const at = rows.findIndex(isHeader)
    const header = rows[at]
    if (header) return { divider, header, above: rows.slice(0, at) }
  }
  return undefined
}

/** The unit at the end of a header's cell, with or without brackets. */
export function glucoseUnitOf(cell: string | undefined): 'mg/dL' | 'mmol/L' | undefined {
  const [, unit] = /(?:^|[\s(])(mg\/dl|mmol\/l)\)?$/i.exec(cell ?? '') ?? []
  if (unit === undefined) return undefined
  return unit.toLowerCase() === 'mg/dl' ? 'mg/dL' : 'mmol/L'
}

/** A number, with a point or a comma before its decimals; no text such as "Low". */
export function decimalOf(cell: string): number | undefined {
  return /^\d{1,6}(?:[.,]\d{1,9})?$/.test(cell) ? Number(cell.replace(',', '.')) : undefined
}

/** Why a value that is no number is left out. */
export function noNumber(cell: string): string {
  if (/^low?$/i.test(cell))
    return 'Low: it was below what the sensor measures. Rounds keeps numbers only, so it will not be in the record.'
  if (/^hi(?:gh)?$/i.test(cell))
    return 'High: it was above what the sensor measures. Rounds keeps numbers only, so it will not be in the record.'
  return 'Its value is a word, and no number.'
}

export const NO_VALUE = 'It holds no value.'
