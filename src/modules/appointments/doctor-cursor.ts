// Where a page of doctors ended, as text for the caller to send back. It holds no secret and gives no right: the checksum
// is there to refuse a cursor that was changed on its way or belongs to another search, which would skip doctors.
import { hash } from 'node:crypto'
import { cursorIsInvalid } from '../../http/answers/paging.ts'

/** A doctor's place in the order of the list. */
export type Place = { nameKey: string; doctorId: string }

/** The parameters that decide which doctors are listed. */
export type Search = { specialityId?: string; q?: string; language?: string; city?: string }

export const START: Place = { nameKey: '', doctorId: '' }

export function cursorOf({ nameKey, doctorId }: Place, search: Search): string {
  const { specialityId = null, q = null, language = null, city = null } = search
  const content = JSON.stringify([nameKey, doctorId, specialityId, q, language, city])
  const checksum = hash('sha256', content, 'base64url').slice(0, 11)
  return Buffer.from(JSON.stringify([checksum, nameKey, doctorId])).toString('base64url')
}

export function placeOf(cursor: string, search: Search): Place {
  const [, nameKey, doctorId] = partsOf(cursor)
  if (isText(nameKey) && isText(doctorId) && cursorOf({ nameKey, doctorId }, search) === cursor) {
    return { nameKey, doctorId }
  }
  throw cursorIsInvalid()
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

/** Text that PostgreSQL can take: whoever computes the checksum could smuggle in what it cannot. */
function isText(part: unknown): part is string {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\0')
}
