// JSON bodies, read without loss and at a bounded cost. `JSON.parse` alone keeps the last of two equal keys, rounds numbers
// that a double cannot hold and accepts text that no database can store; a reading must come back as it was sent, so each of
// these is refused with a pointer to the place. A body is one value or a list of values. Each value is scanned and only then
// parsed, one after the other, so a body that is refused has cost no more than what was read of it.
import { isUtf8 } from 'node:buffer'
import { Refusal, refuseFields } from '../../refusal.ts'
import { endOfSyntax, endOfUtf8, positionAt } from './fault-position.ts'
import { countKeys, findBadKey, pointerToEnd } from './json-keys.ts'
import { runInPieces } from './pieces.ts'
import { type From, isWhiteSpace, newScan, type Scan, scanValue } from './scan-json.ts'

/** Limits of one value: of the body, or of an item where the body is a list. */
export const MAX_VALUE_BYTES = 64 * 1_024
/** Keys at every depth. Items of lists are not counted here: an ECG of half a minute has thousands of samples. */
export const MAX_FIELDS = 1_000
export const MAX_LIST_ITEMS = 1_000
/** Limit of a whole body. With all that is done with it later, a value costs about a microsecond. */
export const MAX_BODY_VALUES = 30_000

/** What a body may hold, and what an item of it. */
export type JsonLimits = {
  /** Limits of one value. */
  valueBytes: number
  fields: number
  /** Values of the whole body. */
  values: number
  /** Refuses a body that is one value, or any value. */
  tooLarge: (what: 'body' | 'value') => Refusal
}

const LIMITS: JsonLimits = {
  valueBytes: MAX_VALUE_BYTES,
  fields: MAX_FIELDS,
  values: MAX_BODY_VALUES,
  tooLarge: (what) => (what === 'body' ? bodyTooLarge() : readingTooLarge()),
}

const OPENING = 0x5b // [
const CLOSING = 0x5d // ]
const COMMA = 0x2c

/** Reads a body at once: for one that is not large. */
export function parseStrictJson(body: Buffer, limits: JsonLimits = LIMITS): unknown {
  const parsed: Parsed = { value: undefined }
  const steps = stepsOf(body, parsed, limits)
  while (!steps.next().done);
  return parsed.value
}

/** Reads a body item by item, so that other requests are served meanwhile. */
export async function parseInPieces(body: Buffer): Promise<unknown> {
  const parsed: Parsed = { value: undefined }
  await runInPieces(stepsOf(body, parsed, LIMITS))
  return parsed.value
}

export type Parsed = { value: unknown }

/**
 * An item of a list that exceeds the limits of one value stands in the list as the refusal that it deserves: whether that
 * refuses the list or the item alone is for the operation to say.
 */
function* stepsOf(body: Buffer, parsed: Parsed, limits: JsonLimits) {
  const start = skipWhiteSpace(body, 0)
  const isList = body[start] === OPENING
  if (!isList && body.length > limits.valueBytes) throw limits.tooLarge('body')
  if (!isUtf8(body)) throw isMalformed(body, endOfUtf8(body), 'The body must be JSON in UTF-8')
  const scan = newScan()
  if (!isList) {
    const value = readValue(body, { start, depth: 0, maxCost: limits.values }, { scan, pointer: '', limits })
    if (value instanceof Refusal) throw value
    mustEndAt(body, scan.end)
    parsed.value = value
    return
  }
  const items: unknown[] = []
  let left = limits.values
  let at = skipWhiteSpace(body, start + 1)
  while (body[at] !== CLOSING || items.length > 0) {
    if (items.length === MAX_LIST_ITEMS) {
      const message = `must be a reading, or a list of 1 to ${MAX_LIST_ITEMS} readings`
      throw refuseFields([{ pointer: '', message }])
    }
    const item = readValue(
      body,
      { start: at, depth: 1, maxCost: left },
      { scan, pointer: `/${items.length}`, limits },
    )
    items.push(item)
    left -= scan.cost
    yield
    at = skipWhiteSpace(body, scan.end)
    if (body[at] === CLOSING) break
    if (body[at] !== COMMA) throw isMalformed(body, at)
    at = skipWhiteSpace(body, at + 1)
  }
  mustEndAt(body, at + 1)
  parsed.value = items
}

type Found = { scan: Scan; pointer: string; limits: JsonLimits }

export function readValue(body: Buffer, from: From, { scan, pointer, limits }: Found): unknown {
  const { start, maxCost } = from
  scanValue(body, from, scan)
  const { end, fault } = scan
  if (end === start) throw isMalformed(body, endOfSyntax(body, start))
  const isTooLong = end - start > limits.valueBytes
  if (fault !== '') {
    if (isTooLong) throw limits.tooLarge('value')
    const text = body.toString('utf8', start, end)
    const error = { pointer: `${pointer}${pointerToEnd(text)}`, message: fault }
    throw refuseFields([error]).at(positionAt(body, scan.faultAt))
  }
  if (scan.cost > maxCost) {
    const message = `A body may hold ${limits.values} values, counted at every depth. Send a list in parts.`
    throw new Refusal('BodyTooLarge', message)
  }
  if (isTooLong) return limits.tooLarge('value')
  if (scan.keys > limits.fields) return tooManyFields(limits)
  const text = body.toString('utf8', start, end)
  const value = parse(text)
  if (value === undefined) throw isMalformed(body, endOfSyntax(body, start))
  if (countKeys(value) !== scan.keys) {
    const bad = findBadKey(text)
    const error = { pointer: `${pointer}${bad.pointer}`, message: bad.message }
    throw refuseFields([error]).at(positionAt(body, start + Buffer.byteLength(text.slice(0, bad.at))))
  }
  return value
}

/** The value of a text; undefined, which no JSON is, where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function skipWhiteSpace(body: Buffer, start: number): number {
  let at = start
  while (at < body.length && isWhiteSpace(body[at] as number)) at++
  return at
}

export function mustEndAt(body: Buffer, end: number) {
  const at = skipWhiteSpace(body, end)
  if (at < body.length) throw isMalformed(body, at)
}

export function isMalformed(body: Buffer, byte: number, what = 'The body is not well-formed JSON'): Refusal {
  return new Refusal('MalformedJson', `${what}.`).at(positionAt(body, byte))
}

export function tooManyFields({ fields }: Pick<JsonLimits, 'fields'> = LIMITS): Refusal {
  return refuseFields([
    { pointer: '', message: `must not have more than ${fields} fields, counted at every depth` },
  ])
}

function bodyTooLarge(): Refusal {
  return new Refusal('BodyTooLarge', 'One reading may take 64 KiB, an array of readings 4 MiB.')
}

export function readingTooLarge(): Refusal {
  return new Refusal('BodyTooLarge', 'One reading may take 64 KiB, also in a list.')
}
