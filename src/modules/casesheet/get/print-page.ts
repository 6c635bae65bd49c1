// A page of listed readings → the JSON of the answer as bytes, the same as `printReading` makes of each reading. As texts, a page would
// be joined of twenty pieces for each reading, then copied to be measured and again to be sent: that takes twice the time.
import { FIELD_END, inOneLine, READING_END } from './print-readings.ts'

/** Readings as the database listed them. Only the first `count` are meant. */
export type Listed = { text: string; count: number }

/** Readings of one patient in one format, and what stands before and after them. */
export type PrintPage = (listed: Listed, patientUid: string, around: Around) => Buffer

type Around = { before: string; after: string }

const encoder = new TextEncoder()
const byteOf = (character: string) => character.charCodeAt(0)
const FIELD = byteOf(FIELD_END)
const READING = byteOf(READING_END)
const LINE_FEED = byteOf('\n')
const COMMA = byteOf(',')
const QUOTE = byteOf('"')
const BRACE = byteOf('{')
const BRACE_END = byteOf('}')
const ZERO = byteOf('0')

const TIMESTAMP = encoder.encode('","timestamp":')
const READING_ID = encoder.encode(',"readingId":"')
const MEASURED_AT = encoder.encode('","measuredAt":"')
const RECEIVED_AT = encoder.encode('","receivedAt":"')
/** By which a reading grows at most: these names, a quote, two commas, and two bytes for each instant. */
const GROWTH = TIMESTAMP.length + READING_ID.length + MEASURED_AT.length + RECEIVED_AT.length + 7

/** A JSON list without its brackets. */
export const printList: PrintPage = (listed, patientUid, around) =>
  printJson(listed, patientUid, { ...around, separator: COMMA })

/** A line of JSON for each reading. */
export const printLines: PrintPage = ({ text, count }, patientUid, around) =>
  printJson({ text: inOneLine(text), count }, patientUid, { ...around, separator: LINE_FEED })

function printJson(
  { text, count }: Listed,
  patientUid: string,
  { before, after, separator }: Around & { separator: number },
): Buffer {
  const from = encoder.encode(text)
  const head = encoder.encode(`{"patientUid":${JSON.stringify(patientUid)},"readingType":"`)
  const around = Buffer.byteLength(before) + Buffer.byteLength(after)
  const page = Buffer.allocUnsafe(around + from.length + count * (head.length + GROWTH))
  // V8 takes longer for the elements of a Buffer.
  const to = new Uint8Array(page.buffer, page.byteOffset, page.length)
  let at = page.write(before)
  let next = 0
  for (let printed = 0; printed < count; printed++) {
    for (let index = 0; index < head.length; index++) to[at++] = head[index] as number
    for (let byte = from[next++] as number; byte > FIELD; byte = from[next++] as number) to[at++] = byte
    for (let index = 0; index < TIMESTAMP.length; index++) to[at++] = TIMESTAMP[index] as number
    for (let byte = from[next++] as number; byte > FIELD; byte = from[next++] as number) to[at++] = byte
    for (let index = 0; index < READING_ID.length; index++) to[at++] = READING_ID[index] as number
    for (let byte = from[next++] as number; byte > FIELD; byte = from[next++] as number) to[at++] = byte
    for (let index = 0; index < MEASURED_AT.length; index++) to[at++] = MEASURED_AT[index] as number
    at = putMeasuredAt(from, next, to, at)
    while ((from[next++] as number) > FIELD);
    for (let index = 0; index < RECEIVED_AT.length; index++) to[at++] = RECEIVED_AT[index] as number
    at = putReceivedAt(from, next, to, at)
    while ((from[next++] as number) > FIELD);
    // When it was last withdrawn or restored stands here, if it was.
    if (from[next] !== BRACE) while ((from[next++] as number) > FIELD);
    to[at++] = QUOTE
    next++
    if (from[next] !== BRACE_END) to[at++] = COMMA
    while (next < from.length) {
      const byte = from[next++] as number
      if (byte === READING) break
      to[at++] = byte
    }
    to[at++] = separator
  }
  if (separator === COMMA && count > 0) at--
  at += page.write(after, at)
  return page.subarray(0, at)
}

const SECONDS_BYTES = 19
const [T, DOT, PLUS, Z] = [byteOf('T'), byteOf('.'), byteOf('+'), byteOf('Z')]

/** Prints an instant as `instantFrom` does, and returns where it ends. */
const instantPrinter =
  (maxDigits: 3 | 6) => (from: Uint8Array, start: number, to: Uint8Array, at: number) => {
    for (let index = 0; index < SECONDS_BYTES; index++) to[at + index] = from[start + index] as number
    to[at + 10] = T
    let written = at + SECONDS_BYTES
    let read = start + SECONDS_BYTES
    to[written++] = DOT
    let digits = 0
    if (from[read] === DOT) {
      for (read++; from[read] !== PLUS && digits < 6; read++, digits++) {
        if (digits < maxDigits) to[written++] = from[read] as number
      }
    }
    if (
      from[read] !== PLUS ||
      from[read + 1] !== ZERO ||
      from[read + 2] !== ZERO ||
      from[read + 3] !== FIELD
    ) {
      throw new Error('The database did not print an instant in UTC.')
    }
    for (const full = digits <= 3 ? 3 : maxDigits; digits < full; digits++) to[written++] = ZERO
    to[written++] = Z
    return written
  }

const putMeasuredAt = instantPrinter(6)
const putReceivedAt = instantPrinter(3)
