// A length of time as it is typed: an amount and its unit.
import { isoDurationMs, isoDurationText } from '../../format/iso-duration.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../format/zone-calendar.ts'

export const DURATION_UNITS = ['minutes', 'hours', 'days'] as const
export type DurationUnit = (typeof DURATION_UNITS)[number]

/** Nothing is typed while the amount is empty. */
export type TypedDuration = { amount: string; unit: DurationUnit }

const LENGTHS: Readonly<Record<DurationUnit, number>> = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS }

/** In the largest unit in which it is whole. */
export function typedDuration(iso: string): TypedDuration {
  const ms = isoDurationMs(iso)
  const unit = (['days', 'hours'] as const).find((one) => ms % LENGTHS[one] === 0) ?? 'minutes'
  return { amount: String(ms / LENGTHS[unit]), unit }
}

/** The shortest and the longest that the service takes, as ISO 8601 writes them. */
export type DurationLimits = readonly [least: string, most: string]

export type ReadDuration = { iso?: string; mistake?: string }

export function readDuration({ amount, unit }: TypedDuration, [least, most]: DurationLimits): ReadDuration {
  const text = amount.trim()
  if (text === '') return {}
  if (!/^\d{1,5}$/.test(text)) return { mistake: 'It must be a whole number.' }
  const iso = unit === 'days' ? `P${Number(text)}D` : `PT${Number(text)}${unit === 'hours' ? 'H' : 'M'}`
  const ms = isoDurationMs(iso)
  if (ms >= isoDurationMs(least) && ms <= isoDurationMs(most)) return { iso }
  return { mistake: `It must be from ${isoDurationText(least)} to ${isoDurationText(most)}.` }
}
