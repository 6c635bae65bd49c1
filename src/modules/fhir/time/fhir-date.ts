// Dates as FHIR writes them: a year, a month, a day, or an instant to the minute, the second or finer. Each is a span of
// time: a day is all of its day. Without an offset UTC is meant, which is the time of this service.

/** From the first microsecond since 1970 of a date up to, and without, the first one behind it. */
export type Span = { from: bigint; until: bigint }

export type FhirDate = Span & {
  precision: 'year' | 'month' | 'day' | 'minute' | 'second' | 'fraction'
  /** As written: `Z`, `+05:30`, or none. */
  offset: string | undefined
}

const FORM =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/

const SECOND = 1_000_000n
const MINUTE = 60n * SECOND

/** The date that a text is, or undefined where it is none, such as the 30th of February. A leap second is none either. */
export function dateFrom(text: string): FhirDate | undefined {
  const found = FORM.exec(text)
  if (!found || found[1] === '0000') return undefined
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part))) as [number, ...number[]]
  const [, , monthText, dayText, hourText, , secondText, fraction, offset] = found
  const offsetMinutes = minutesOf(offset)
  const isTime = hour < 24 && minute < 60 && second < 60
  if (!isTime || offsetMinutes === undefined || !isDay(year, month, day)) return undefined
  const midnight = startOf(year, month, day)
  if (monthText === undefined)
    return { from: midnight, until: startOf(year + 1, 1, 1), precision: 'year', offset }
  if (dayText === undefined) {
    return { from: midnight, until: startOf(year, month + 1, 1), precision: 'month', offset }
  }
  if (hourText === undefined) {
    return { from: midnight, until: midnight + 24n * 60n * MINUTE, precision: 'day', offset }
  }
  const from =
    midnight +
    BigInt(hour * 60 + minute - offsetMinutes) * MINUTE +
    BigInt(second) * SECOND +
    BigInt((fraction ?? '').padEnd(6, '0'))
  if (secondText === undefined) return { from, until: from + MINUTE, precision: 'minute', offset }
  if (fraction === undefined) return { from, until: from + SECOND, precision: 'second', offset }
  return { from, until: from + 10n ** BigInt(6 - fraction.length), precision: 'fraction', offset }
}

/** How many minutes a time with this offset is ahead of UTC; undefined where there is no such offset. */
export function minutesOf(offset: string | undefined): number | undefined {
  if (offset === undefined || offset === 'Z') return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(4))]
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** Midnight in UTC; a month behind the last one is the first of the next year. */
function startOf(year: number, month: number, day: number): bigint {
  // `Date.UTC` would take a year below 100 for one of the twentieth century.
  return BigInt(new Date(0).setUTCFullYear(year, month - 1, day)) * 1_000n
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
