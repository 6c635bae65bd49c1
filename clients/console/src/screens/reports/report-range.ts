// The days of a report: so many of the zone, the last of them today. The address has how many.
import { startOfDay } from '../../format/zone-calendar.ts'
import type { TimeRange } from '../charts/time-range.ts'

export type ReportRange = TimeRange & { days: number }

/** The number of days in the address, where the report offers it. */
export function daysIn(query: URLSearchParams, offered: readonly number[], usual: number): number {
  return offered.find((days) => String(days) === query.get('days')) ?? usual
}

/** From the first instant of the first day; `toMs` is the first instant of tomorrow. */
export function lastDays(days: number, nowMs: number, zone: string): ReportRange {
  return { days, fromMs: startOfDay(nowMs, zone, 1 - days), toMs: startOfDay(nowMs, zone, 1) }
}

/** As the service takes it, which counts both ends in. */
export const asQuery = ({ fromMs, toMs }: TimeRange) => ({ from: fromMs, to: toMs - 1 })

/** The first instant of each day. */
export function startsOfDays({ days, fromMs }: ReportRange, zone: string): number[] {
  return Array.from({ length: days }, (_, index) => startOfDay(fromMs, zone, index))
}
