// What the summaries of patients must be, worked out from every reading anew, without the statements of the service: local days by Intl, units
// by their definitions, and everything else by plain loops.
import { CATALOGUE } from '../../src/modules/casesheet/catalogue/catalogue.ts'
import { runSql } from '../support/harness.ts'

const MINUTE_US = 60_000_000
const AHEAD_US = 5 * MINUTE_US
const QUARTER_US = 15 * MINUTE_US
const DAY_US = 24 * 60 * MINUTE_US
const KEPT = 30
const SUMMED = 14
/** Of the preset sensor-glucose. */
const OUTER: Record<string, readonly [number, number]> = { 'mg/dL': [54, 250], 'mmol/L': [3, 13.9] }
const DIGITS: Record<string, number> = {
  'mmol/L': 1,
  Cel: 1,
  '[degF]': 1,
  kg: 1,
  '[lb_av]': 1,
  cm: 1,
  '[in_i]': 1,
}
/** In this order of operations, which decides the last digit of numbers that no device sends. */
const CONVERSIONS: Record<string, (value: number) => number> = {
  'mg/dL mmol/L': (value) => value * (1 / 18.0156),
  'mmol/L mg/dL': (value) => value * (1 / (1 / 18.0156)),
  '[degF] Cel': (value) => (value - 32) * (5 / 9),
  'Cel [degF]': (value) => value * (1 / (5 / 9)) + 32,
  'g kg': (value) => value * 0.001,
  'kg g': (value) => value * (1 / 0.001),
  '[lb_av] kg': (value) => value * 0.45359237,
  'kg [lb_av]': (value) => value * (1 / 0.45359237),
  'g [lb_av]': (value) => value * (0.001 / 0.45359237),
  '[lb_av] g': (value) => value * (0.45359237 / 0.001),
}
export const OWN_TYPES = ['symptom', ...Object.keys(CATALOGUE)]

/** Times are in microseconds since 1970, as the database keeps them. */
type Reading = {
  patient_uid: string
  at: number
  received: number
  reading_id: string
  reading_type: string
  details: Record<string, unknown>
}
type Target = {
  patient_uid: string
  reading_type: string
  field: string
  low: number | null
  high: number | null
  below: number | null
  unit: string
  preset: string | null
}
type Zone = { patient_uid: string; time_zone: string }
export type Rows = Map<string, string>

const US = (column: string) => `(extract(epoch from ${column}) * 1000000)::float8`

/** What must be stored at this time, by key, of everybody for whom summaries are kept. */
export async function expectedRows(url: string, now: number): Promise<Rows> {
  const zones = await runSql<Zone>(url, 'select patient_uid, time_zone from care.patient_zones order by 1, 2')
  const readings = await runSql<Omit<Reading, 'details'> & { details: string }>(
    url,
    `select patient_uid, ${US('measured_at')} as at, ${US('received_at')} as received, reading_id, reading_type, details::text as details
     from casesheet.readings
     where withdrawn_by is null
       and patient_uid in (select patient_uid from care.patient_zones)`,
  )
  const targets = await runSql<Target>(
    url,
    `select patient_uid, reading_type, field, low, high, below, unit, preset from casesheet.targets where state = 'set'`,
  )
  const typeOf = ({ reading_type }: { reading_type: string }) =>
    OWN_TYPES.includes(reading_type) ? reading_type : ''
  const keyOf = (row: { patient_uid: string; reading_type: string }) =>
    JSON.stringify([row.patient_uid, typeOf(row)])
  const readingsBy = Map.groupBy(
    readings.map((row) => ({ ...row, details: JSON.parse(row.details) as Reading['details'] })),
    keyOf,
  )
  const targetsBy = Map.groupBy(targets, keyOf)
  const rows: Rows = new Map()
  for (const { patient_uid, time_zone } of zones)
    for (const type of [...OWN_TYPES, '']) {
      const key = JSON.stringify([patient_uid, type])
      addRows(rows, {
        key: [patient_uid, time_zone, type],
        readings: readingsBy.get(key) ?? [],
        targets: targetsBy.get(key) ?? [],
        nowUs: now * 1_000,
      })
    }
  return rows
}

type OfType = { key: [string, string, string]; readings: Reading[]; targets: Target[]; nowUs: number }

function addRows(rows: Rows, { key, readings, targets, nowUs }: OfType) {
  const [, zone, type] = key
  const judge = judgeFor(type, targets)
  const today = dayOf(nowUs, zone)
  const current = readings.filter(({ at }) => at < nowUs + AHEAD_US)
  const ahead = least(readings.filter(({ at }) => at >= nowUs + AHEAD_US).map(({ at }) => at))
  const dated = Map.groupBy(current, ({ at }) => dayOf(at, zone))
  const days = [...dated]
    .filter(([day]) => day > today - KEPT)
    .map(([day, ofDay]) => ({ day, ...dayFrom(ofDay.map(judge)) }))
    .toSorted((a, b) => a.day - b.day)
  for (const { day, ...rest } of days)
    rows.set(JSON.stringify(['day', ...key, dateText(day)]), JSON.stringify(rest))

  const newest =
    type === ''
      ? undefined
      : current.toSorted((a, b) => a.at - b.at || (a.reading_id < b.reading_id ? -1 : 1)).at(-1)
  const hasTarget = targets.length > 0
  if (!hasTarget && days.length === 0 && newest === undefined && ahead === null) return
  const recent = days.filter(({ day }) => day > today - SUMMED && day <= today)
  const before = days.filter(({ day }) => day > today - 2 * SUMMED && day <= today - SUMMED)
  const kept = days.filter(({ day }) => day <= today)
  const sum = (
    of: typeof days,
    column: 'judged' | 'in_target' | 'below' | 'above' | 'far_below' | 'far_above',
  ) => of.reduce((total, day) => total + day[column], 0)
  const mask = (of: typeof days) =>
    Array.from({ length: KEPT }, (_, bit) =>
      of.some(({ day }) => day === today - (KEPT - 1 - bit)) ? '1' : '0',
    ).join('')
  const [farthest] = recent
    .filter(({ farthest_by }) => farthest_by !== null)
    .toSorted((a, b) => (b.farthest_by ?? 0) - (a.farthest_by ?? 0) || b.day - a.day)
  const judged = newest && judge(newest)
  const numbered = type === 'symptom' || type === '' ? undefined : judged
  const due = [days.length > 0 ? endOfDay(nowUs, zone) : null, ahead === null ? null : ahead - AHEAD_US + 1]
  rows.set(
    JSON.stringify(['summary', ...key]),
    JSON.stringify({
      // Without days, nobody reads of which day it is.
      made_on: days.length > 0 ? dateText(today) : null,
      due_at: least(due.filter((at) => at !== null)),
      has_target: hasTarget,
      has_goal: targets.some(({ preset }) => preset === 'sensor-glucose'),
      unit: shownUnitOf(type, targets),
      newest: numbered?.values ?? null,
      newest_at: newest?.at ?? null,
      newest_received: newest?.received ?? null,
      newest_sides: numbered?.sides ?? null,
      newest_is_outside: judged?.isOutside ?? false,
      last_at: newest?.at ?? greatest(days.map(({ last_at }) => last_at)),
      judged: sum(recent, 'judged'),
      in_target: sum(recent, 'in_target'),
      judged_before: sum(before, 'judged'),
      in_target_before: sum(before, 'in_target'),
      below: sum(recent, 'below'),
      above: sum(recent, 'above'),
      far_below: sum(recent, 'far_below'),
      far_above: sum(recent, 'far_above'),
      days: mask(kept),
      device_days: mask(kept.filter(({ from_devices }) => from_devices > 0)),
      outside_received: greatest(recent.flatMap(({ outside_received }) => outside_received ?? [])),
      farthest: farthest?.farthest ?? null,
      farthest_at: farthest?.farthest_at ?? null,
      farthest_side: farthest?.farthest_side ?? null,
    }),
  )
}

type Judged = ReturnType<ReturnType<typeof judgeFor>>

function dayFrom(readings: Judged[]) {
  const outside = readings.filter(({ isOutside }) => isOutside)
  const farthest = outside.toSorted(byDistance).at(-1)
  const fields = readings[0]?.values.length ?? 0
  const extremes = (of: (values: number[]) => number | null) =>
    Array.from({ length: fields }, (_, nth) => of(readings.flatMap(({ values }) => values[nth] ?? [])))
  const count = (is: (reading: Judged) => boolean) => readings.filter(is).length
  return {
    readings: readings.length,
    from_devices: count(({ isFromDevice }) => isFromDevice),
    last_at: greatest(readings.map(({ at }) => at)) ?? 0,
    judged: count(({ isJudged }) => isJudged),
    in_target: count(({ isJudged, isWithin }) => isJudged && isWithin),
    below: count(({ sides }) => sides[0] === -1),
    above: count(({ sides }) => sides[0] === 1),
    far_below: count(({ far }) => far[0] === -1),
    far_above: count(({ far }) => far[0] === 1),
    lowest: extremes(least),
    highest: extremes(greatest),
    outside_received: greatest(outside.map(({ received }) => received)),
    farthest: farthest?.values ?? null,
    farthest_at: farthest?.at ?? null,
    farthest_side: farthest?.side ?? null,
    farthest_by: farthest?.by ?? null,
  }
}

/** Of two that are as far outside, the later one; of two at the same time, the one with the greater numbers. */
function byDistance(a: Judged, b: Judged): number {
  const [first, second] = [a, b].map(({ by, at, side, values }) => [by, at, side, ...values])
  for (let index = 0; index < (first?.length ?? 0); index++) {
    const [left, right] = [first?.[index] ?? Infinity, second?.[index] ?? Infinity]
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

function judgeFor(type: string, targets: Target[]) {
  const { units = [], quantities = {} } = CATALOGUE[type] ?? {}
  const fields = Object.keys(quantities)
  const shownUnit = shownUnitOf(type, targets) ?? ''
  const hasGoal = targets.some(({ preset }) => preset === 'sensor-glucose')

  return ({ at, received, details }: Reading) => {
    const unit = details['unit'] ?? units[0]
    const own = units.find((known) => known === unit)
    const values = fields.map((field) => {
      const number = details[field]
      // Exponents of three digits are no numbers here.
      if (own === undefined || typeof number !== 'number' || /e[+-]\d{3}$/.test(String(number))) return null
      return quantities[field]?.unit === undefined ? inUnit(number, own, shownUnit) : number
    })
    const compared = fields.map((field, nth) => {
      const target = targets.find((one) => one.field === field)
      const value = values[nth] ?? null
      if (!target || value === null) return { side: null, far: null, by: null }
      const outer = hasGoal ? OUTER[shownUnit] : undefined
      const bounds = outer ? { low: outer[0], high: outer[1], below: null } : target
      const far = sideOf(value, bounds)
      const bound = (far === -1 ? bounds.low : (bounds.high ?? bounds.below)) ?? 0
      const by =
        far === 0 ? null : (far === -1 ? bound - value : value - bound) / Math.max(Math.abs(bound), 1e-9)
      return { side: sideOf(value, target), far, by }
    })
    const sides = compared.map(({ side }) => side)
    const by = greatest(compared.flatMap((one) => one.by ?? []))
    return {
      at,
      received,
      values,
      sides,
      far: compared.map(({ far }) => far),
      by,
      side: compared.find((one) => one.by !== null && one.by === by)?.far ?? null,
      isJudged: sides.some((side) => side !== null),
      isWithin: sides.every((side) => side === null || side === 0),
      isOutside: by !== null,
      isFromDevice: (details['source'] as { kind?: unknown } | undefined)?.kind === 'device',
    }
  }
}

export function inUnit(value: number, from: string, to: string): number {
  if (from === to) return value
  const convert = CONVERSIONS[`${from} ${to}`]
  if (!convert) throw new Error(`No conversion from ${from} to ${to}.`)
  const steps = 10 ** (DIGITS[to] ?? 0)
  return Math.floor(convert(value) * steps + 0.5) / steps
}

function sideOf(value: number, { low, high, below }: Pick<Target, 'low' | 'high' | 'below'>): -1 | 0 | 1 {
  if (low !== null && value < low) return -1
  return (high !== null && value > high) || (below !== null && value >= below) ? 1 : 0
}

const least = (values: number[]) =>
  values.reduce<number | null>((min, value) => (min === null || value < min ? value : min), null)
const greatest = (values: number[]) =>
  values.reduce<number | null>((max, value) => (max === null || value > max ? value : max), null)

const formats = new Map<string, Intl.DateTimeFormat>()
const days = new Map<string, number>()

/** The local date, in days since 1970. Clocks are put forward and back at quarters of an hour only. */
export function dayOf(us: number, zone: string): number {
  const quarter = Math.floor(us / QUARTER_US)
  const key = `${zone} ${quarter}`
  const known = days.get(key)
  if (known !== undefined) return known
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: 'numeric', day: 'numeric' })
  formats.set(zone, format)
  const parts = Object.fromEntries(
    format.formatToParts((quarter * QUARTER_US) / 1_000).map(({ type, value }) => [type, Number(value)]),
  )
  const day = Date.UTC(parts['year'] ?? 0, (parts['month'] ?? 1) - 1, parts['day']) / (DAY_US / 1_000)
  days.set(key, day)
  return day
}

/** When the local date changes next. */
export function endOfDay(us: number, zone: string): number {
  const today = dayOf(us, zone)
  let quarter = Math.floor(us / QUARTER_US)
  while (dayOf(quarter * QUARTER_US, zone) <= today) quarter++
  return quarter * QUARTER_US
}

function shownUnitOf(type: string, targets: readonly { unit: string }[]): string | null {
  const { units = [] } = CATALOGUE[type] ?? {}
  return targets.map(({ unit }) => unit).find((unit) => units.some((own) => own === unit)) ?? units[0] ?? null
}

const dateText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

const COLUMNS = {
  day: `readings, from_devices, ${US('last_at')} as last_at, judged, in_target, below, above, far_below, far_above, lowest, highest,
    ${US('outside_received')} as outside_received, farthest, ${US('farthest_at')} as farthest_at, farthest_side, farthest_by`,
  summary: `case when exists (
      select
      from care.summary_days
      where (summary_days.patient_uid, summary_days.time_zone, summary_days.reading_type)
        = (summaries.patient_uid, summaries.time_zone, summaries.reading_type)
    ) then made_on::text end as made_on, case when isfinite(due_at) then ${US('due_at')} end as due_at, has_target, has_goal, unit, newest,
    ${US('newest_at')} as newest_at, ${US('newest_received')} as newest_received, newest_sides, newest_is_outside, ${US('last_at')} as last_at,
    judged, in_target, judged_before, in_target_before, below, above, far_below, far_above, days::text as days,
    device_days::text as device_days, ${US('outside_received')} as outside_received, farthest, ${US('farthest_at')} as farthest_at, farthest_side`,
}

/** What is stored, by key. */
export async function storedRows(url: string): Promise<Rows> {
  const key = 'patient_uid, time_zone, reading_type'
  const read = (text: string) => runSql(url, text)
  const ofDays = await read(`select ${key}, date::text as date, ${COLUMNS.day} from care.summary_days`)
  const ofTypes = await read(`select ${key}, ${COLUMNS.summary} from care.summaries`)
  return new Map([
    ...ofDays.map(({ patient_uid, time_zone, reading_type, date, ...rest }): [string, string] => [
      JSON.stringify(['day', patient_uid, time_zone, reading_type, date]),
      JSON.stringify(rest),
    ]),
    ...ofTypes.map(({ patient_uid, time_zone, reading_type, ...rest }): [string, string] => [
      JSON.stringify(['summary', patient_uid, time_zone, reading_type]),
      JSON.stringify(rest),
    ]),
  ])
}

/** What differs, in words; nothing where all is as it must be. */
export function differences(stored: Rows, expected: Rows): string[] {
  const keys = new Set([...stored.keys(), ...expected.keys()])
  return [...keys].flatMap((key) => {
    const [is, must] = [stored.get(key), expected.get(key)]
    if (is === must) return []
    if (is === undefined) return [`${key} is not stored: ${must}`]
    if (must === undefined) return [`${key} is stored and must not be: ${is}`]
    const [one, other] = [JSON.parse(is), JSON.parse(must)] as Record<string, unknown>[]
    const columns = Object.keys(other ?? {}).filter(
      (name) => JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name]),
    )
    return columns.map(
      (name) => `${key} ${name} is ${JSON.stringify(one?.[name])}, must be ${JSON.stringify(other?.[name])}`,
    )
  })
}
