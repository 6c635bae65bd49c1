// Where a body is at fault, for the answer that refuses it. All of it runs once, after the fault was found. The parser's own
// messages cannot be used: they repeat the text, and many of them name no place.
import { isUtf8 } from 'node:buffer'
import { below, type FieldError, type Position, pointerPart, Refusal, refuseFields } from '../../refusal.ts'

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
  // In chunks as far as that goes, and then character by character.
  for (let end = 0; end < body.length && isUtf8(body.subarray(at, end)); ) {
    at = end
    end = Math.min(at + CHUNK_BYTES, body.length)
    for (let back = 0; back < 3 && isContinuation(body[end]); back++) end--
  }
  for (;;) {
    const bytes = [1, 2, 3, 4].find((length) => isUtf8(body.subarray(at, at + length)))
    if (bytes === undefined || at === body.length) return at
    at += bytes
  }
}

/** A body that is no JSON within the value at `start`, with a pointer where another value should begin. */
export function isMalformedWithin(
  body: Buffer,
  start: number,
  { text, pointer }: { text: string; pointer: string },
): Refusal {
  const found = endOfSyntax(text)
  const at = start + Buffer.byteLength(text.slice(0, found.at))
  if (!found.expectsValue) return isMalformed(body, at)
  const isNoNumber = NO_NUMBER.test(body.toString('latin1', at, at + MAX_WORD_BYTES))
  const message = isNoNumber ? 'must be a number: NaN and Infinity are not JSON' : 'must be a value of JSON'
  const error = { pointer: found.pointer, message }
  return isMalformed(body, at, { errors: refuseFields([below(pointer, error)]).errors })
}

/** How languages print numbers that JSON does not have. */
const NO_NUMBER = /^[+-]?(nan|inf(inity)?)\b/i
const MAX_WORD_BYTES = 12

type Malformed = { what?: string; errors?: FieldError[] | undefined }

export function isMalformed(
  body: Buffer,
  byte: number,
  { what = 'The body is not well-formed JSON', errors }: Malformed = {},
): Refusal {
  return new Refusal('MalformedJson', `${what}.`, { errors }).at(positionAt(body, byte))
}

type Level = { end: '}' | ']'; keys: Set<string>; key: string; index: number }
/** Of each list: a text may open tens of thousands. */
const NO_KEYS: Set<string> = new Set()

type Expected = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma'

/** Where the syntax of a text ends, and what stands there. */
export type SyntaxEnd = {
  at: number
  /** Whether a value should begin there. */
  expectsValue: boolean
  /** To the last value or key before it. */
  pointer: string
  /** The first key that stands there twice or reaches for a prototype; without a message where there is none. */
  badKey: FieldError & { at: number }
}

const BLANKS = /[ \t\n\r]*/y
// Up to its closing quote, or to what cannot stand in a string.
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

/** Follows the JSON value of a text to its end, or to where it is no JSON: the length of the text where it is cut off. */
export function endOfSyntax(text: string): SyntaxEnd {
  const levels: Level[] = []
  let expected: Expected = 'value'
  let badKey = { pointer: '', message: '', at: 0 }
  let at = 0
  const endsAt = (end: number, expectsValue: boolean) => ({
    at: end,
    expectsValue,
    pointer: pointerOf(levels),
    badKey,
  })
  for (;;) {
    at = endOf(BLANKS, text, at)
    const char = text[at]
    const level = levels.at(-1)
    const expectsKey: boolean = expected === 'key' || expected === 'first key'
    const expectsValue: boolean = expected === 'value' || expected === 'first item'
    if (level && char === level.end && expected !== 'value' && expected !== 'key' && expected !== 'colon') {
      levels.pop()
      expected = 'comma'
      at++
    } else if (expected === 'comma') {
      if (!level || char !== ',') return endsAt(at, false)
      level.index++
      expected = level.end === '}' ? 'key' : 'value'
      at++
    } else if (expected === 'colon') {
      if (char !== ':') return endsAt(at, false)
      expected = 'value'
      at++
    } else if (char === '"') {
      const end = endOf(STRING, text, at)
      if (text[end] !== '"') return endsAt(end, false)
      if (level && expectsKey) {
        level.key = String(JSON.parse(text.slice(at, end + 1)))
        const message = badKey.message || faultOfKey(level.key, level.keys, levels.at(-2)?.key)
        if (badKey.message !== message) badKey = { pointer: pointerOf(levels), message, at }
        level.keys.add(level.key)
      }
      expected = expectsKey ? 'colon' : 'comma'
      at = end + 1
    } else if (expectsValue && (char === '{' || char === '[')) {
      const isObject = char === '{'
      levels.push({ end: isObject ? '}' : ']', keys: isObject ? new Set() : NO_KEYS, key: '', index: 0 })
      expected = isObject ? 'first key' : 'first item'
      at++
    } else {
      const end = expectsValue ? endOf(SCALAR, text, at) : at
      if (end === at) return endsAt(at, expectsValue)
      expected = 'comma'
      at = end
    }
  }
}

/** The end of what an expression matches here; it may match nothing. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : at
}

/** Why an object that has `keys` cannot have this one too; '' where it can. */
export function faultOfKey(key: string, keys: { has: (key: string) => boolean }, parentKey?: string): string {
  if (keys.has(key)) return 'must not be given twice'
  const isForbidden = key === '__proto__' || (key === 'prototype' && parentKey === 'constructor')
  return isForbidden ? 'is not a field name that can be stored' : ''
}

function pointerOf(levels: Level[]): string {
  return levels.map(({ end, key, index }) => (end === '}' ? pointerPart(key) : `/${index}`)).join('')
}
