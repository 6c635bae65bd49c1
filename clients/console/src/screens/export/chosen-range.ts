// A range of whole days in a zone, in the address: from and to as dates, both included.
import { instantOfLocal, localInput } from '../../format/times.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'

/** Dates as an input of the type date has them; empty for open. */
export type DayRange = { from: string; to: string }
type InstantRange = { from: number | undefined; to: number | undefined }

const isDate = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

export function rangeIn(query: URLSearchParams, now: number, zone: string): DayRange {
  const [from, to] = [query.get('from'), query.get('to')]
  if (query.get('range') === 'all') return { from: '', to: '' }
  if (isDate(from) || isDate(to)) return { from: isDate(from) ? from : '', to: isDate(to) ? to : '' }
  return lastDays(30, now, zone)
}

export function lastDays(days: number, now: number, zone: string): DayRange {
  const to = dayOf(now, zone)
  return { from: laterBy(1 - days, to), to }
}

const dayOf = (at: number, zone: string) => localInput(at, zone).slice(0, 10)

/** By the calendar: days of the zone may have 23 or 25 hours. */
const laterBy = (days: number, date: string) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** From the first instant of the first day to the last millisecond of the last. */
export function instantsOf({ from, to }: DayRange, zone: string): InstantRange {
  const end = isDate(to) ? instantOfLocal(`${laterBy(1, to)}T00:00`, zone) : undefined
  return {
    from: isDate(from) ? instantOfLocal(`${from}T00:00`, zone) : undefined,
    to: end === undefined ? undefined : end - 1,
  }
}
