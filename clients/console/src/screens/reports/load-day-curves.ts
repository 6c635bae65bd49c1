// The days one by one, from the lowest and the highest of each hour.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { asDisplayed } from '../../care/in-target.ts'
import { converted } from '../../format/units.ts'
import { startOfDay } from '../../format/zone-calendar.ts'
import { loadStatistics } from '../../statistics/load-statistics.ts'
import { type ReportRange, startsOfDays } from './report-range.ts'

type Hour = { startMs: number; endMs: number; min: number; max: number }
export type DayCurve = { startMs: number; endMs: number; hours: Hour[] }

/** As many as fit on a page. */
const MAX_DAYS = 14

type Asked = { patientUid: string; range: ReportRange; unit: string; zone: string }

export async function loadDayCurves(
  rounds: RoundsClient,
  { patientUid, range, unit, zone }: Asked,
  signal: AbortSignal,
): Promise<DayCurve[]> {
  const days = Math.min(range.days, MAX_DAYS)
  const shown = { days, fromMs: startOfDay(range.toMs - 1, zone, 1 - days), toMs: range.toMs }
  const asked = {
    patientUid,
    readingType: 'interstitialGlucose',
    range: shown,
    bucket: 'hour' as const,
    zone,
  }
  const { buckets, units } = await loadStatistics(rounds, asked, signal)
  const stored = units['value'] ?? unit
  const inUnit = (value: number) => asDisplayed(converted(value, stored, unit), unit)
  const hours = buckets.flatMap(({ startMs, endMs, fields: { value } }) =>
    value === undefined ? [] : [{ startMs, endMs, min: inUnit(value.min), max: inUnit(value.max) }],
  )
  const starts = startsOfDays(shown, zone)
  return starts.map((startMs, index) => {
    const endMs = starts[index + 1] ?? shown.toMs
    return { startMs, endMs, hours: hours.filter((hour) => hour.startMs >= startMs && hour.startMs < endMs) }
  })
}
