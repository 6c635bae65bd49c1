// The identity of a reading is its content: the same reading sent again, with its fields in any order, has the same id,
// so storing it again meets its own key and does nothing.
import { contentUuid } from '../../db/content-uuid.ts'
import type { Reading } from './reading.ts'

export function readingIdOf(reading: Reading): string {
  return contentUuid(canonicalJson(reading))
}

/** JSON in the one form of RFC 8785: no white space, keys in order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  // Without a comparison of its own, `sort` goes by UTF-16 code units.
  let fields = ''
  for (const key of Object.keys(value).sort()) {
    fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`
  }
  return `{${fields}}`
}
