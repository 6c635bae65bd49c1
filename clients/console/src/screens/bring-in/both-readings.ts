import { longDateText } from '../../format/times.ts'

/** A date as it is written, such as 03-04-2026 or 3/4/26, read with the day first and with the month first. */
export function bothReadings(written: string): { dayFirst: string; monthFirst: string } | undefined {
  const [, first, second, year] = /(\d{1,2})[-./](\d{1,2})[-./](\d{4}|\d{2})(?!\d)/.exec(written) ?? []
  if (first === undefined || second === undefined || year === undefined) return undefined
  const [one, other, years] = [Number(first), Number(second), Number(year) + (year.length === 2 ? 2_000 : 0)]
  if (one < 1 || other < 1 || one > 12 || other > 12 || one === other) return undefined
  return { dayFirst: dateOf(years, other, one), monthFirst: dateOf(years, one, other) }
}

const dateOf = (year: number, month: number, day: number) =>
  longDateText(Date.UTC(year, month - 1, day), 'UTC')
