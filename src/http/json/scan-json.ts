// One pass over the bytes of a JSON value before it is parsed. It finds where the value ends, how much it holds, and
// whatever would be lost or could not be stored, so that nothing beyond the limits is parsed at all. It does not check the
// grammar: the parser does. In text that is no JSON it may count wrongly, but it always ends.
import { isExact } from './exact-number.ts'

export const MAX_DEPTH = 16
/** As written, so that an escape such as \u00e9 counts as six. */
export const MAX_KEY_BYTES = 1_024
/** Every double fits that a language prints with all its zeros, such as 1e308 or 5e-324. */
export const MAX_NUMBER_CHARS = 400

/** What a pass has found. One object is used for all values of a body. */
export type Scan = {
  /** Behind the value; where it started if there is none; before a colon that no key stands before. */
  end: number
  keys: number
  /**
   * What this value and those within cost to read: one each, where a key and its value count as one, but a number of more than
   * 25 characters one for each ten.
   */
  cost: number
  /** The first thing that cannot be accepted, if there is one, and the bytes where it begins and ends. */
  fault: string
  faultAt: number
  faultEnd: number
}

export const newScan = (): Scan => ({ end: 0, keys: 0, cost: 0, fault: '', faultAt: 0, faultEnd: 0 })

const DEEP = `must not nest deeper than ${MAX_DEPTH}`
const LONG_KEY = `must not be a field name of more than ${MAX_KEY_BYTES} bytes`
const LONG_NUMBER = `must not be a number of more than ${MAX_NUMBER_CHARS} characters`
const INEXACT = 'must be a number that a double can hold exactly'
const UNSTORABLE = 'must not hold a NUL character or half of a surrogate pair'

export type From = { start: number; depth: number; maxCost: number }

/**
 * Scans the value at `start`, which lies `depth` levels deep. It goes on behind a fault, so that what follows the value can be
 * read, and stops when the cost exceeds `maxCost`.
 */
export function scanValue(body: Buffer, { start, depth: outer, maxCost }: From, scan: Scan) {
  const { length } = body
  let [at, depth, keys, tokens, extraCost, stringBytes] = [start, outer, 0, 0, 0, 0]
  let [fault, faultAt, faultEnd, stringAt] = ['', start, start, start]
  while (at < length && tokens - keys + extraCost <= maxCost) {
    const byte = body[at] as number
    const tokenAt = at
    let found = ''
    if (byte === QUOTE) {
      stringAt = at
      const end = endOfString(body, at + 1)
      if (end < 0) found = UNSTORABLE
      stringBytes = Math.abs(end) - at
      at += stringBytes
      tokens++
    } else if (byte === 0x3a /* : */) {
      // Each key is a string of its own, so colons alone cannot make the count fall.
      if (stringBytes === 0) break
      if (stringBytes > MAX_KEY_BYTES + 2) found = LONG_KEY
      stringBytes = 0
      keys++
      at++
    } else if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) {
      if (++depth > MAX_DEPTH) found = DEEP
      tokens++
      at++
    } else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) {
      // At this depth it belongs to the list around the value.
      if (depth === outer) break
      depth--
      at++
    } else if (byte === MINUS || isDigit(byte)) {
      const end = endOfNumber(body, at)
      const chars = Math.abs(end) - at
      if (chars > MAX_NUMBER_CHARS) found = LONG_NUMBER
      else if (end < 0 && fault === '' && !isExact(body.toString('latin1', at, -end))) found = INEXACT
      if (chars > 25) extraCost += Math.ceil(chars / 10) - 1
      at += chars
      tokens++
    } else if (isBetweenValues(byte)) {
      if (depth === outer) break
      // Millions of blanks are quick to pass over here, and not in the loop around.
      do at++
      while (at < length && isBetweenValues(body[at] as number))
    } else {
      at = endOfWord(body, at)
      tokens++
    }
    if (found !== '' && fault === '') {
      fault = found
      faultAt = found === LONG_KEY ? stringAt : tokenAt
      faultEnd = Math.min(at, length)
    }
    if (depth === outer) break
  }
  scan.end = Math.min(at, length)
  scan.keys = keys
  scan.cost = tokens - keys + extraCost
  scan.fault = fault
  scan.faultAt = faultAt
  scan.faultEnd = faultEnd
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

export const isWhiteSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const isBetweenValues = (byte: number) => byte === 0x2c /* , */ || isWhiteSpace(byte)

/** After so many bytes without an escape the rest is searched natively, which is ten times as fast and has a cost to begin. */
const PLAIN_BYTES = 512

/** The end of the string whose text starts here, or minus that where it cannot be stored. */
function endOfString(body: Buffer, start: number): number {
  const { length } = body
  let at = start
  let sign = 1
  let searchFrom = start + PLAIN_BYTES
  // Kept until it is passed, so that a text of many escapes is not searched to its end for each of them.
  let quoteAt = -1
  while (at < length) {
    const byte = body[at] as number
    if (byte === QUOTE) return sign * (at + 1)
    if (byte !== BACKSLASH) {
      if (++at < searchFrom) continue
      if (quoteAt < at) quoteAt = indexOrEnd(body, QUOTE, at)
      at += indexOrEnd(body.subarray(at, quoteAt), BACKSLASH, 0)
    } else if (body[at + 1] !== 0x75 /* u */) at += 2
    else {
      const bytes = bytesOfEscape(body, at)
      if (bytes === 0) sign = -1
      at += bytes || 6
    }
    searchFrom = at + PLAIN_BYTES
  }
  return sign * length
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === -1 ? bytes.length : index
}

/**
 * The length of a \u escape, with its second half where it is the first of a surrogate pair; 0 for a NUL character and
 * half a pair. Only an escape can stand for these: the body is valid UTF-8, and raw control characters are no JSON.
 */
function bytesOfEscape(body: Buffer, at: number): number {
  const first = body[at + 2]
  // Of the rest, only \u0… and \ud… need a closer look.
  if (first !== 0x30 && first !== 0x64 && first !== 0x44) return 6
  const code = codeOf(body, at)
  if (code === 0 || (code >= 0xdc00 && code <= 0xdfff)) return 0
  if (code < 0xd800 || code > 0xdbff) return 6
  const low = body[at + 6] === BACKSLASH && body[at + 7] === 0x75 ? codeOf(body, at + 6) : -1
  return low >= 0xdc00 && low <= 0xdfff ? 12 : 0
}

/** The code of the escape at `at`; -1 where it is none. */
function codeOf(body: Buffer, at: number): number {
  let code = 0
  for (let digit = at + 2; digit < at + 6; digit++) {
    const byte = body[digit] ?? 0
    const isHexLetter = (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46)
    if (!isDigit(byte) && !isHexLetter) return -1
    code = code * 16 + (isDigit(byte) ? byte - 0x30 : (byte & 0x5f) - 0x37)
  }
  return code
}

/**
 * The end of the number that starts here, or minus that where a double may not hold it. A double keeps every number of up to
 * 15 digits, unless it is beyond all doubles or next to zero.
 */
function endOfNumber(body: Buffer, start: number): number {
  const { length } = body
  let digits = 0
  let exponentDigits = -1
  let at = start
  for (; at < length; at++) {
    const byte = body[at] as number
    if (isDigit(byte)) {
      if (exponentDigits >= 0) exponentDigits++
      else if (digits > 0 || byte !== 0x30) digits++
    } else if (byte === 0x65 || byte === 0x45 /* e, E */) exponentDigits = 0
    else if (byte !== 0x2e && byte !== MINUS && byte !== 0x2b /* . + */) break
  }
  const isPlain = digits <= 15 && exponentDigits <= 2 && at - start <= 100
  return isPlain ? at : -at
}

/** The end of true, false or null, or of what is no JSON. */
function endOfWord(body: Buffer, start: number): number {
  let at = start + 1
  while (at < body.length && (body[at] as number) >= 0x61 && (body[at] as number) <= 0x7a) at++
  return at
}

/**
 * How many keys a parsed value has at every depth. Of two equal keys the parser keeps one, in whatever spelling they came,
 * so the number falls short of what was written. It is -1 where a key reaches for a prototype.
 */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item !== 'object' || item === null) continue
      const inItem = countKeys(item)
      if (inItem === -1) return -1
      count += inItem
    }
    return count
  }
  const keys = Object.keys(value)
  for (const key of keys) {
    if (key === '__proto__') return -1
    const field = (value as Record<string, unknown>)[key]
    if (typeof field !== 'object' || field === null) continue
    if (key === 'constructor' && Object.hasOwn(field, 'prototype')) return -1
    const inField = countKeys(field)
    if (inField === -1) return -1
    count += inField
  }
  return count + keys.length
}
