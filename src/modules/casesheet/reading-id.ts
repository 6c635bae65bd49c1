// The identity of a reading is its content: the same reading sent again, with its fields in any order, has the same id,
// so storing it again meets its own key and does nothing.
import { hash } from 'node:crypto'
import type { Reading } from './reading.ts'

/** SHA-256 of the canonical JSON, as a UUID of version 8 (RFC 9562: for ids of one's own making). */
export function readingIdOf(reading: Reading): string {
  const hex = hash('sha256', canonicalJson(reading), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** JSON in the one form of RFC 8785: no white space, keys in order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}
