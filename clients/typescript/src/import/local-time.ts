// Times of a local calendar, as people read them off a clock, → instants.
import { ImportError } from './import-error.ts'

export type LocalTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

export const NOT_ONE_INSTANT = 'Clocks were changed then: this local time came twice, or never.'
export const NO_TIME = 'Its time cannot be read.'

const DAY_MS = 86_400_000
const SLOT_MS = 900_000
const MAX_SLOTS = 10_000

/** As if it were UTC; nothing where the calendar has no such time. */
export function utcOf({ year, month, day, hour, minute, second }: LocalTime): number | undefined {
  const at = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(at)
  const isOfCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isOfCalendar && hour < 24 && minute < 60 && second < 60 ? at : undefined
}

/** The instant of a local time given as UTC; nothing where it came twice, or never, because clocks were changed. */
export function createZone(timeZone: string): (utc: number) => number | undefined {
  const format = formatOf(timeZone)
  const offsets = new Map<number, number>()

  /** Zones change their offset at quarters of an hour at most. */
  function offsetAt(at: number): number {
    const slot = Math.floor(at / SLOT_MS)
    const known = offsets.get(slot)
    if (known !== undefined) return known
    if (offsets.size === MAX_SLOTS) offsets.clear()
    const parts = new Map(
      format.formatToParts(slot * SLOT_MS).map(({ type, value }) => [type, Number(value)]),
    )
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
    offsets.set(slot, local - slot * SLOT_MS)
    return local - slot * SLOT_MS
  }
  return (utc) => {
    const possible = new Set([offsetAt(utc - DAY_MS), offsetAt(utc + DAY_MS)])
    const instants = [...possible]
      .filter((offset) => offsetAt(utc - offset) === offset)
      .map((offset) => utc - offset)
    return instants.length === 1 ? instants[0] : undefined
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const parts = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  const numeric = Object.fromEntries(parts.map((part) => [part, 'numeric'] as const))
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { ...numeric, hourCycle: 'h23', timeZone })
  } catch (cause) {
    const message = 'This time zone is not known. Use a name such as Europe/Berlin.'
    throw new ImportError('TimeZoneNeeded', message, { cause })
  }
}
