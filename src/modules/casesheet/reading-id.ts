// A reading as text: its identity and what is stored of it. The identity of a reading is its content: the same reading sent
// again, with its fields in any order, has the same id, so storing it again meets its own key and does nothing.
import { contentUuid } from '../../db/content-uuid.ts'
import type { Reading } from './reading.ts'

// Ids below and above every id there is (ours have version 8): a walk along the index begins beside its first reading.
export const UUID_FORM = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function readingIdOf(reading: Reading): string {
  return contentUuid(canonicalJson(reading))
}

/** JSON in the one form of RFC 8785: no white space, keys in order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarJson(value)
  let parts = ''
  if (Array.isArray(value)) {
    for (const item of value) parts += `${parts === '' ? '' : ','}${canonicalJson(item)}`
    return `[${parts}]`
  }
  for (const key of inOrder(Object.keys(value))) {
    parts += `${parts === '' ? '' : ','}${quoted(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`
  }
  return `{${parts}}`
}

/** From this length on, a text is worth a look whether its escaping can be left out. */
const LONG_TEXT = 1_000

/**
 * The id of a reading, and its fields that have no column of their own, in the order sent: as JSON, and as the element of an
 * array that PostgreSQL reads. Long texts make up most of a large reading: each is written once and used in all three.
 */
export function textsOf(reading: Reading) {
  const keys = Object.keys(reading)
  const canonical: string[] = []
  let details = ''
  let element = ''
  let unescaped = ''
  for (const key of keys) {
    const value = reading[key]
    const name = quoted(key)
    const text = canonicalJson(value)
    canonical.push(`${name}:${text}`)
    if (key === 'patientUid' || key === 'readingType' || key === 'timestamp') continue
    const comma = details === '' ? '' : ','
    // Only an object can have been sent in another order.
    const sent = typeof value === 'object' && value !== null ? JSON.stringify(value) : text
    details += `${comma}${name}:${sent}`
    if (typeof value === 'string' && value.length > LONG_TEXT && text.length === value.length + 2) {
      element += `${escaped(`${unescaped}${comma}${name}:`)}\\"${value}\\"`
      unescaped = ''
    } else unescaped += `${comma}${name}:${sent}`
  }
  return {
    readingId: contentUuid(`{${inOrderOf(keys, canonical).join()}}`),
    details: `{${details}}`,
    element: `"{${element}${escaped(unescaped)}}"`,
  }
}

function inOrderOf(keys: string[], fields: string[]): (string | undefined)[] {
  if (areInOrder(keys)) return fields
  const fieldOf = new Map<string, string | undefined>()
  for (const [index, key] of keys.entries()) fieldOf.set(key, fields[index])
  return keys.sort().map((key) => fieldOf.get(key))
}

function inOrder(keys: string[]): string[] {
  // Without a comparison of its own, `sort` goes by UTF-16 code units.
  return areInOrder(keys) ? keys : keys.sort()
}

function areInOrder(keys: string[]): boolean {
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at - 1] as string) > (keys[at] as string)) return false
  }
  return true
}

function scalarJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  return typeof value === 'number' ? `${value}` : JSON.stringify(value)
}

// oxlint-disable-next-line no-control-regex -- JSON has an escape for each
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/

/** What `JSON.stringify` writes of a text without half surrogate pairs, faster. */
function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Within an element PostgreSQL wants a backslash before each quote and backslash. `JSON.stringify` does just that to JSON,
 * which has no raw control characters.
 */
function escaped(json: string): string {
  return JSON.stringify(json).slice(1, -1)
}
