// Reads a body that is an object with a list of values, such as a Bundle of FHIR. Each item of the list is read like an item
// of a body that is a list: scanned before it is parsed, one after the other, each within the limits of one value. So are the
// fields beside the list, and an object without it is within the limits of one value as a whole.
import { isUtf8 } from 'node:buffer'
import { Refusal, refuseFields } from '../../refusal.ts'
import { endOfUtf8 } from './fault-position.ts'
import { runInPieces } from './pieces.ts'
import { newScan, type Scan } from './scan-json.ts'
import {
  isMalformed,
  type JsonLimits,
  MAX_LIST_ITEMS,
  mustEndAt,
  type Parsed,
  parseStrictJson,
  readValue,
  skipWhiteSpace,
  tooManyFields,
} from './strict-json.ts'

const OBJECT = 0x7b // {
const OBJECT_END = 0x7d // }
const LIST = 0x5b // [
const LIST_END = 0x5d // ]
const COMMA = 0x2c
const COLON = 0x3a
const QUOTE = 0x22

/** The name of the list, and the limits of the body. */
export type ObjectForm = { listName: string; limits: JsonLimits }

/** Reads an object at once: for a body that is not large. */
export function parseStrictObject(body: Buffer, form: ObjectForm): unknown {
  const parsed: Parsed = { value: undefined }
  const steps = stepsOf(body, form, parsed)
  while (!steps.next().done);
  return parsed.value
}

/** Reads an object item by item, so that other requests are served meanwhile. */
export async function parseObjectInPieces(body: Buffer, form: ObjectForm): Promise<unknown> {
  const parsed: Parsed = { value: undefined }
  await runInPieces(stepsOf(body, form, parsed))
  return parsed.value
}

/** How far a body has been read, and what it may still hold. */
type Reading = { body: Buffer; at: number; left: number; scan: Scan; limits: JsonLimits }

function* stepsOf(body: Buffer, { listName, limits }: ObjectForm, parsed: Parsed) {
  const start = skipWhiteSpace(body, 0)
  if (body[start] !== OBJECT) {
    parsed.value = parseStrictJson(body, limits)
    return
  }
  // Most bodies are one value. A list whose name is written with escapes is read as a part of it.
  const isOne = !body.includes(`"${listName}"`)
  if (isOne && body.length > limits.valueBytes) throw limits.tooLarge('body')
  if (!isUtf8(body)) throw isMalformed(body, endOfUtf8(body), 'The body must be JSON in UTF-8')
  const reading: Reading = { body, at: start, left: limits.values, scan: newScan(), limits }
  if (isOne) {
    parsed.value = mustFit(valueAt(reading, { depth: 0, pointer: '' }))
    mustEndAt(body, reading.at)
    return
  }
  reading.at++
  const members = new Map<string, unknown>()
  let keys = 0
  for (let token = next(reading); token !== OBJECT_END || members.size > 0; token = next(reading)) {
    const name = nameAt(reading)
    if (members.has(name)) throw refuseFields([{ pointer: `/${name}`, message: 'must not be given twice' }])
    if (name === '__proto__') {
      throw refuseFields([{ pointer: `/${name}`, message: 'is not a field name that can be stored' }])
    }
    if (name === listName && next(reading) === LIST) {
      const items: unknown[] = []
      members.set(name, items)
      yield* itemsOf(reading, name, items)
    } else {
      members.set(name, mustFit(valueAt(reading, { depth: 1, pointer: `/${name}` })))
      keys += 1 + reading.scan.keys
      if (keys > limits.fields) throw tooManyFields(limits)
    }
    const separator = next(reading)
    if (separator === OBJECT_END) break
    if (separator !== COMMA) throw isMalformed(body, reading.at)
    reading.at++
  }
  mustEndAt(body, reading.at + 1)
  const hasList = Array.isArray(members.get(listName))
  if (!hasList && reading.at + 1 - start > limits.valueBytes) throw limits.tooLarge('value')
  parsed.value = Object.fromEntries(members)
}

/** The items of the list that begins here. */
function* itemsOf(reading: Reading, name: string, items: unknown[]) {
  const { body } = reading
  reading.at++
  while (next(reading) !== LIST_END || items.length > 0) {
    if (items.length === MAX_LIST_ITEMS) {
      throw refuseFields([
        { pointer: `/${name}`, message: `must not have more than ${MAX_LIST_ITEMS} items` },
      ])
    }
    items.push(valueAt(reading, { depth: 2, pointer: `/${name}/${items.length}` }))
    yield
    if (next(reading) === LIST_END) break
    if (body[reading.at] !== COMMA) throw isMalformed(body, reading.at)
    reading.at++
    next(reading)
  }
  reading.at++
}

/** The byte at which the next token begins. */
function next(reading: Reading): number | undefined {
  reading.at = skipWhiteSpace(reading.body, reading.at)
  return reading.body[reading.at]
}

/** The name of the member that begins here, up to its value. */
function nameAt(reading: Reading): string {
  const { body, at } = reading
  if (body[at] !== QUOTE) throw isMalformed(body, at)
  const name = mustFit(valueAt(reading, { depth: 1, pointer: '' })) as string
  if (next(reading) !== COLON) throw isMalformed(body, reading.at)
  reading.at++
  next(reading)
  return name
}

function valueAt(reading: Reading, { depth, pointer }: { depth: number; pointer: string }): unknown {
  const { body, at, left, scan, limits } = reading
  const value = readValue(body, { start: at, depth, maxCost: left }, { scan, pointer, limits })
  reading.at = scan.end
  reading.left -= scan.cost
  return value
}

function mustFit(value: unknown): unknown {
  if (value instanceof Refusal) throw value
  return value
}
