// JSON bodies, read without loss. `JSON.parse` alone keeps the last of two equal keys, rounds numbers that a double
// cannot hold and accepts text that no database can store; a reading must come back as it was sent, so each of these is
// refused with a pointer to the place. The scan runs over text that `JSON.parse` has accepted, so it need not check
// the grammar again.
import { isUtf8 } from 'node:buffer'
import { type FieldError, pointerPart, Refusal, refuseFields } from '../refusal.ts'

const MAX_DEPTH = 16

export function parseStrictJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Refusal('MalformedJson', 'The body must be JSON in UTF-8.')
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('MalformedJson', 'The body is not well-formed JSON.')
  }
  const fault = findFault(text)
  if (fault) throw refuseFields([fault])
  return value
}

type Level = { keys: Set<string> | undefined; key: string; index: number }

function findFault(text: string): FieldError | undefined {
  const levels: Level[] = []
  let level: Level | undefined
  let keyIsNext = false
  const faultHere = (message: string) => ({ pointer: pointerTo(levels), message })

  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
      case 0x5b: // [
        keyIsNext = text.charCodeAt(at) === 0x7b
        level = { keys: keyIsNext ? new Set() : undefined, key: '', index: 0 }
        levels.push(level)
        if (levels.length > MAX_DEPTH)
          return { pointer: '', message: `must not nest deeper than ${MAX_DEPTH}` }
        break
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop()
        level = levels.at(-1)
        break
      case 0x2c: // ,
        keyIsNext = level?.keys !== undefined
        if (level && !keyIsNext) level.index++
        break
      case 0x22: {
        const end = endOfString(text, at)
        const isEscaped = text.slice(at, end).includes('\\')
        const string = isEscaped ? (JSON.parse(text.slice(at, end)) as string) : text.slice(at + 1, end - 1)
        if (keyIsNext && level?.keys) {
          const parentKey = levels.at(-2)?.key
          level.key = string
          keyIsNext = false
          if (level.keys.has(string)) return faultHere('must not be given twice')
          if (string === '__proto__' || (string === 'prototype' && parentKey === 'constructor')) {
            return faultHere('is not a field name that can be stored')
          }
          level.keys.add(string)
        }
        // Only an escape can smuggle these in: the body is valid UTF-8, and raw control characters are no JSON.
        if (isEscaped && (string.includes('\0') || !string.isWellFormed())) {
          return faultHere('must not hold a NUL character or half of a surrogate pair')
        }
        at = end - 1
        break
      }
      default: {
        const end = endOfNumber(text, at)
        if (end > at && !isExact(text.slice(at, end)))
          return faultHere('must be a number that a double can hold exactly')
        if (end > at) at = end - 1
      }
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(at)) at += code === 0x5c ? 2 : 1
  return at + 1
}

/** The end of the number that starts here, or `start` where none does. */
function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return start
  let at = start + 1
  while (isOfNumber(text.charCodeAt(at))) at++
  return at
}

function isOfNumber(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39
  return isDigit || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d
}

/**
 * Whether the nearest double keeps what was written: printed in its shortest form, or with as many digits as were
 * written, it must read the same. So 36.600000000000001, which is how many devices print 36.6, passes, as does every
 * number that JavaScript prints; 9007199254740993 does not.
 */
function isExact(token: string): boolean {
  if (token.length <= 15 && !/[eE]/.test(token)) return true
  const digits = digitsOf(token)
  if (digits === '') return true
  const value = Number(token)
  if (!Number.isFinite(value)) return false
  return (
    digitsOf(String(value)) === digits ||
    (digits.length <= 100 && digitsOf(value.toPrecision(digits.length)) === digits)
  )
}

/** The digits that count, without those zeros that only say how large the number is. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
}

function pointerTo(levels: Level[]): string {
  return levels.map(({ keys, key, index }) => (keys ? pointerPart(key) : `/${index}`)).join('')
}
