// Where a body is at fault, for the answer that refuses it. All of it runs once, after the fault was found, in one pass over the
// bytes before it. The parser's own messages cannot be used: they repeat the text, and many of them name no place.

import { isUtf8 } from 'node:buffer'
import type { Position } from '../../refusal.ts'

export function positionAt(body: Buffer, byte: number): Position {
  let line = 1
  let lineStart = 0
  for (let at = 0; at < byte; at++) {
    if (body[at] !== 0x0a) continue
    line++
    lineStart = at + 1
  }
  let column = 1
  // Bytes that go on with a character are none of their own.
  for (let at = lineStart; at < byte; at++) if (!isContinuation(body[at])) column++
  return { line, column, byte }
}

const CHUNK_BYTES = 16_384

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The first byte that begins no character of UTF-8; the length where there is none. */
export function endOfUtf8(body: Buffer): number {
  let at = 0
  // Natively as far as that goes, which is twenty times as fast.
  for (let end = 0; end < body.length && isUtf8(body.subarray(at, end)); ) {
    at = end
    end = Math.min(at + CHUNK_BYTES, body.length)
    for (let back = 0; back < 3 && isContinuation(body[end]); back++) end--
  }
  while (at < body.length) {
    const bytes = (body[at] as number) < 0x80 ? 1 : bytesOfCharacter(body, at)
    if (bytes === 0) return at
    at += bytes
  }
  return at
}

/** The length of a character beyond ASCII; 0 where it is overlong, half a surrogate pair, beyond Unicode or cut off. */
function bytesOfCharacter(body: Buffer, at: number): number {
  const first = body[at] as number
  const second = body[at + 1] ?? 0
  if (first < 0xc2 || first > 0xf4) return 0
  const min = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const max = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < min || second > max) return 0
  const bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let next = at + 2; next < at + bytes; next++) if (!isContinuation(body[next])) return 0
  return bytes
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, END_LIST, OPEN_OBJECT, END_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const NUMBER = /-?(?:0|[1-9][0-9]{0,500})(?:\.[0-9]{1,500})?(?:[eE][+-]?[0-9]{1,500})?/y
const WORD = /true|false|null/y
/** No number that is read is longer. */
const MAX_TOKEN = 500

/** The first byte where the value at `start` is no JSON: the length where it is cut off, and its end where it is whole. */
export function endOfSyntax(body: Buffer, start: number): number {
  const ends: number[] = []
  let expected: 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' = 'value'
  let at = start
  for (;;) {
    while (isBlank(body[at])) at++
    const byte = body[at]
    const end = ends.at(-1)
    const mayEnd = expected === 'comma' || expected === 'first item' || expected === 'first key'
    if (mayEnd && byte === end) {
      ends.pop()
      at++
    } else if (expected === 'comma') {
      if (byte !== COMMA) return at
      expected = end === END_OBJECT ? 'key' : 'value'
      at++
      continue
    } else if (expected === 'colon') {
      if (byte !== COLON) return at
      expected = 'value'
      at++
      continue
    } else if (byte === QUOTE) {
      const { end: behind, isWhole } = endOfText(body, at)
      if (!isWhole) return behind
      at = behind
      if (expected === 'key' || expected === 'first key') {
        expected = 'colon'
        continue
      }
    } else if (expected === 'key' || expected === 'first key') {
      return at
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      ends.push(byte === OPEN_LIST ? END_LIST : END_OBJECT)
      expected = byte === OPEN_LIST ? 'first item' : 'first key'
      at++
      continue
    } else {
      const length = lengthOfToken(body, at)
      if (length === 0) return at
      at += length
    }
    if (ends.length === 0) return at
    expected = 'comma'
  }
}

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function endOfText(body: Buffer, start: number): { end: number; isWhole: boolean } {
  let at = start + 1
  for (;;) {
    const byte = body[at]
    if (byte === undefined || byte < 0x20) return { end: Math.min(at, body.length), isWhole: false }
    if (byte === QUOTE) return { end: at + 1, isWhole: true }
    const bytes = byte === BACKSLASH ? bytesOfEscape(body, at) : 1
    if (bytes === 0) return { end: at + 1 === body.length ? at + 1 : at, isWhole: false }
    at += bytes
  }
}

/** The length of the escape here, 0 where it is none. By hand, as a text may hold millions. */
function bytesOfEscape(body: Buffer, at: number): number {
  const letter = body[at + 1] ?? 0
  if (letter !== 0x75 /* u */) return SIMPLE_ESCAPES.has(letter) ? 2 : 0
  for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(body[digit] ?? 0)) return 0
  return 6
}

const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'))

const isHexDigit = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

function lengthOfToken(body: Buffer, at: number): number {
  const text = body.toString('latin1', at, at + MAX_TOKEN)
  for (const token of [NUMBER, WORD]) {
    token.lastIndex = 0
    const [found] = token.exec(text) ?? []
    if (found !== undefined) return found.length
  }
  return 0
}
