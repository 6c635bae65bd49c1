// The time of a reading as FHIR writes it, and back. Rounds returns the very number that was sent, in seconds or
// milliseconds; FHIR has a date. A date to the second is a number of seconds, one with a fraction a number of milliseconds.
// Where that would come back as another number (half a second sent as seconds), an extension carries the number.
//
// The offset of a date is a field of the reading, `utcOffset`: the time of day at which a patient ate or slept is that of the
// patient's own clock. A date that ends in Z leaves no such field.
import { END_OF_9999, FIRST_MILLISECONDS, instantOf, microsecondsOf } from '../../casesheet/epoch-time.ts'
import { SENT_TIMESTAMP } from '../systems.ts'
import { dateFrom, minutesOf } from './fhir-date.ts'

/** Whether an epoch time is in seconds and not in milliseconds. */
export const isInSeconds = (epochTime: number) => epochTime < FIRST_MILLISECONDS

/** A date, and the extension that it needs, if any. */
export type Written = { text: string; extension: { url: string; valueDecimal: number }[] | undefined }

export function isOffset(value: unknown): value is string {
  return typeof value === 'string' && /^[+-]\d\d:\d\d$/.test(value) && minutesOf(value) !== undefined
}

/** The date of an epoch time, in UTC or at an offset. */
export function dateOf(epochTime: number, offset?: string): Written {
  const utc = instantOf(epochTime)
  const fraction = utc.slice(19, -1)
  const isWholeSecond = isInSeconds(epochTime) && fraction === '.000'
  const local = offset === undefined ? utc.slice(0, 19) : localTimeOf(epochTime, offset).slice(0, 19)
  const text = `${local}${isWholeSecond ? '' : fraction}${offset ?? 'Z'}`
  // A whole number is: looking would take longer than the rest.
  const isPlain = Number.isInteger(epochTime) || epochTimeFrom(text) === epochTime
  return { text, extension: isPlain ? undefined : [{ url: SENT_TIMESTAMP, valueDecimal: epochTime }] }
}

/** Whether the date at this offset has a year of four digits. */
export function isWritableAt(epochTime: number, offset: string): boolean {
  return /^\d{4}-/.test(localTimeOf(epochTime, offset))
}

function localTimeOf(epochTime: number, offset: string): string {
  const milliseconds = Number(microsecondsOf(epochTime) / 1_000n) + 60_000 * (minutesOf(offset) ?? 0)
  return new Date(milliseconds).toISOString()
}

/**
 * The number that a date to the second or finer stands for; undefined for any other text, and for times that no reading has.
 */
export function epochTimeFrom(text: string): number | undefined {
  const date = dateFrom(text)
  if (!date?.offset || (date.precision !== 'second' && date.precision !== 'fraction')) return undefined
  if (date.from < 0n || date.from > BigInt(END_OF_9999) * 1_000n) return undefined
  const [milliseconds, microseconds] = [Number(date.from / 1_000n), Number(date.from % 1_000n)]
  if (date.precision === 'fraction' && milliseconds >= FIRST_MILLISECONDS)
    return milliseconds + microseconds / 1_000
  return millisecondsAsSeconds(date.from) ?? milliseconds
}

/** Seconds with up to six decimals; undefined from the year 5138 on, where the number would be taken for milliseconds. */
function millisecondsAsSeconds(from: bigint): number | undefined {
  const seconds = Number(`${from / 1_000_000n}.${String(from % 1_000_000n).padStart(6, '0')}`)
  return seconds < FIRST_MILLISECONDS ? seconds : undefined
}

/** A whole number of milliseconds since 1970 as an epoch time, which below March 1973 is in seconds. */
export function epochTimeOf(milliseconds: number): number {
  return milliseconds < FIRST_MILLISECONDS ? milliseconds / 1_000 : milliseconds
}
