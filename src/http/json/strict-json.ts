// JSON bodies, read without loss and at a bounded cost. `JSON.parse` alone keeps the last of two equal keys, rounds numbers
// that a double cannot hold and accepts text that no database can store; a reading must come back as it was sent, so each of
// these is refused with a pointer to the place. A body is one value, a list of values, or an object with a list of values, such
// as a Bundle of FHIR. Each value is scanned and only then parsed, one after the other, so a body that is refused has cost no
// more than what was read of it.
import { isUtf8 } from 'node:buffer'
import { below, type FieldError, Refusal, refuseFields } from '../../refusal.ts'
import {
  endOfSyntax,
  endOfUtf8,
  faultOfKey,
  isMalformed,
  isMalformedWithin,
  positionAt,
} from './fault-position.ts'
import { runInPieces } from './pieces.ts'
import { countKeys, isWhiteSpace, newScan, type Scan, scanValue } from './scan-json.ts'

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
  /** The list in a body that is an object, if it is to be read item by item. */
  listName?: string
}

export const DEFAULT_LIMITS: JsonLimits = {
  valueBytes: MAX_VALUE_BYTES,
  fields: MAX_FIELDS,
  values: MAX_BODY_VALUES,
  tooLarge: (what) => (what === 'body' ? bodyTooLarge() : readingTooLarge()),
}

const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]

/** Reads a body at once: for one that is not large. */
export function parseStrictJson(body: Buffer, limits: JsonLimits = DEFAULT_LIMITS): unknown {
  const steps = stepsOf(body, limits)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Reads a body item by item, so that other requests are served meanwhile. */
export async function parseInPieces(body: Buffer, limits: JsonLimits = DEFAULT_LIMITS): Promise<unknown> {
  let value: unknown
  await runInPieces(steps())
  return value

  function* steps() {
    value = yield* stepsOf(body, limits)
  }
}

/** The refusal of a whole list for the first fault in one of its items. */
export function faultOfList(items: unknown[]): Refusal | undefined {
  const index = items.findIndex((item) => item instanceof Refusal && item.position !== undefined)
  const { errors = [], position } = Object(items[index]) as Partial<Refusal>
  return position && refuseFields(errors.map((error) => below(`/${index}`, error))).at(position)
}

/** How far a body has been read, and what it may still hold. */
type Reading = { body: Buffer; at: number; left: number; scan: Scan; limits: JsonLimits }

function* stepsOf(body: Buffer, limits: JsonLimits): Generator<undefined, unknown> {
  const { listName, valueBytes } = limits
  const reading = { body, at: 0, left: limits.values, scan: newScan(), limits }
  const first = next(reading)
  const isList = first === LIST
  // A list whose name is written with escapes is read as a part of the object.
  const hasList = first === OBJECT && listName !== undefined && body.includes(`"${listName}"`)
  if (!isList && !hasList && body.length > valueBytes) throw limits.tooLarge('body')
  if (!isUtf8(body)) throw isMalformed(body, endOfUtf8(body), { what: 'The body must be JSON in UTF-8' })
  let value: unknown
  if (isList) value = yield* listAt(reading)
  else if (hasList) value = yield* objectAt(reading, listName)
  else value = mustFit(soundValueAt(reading, 0, ''))
  if (next(reading) !== undefined) throw isMalformed(body, reading.at)
  return value
}

/**
 * An item of a list that is JSON and cannot be accepted stands in the list as the refusal that it deserves: whether that refuses
 * the list or the item alone is for the operation to say. Pointers of such a refusal are into the item. Only the first has its
 * position in the body, because each takes a pass over all that stands before it.
 */
function* listAt(reading: Reading) {
  const items: unknown[] = []
  let hasFault = false
  for (const _ of placesOfItems(reading)) {
    if (items.length === MAX_LIST_ITEMS) {
      const message = `must be a reading, or a list of 1 to ${MAX_LIST_ITEMS} readings`
      throw refuseFields([{ pointer: '', message }])
    }
    const item = valueAt(reading, 1, `/${items.length}`)
    if (item instanceof Fault) {
      items.push(refuseFields([item.error], hasFault ? undefined : positionAt(reading.body, item.at)))
      hasFault = true
    } else items.push(item)
    yield
  }
  return items
}

/** An object whose list is read item by item. Each other field is within the limits of one value. */
function* objectAt(reading: Reading, listName: string) {
  const { at: start, limits } = reading
  const members = new Map<string, unknown>()
  let keys = 0
  for (const _ of placesOfItems(reading, OBJECT_END)) {
    const name = nameAt(reading)
    const pointer = `/${name}`
    const message = faultOfKey(name, members)
    if (message !== '') throw refuseFields([{ pointer, message }])
    if (name === listName && next(reading) === LIST) {
      const items: unknown[] = []
      members.set(name, items)
      for (const __ of placesOfItems(reading)) {
        if (items.length === MAX_LIST_ITEMS) {
          throw refuseFields([{ pointer, message: `must not have more than ${MAX_LIST_ITEMS} items` }])
        }
        items.push(soundValueAt(reading, 2, `${pointer}/${items.length}`))
        yield
      }
    } else {
      members.set(name, mustFit(soundValueAt(reading, 1, pointer)))
      keys += 1 + reading.scan.keys
      if (keys > limits.fields) throw tooManyFields(limits)
    }
  }
  const isTooLong = !Array.isArray(members.get(listName)) && reading.at - start > limits.valueBytes
  if (isTooLong) throw limits.tooLarge('value')
  return Object.fromEntries(members)
}

/** Goes from item to item of the list or object that begins here, and behind its end. The caller reads each item. */
function* placesOfItems(reading: Reading, end = LIST_END): Generator<undefined, void> {
  reading.at++
  if (next(reading) !== end) {
    for (;;) {
      yield
      if (next(reading) === end) break
      mustBe(COMMA, reading)
      next(reading)
    }
  }
  reading.at++
}

/** The name of the member that begins here, up to its value. */
function nameAt(reading: Reading): string {
  if (next(reading) !== QUOTE) throw isMalformed(reading.body, reading.at)
  const name = mustFit(soundValueAt(reading, 1, '')) as string
  mustBe(COLON, reading)
  next(reading)
  return name
}

/** The byte at which the next token begins. */
function next(reading: Reading): number | undefined {
  const { body } = reading
  while (reading.at < body.length && isWhiteSpace(body[reading.at] as number)) reading.at++
  return body[reading.at]
}

function mustBe(byte: number, reading: Reading) {
  if (next(reading) !== byte) throw isMalformed(reading.body, reading.at)
  reading.at++
}

/** Why a value that is JSON cannot be accepted, with a pointer into the value, and the byte where. */
class Fault {
  readonly error: FieldError
  readonly at: number

  constructor(error: FieldError, at: number) {
    this.error = error
    this.at = at
  }
}

/** Reads the value that begins here, or throws because of a fault in it. A value that exceeds its limits is returned as a refusal. */
function soundValueAt(reading: Reading, depth: number, pointer: string): unknown {
  const value = valueAt(reading, depth, pointer)
  if (value instanceof Fault) throw refusalOfBody(reading.body, value, pointer)
  return value
}

/** The refusal of a whole body for a fault in the value at `pointer`. */
function refusalOfBody(body: Buffer, { error, at }: Fault, pointer: string): Refusal {
  return refuseFields([below(pointer, error)]).at(positionAt(body, at))
}

function valueAt(reading: Reading, depth: number, pointer: string): unknown {
  const { body, at: start, left, scan, limits } = reading
  scanValue(body, { start, depth, maxCost: left }, scan)
  const { end, cost } = scan
  reading.at = end
  reading.left -= cost
  const isTooLong = end - start > limits.valueBytes
  if (cost > left) {
    // What follows the fault was not scanned.
    if (scan.fault !== '' && !isTooLong) throw refusalOfBody(body, faultIn(body, start, scan), pointer)
    const message = `A body may hold ${limits.values} values, counted at every depth. Send a list in parts.`
    throw new Refusal('BodyTooLarge', message)
  }
  if (isTooLong) return limits.tooLarge('value')
  if (scan.keys > limits.fields) return tooManyFields(limits)
  const text = body.toString('utf8', start, end)
  const value = parse(text)
  if (value === undefined) throw isMalformedWithin(body, start, { text, pointer })
  if (scan.fault !== '') return faultIn(body, start, scan)
  if (countKeys(value) === scan.keys) return value
  const { at, ...error } = endOfSyntax(text).badKey
  return new Fault(error, start + Buffer.byteLength(text.slice(0, at)))
}

function faultIn(body: Buffer, start: number, { fault, faultAt, faultEnd }: Scan): Fault {
  const { pointer } = endOfSyntax(body.toString('utf8', start, faultEnd))
  return new Fault({ pointer, message: fault }, faultAt)
}

/** The value of a text; undefined, which no JSON is, where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mustFit(value: unknown): unknown {
  if (value instanceof Refusal) throw value
  return value
}

export function tooManyFields({ fields }: Pick<JsonLimits, 'fields'> = DEFAULT_LIMITS): Refusal {
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
