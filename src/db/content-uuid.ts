// Ids made from content: the same content has the same id in every database.
import { hash } from 'node:crypto'

/** SHA-256 of a text as a UUID of version 8 (RFC 9562: for ids of one's own making). */
export function contentUuid(content: string): string {
  const hex = hash('sha256', content, 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
