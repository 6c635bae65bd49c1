// Readings of blood pressure, each with its place in the day. A day begins at the time at which the morning does: what is measured after
// midnight belongs to the evening before.
import type { BloodPressureReport, RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { type Place, placeOf, type Range, rangesOf } from '../../care/in-target.ts'
import { DAY_MS, localMs, MINUTE_MS } from '../../format/zone-calendar.ts'

export type Pressure = {
  id: string
  atMs: number
  /** Minutes of the local clock since midnight. */
  minute: number
  /** What the local clock shows, as the instant at which a clock in UTC does. */
  local: number
  systolic: number
  diastolic: number
}

/** The only one of the type. */
export const UNIT = 'mm[Hg]'
/** So many are drawn, the newest: more would be one blot. */
const MAX = 1_000
const PAGE = 500

type Asked = { patientUid: string; from: number; to: number; zone: string }

export async function loadPressures(
  rounds: RoundsClient,
  { patientUid, from, to, zone }: Asked,
  signal: AbortSignal,
): Promise<{ pressures: Pressure[]; isCut: boolean }> {
  const query = { patientUid, readingType: ['bloodPressure'], from, to, order: 'desc' as const, limit: PAGE }
  const pressures: Pressure[] = []
  for await (const reading of rounds.eachReading(query, { signal })) {
    if (pressures.length === MAX) return { pressures, isCut: true }
    pressures.push(...pressureOf(reading, zone))
  }
  return { pressures, isCut: false }
}

function pressureOf(reading: StoredReading, zone: string): Pressure[] {
  const { systolic, diastolic } = reading
  if (typeof systolic !== 'number' || typeof diastolic !== 'number') return []
  const atMs = Date.parse(reading.measuredAt)
  const local = localMs(atMs, zone)
  const minute = Math.floor((((local % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS)
  return [{ id: reading.readingId, atMs, minute, local, systolic, diastolic }]
}

export const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** How long after the start of the morning. */
export const sinceMorning = (
  { minute }: Pick<Pressure, 'minute'>,
  { morning }: Pick<BloodPressureReport, 'morning'>,
) => (minute - minuteOf(morning.from) + 1_440) % 1_440

export type PartOfDay = 'morning' | 'evening' | 'between'

export function partOf(pressure: Pressure, figures: BloodPressureReport): PartOfDay {
  const since = sinceMorning(pressure, figures)
  const after = (time: string) => sinceMorning({ minute: minuteOf(time) }, figures)
  if (since < after(figures.morning.before)) return 'morning'
  return since >= after(figures.evening.from) ? 'evening' : 'between'
}

/** The day that a reading belongs to, as the instant at which it begins for a clock in UTC. */
export const dayOf = ({ local }: Pressure, { morning }: BloodPressureReport) =>
  Math.floor((local - minuteOf(morning.from) * MINUTE_MS) / DAY_MS) * DAY_MS

export type Side = Exclude<Place, 'in'>

/** Of the two pressures; that of a pulse is none of them. */
export const targetRanges = ({ target }: BloodPressureReport): Range[] =>
  target === null ? [] : rangesOf(target, undefined).filter(({ field }) => field !== 'pulse')

/** On which side of the target a value is; nothing where it is in target, or where there is none. */
export function sideOf(
  pressure: Pressure,
  name: 'systolic' | 'diastolic',
  ranges: readonly Range[],
): Side | undefined {
  const range = ranges.find(({ field }) => field === name)
  const place = range ? placeOf(pressure[name], UNIT, range) : 'in'
  return place === 'in' ? undefined : place
}

/** Of a reading: above where either of its pressures is. */
export function sideOfPressure(pressure: Pressure, ranges: readonly Range[]): Side | undefined {
  const sides = (['systolic', 'diastolic'] as const).map((field) => sideOf(pressure, field, ranges))
  return sides.find((side) => side === 'above') ?? sides.find((side) => side !== undefined)
}
