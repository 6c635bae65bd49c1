// Cursors of the list of doctors. The checksum is there to refuse a cursor that was changed on its way or belongs to another
// search, which would skip doctors.
import { hash } from 'node:crypto'
import { createCursors } from '../../http/answers/cursors.ts'

/** A doctor's place in the order of the list. */
export type Place = { nameKey: string; doctorId: string }

/** The parameters that decide which doctors are listed. */
export type Search = { specialityId?: string; q?: string; language?: string; city?: string }

export const START: Place = { nameKey: '', doctorId: '' }

export const { cursorOf, positionOf: placeOf } = createCursors<Place, [search: Search]>({
  form: 'json',
  partsOf: ({ nameKey, doctorId }, { specialityId = null, q = null, language = null, city = null }) => {
    const content = JSON.stringify([nameKey, doctorId, specialityId, q, language, city])
    return [hash('sha256', content, 'base64url').slice(0, 11), nameKey, doctorId]
  },
  positionFrom: ([, nameKey = '', doctorId = '']) =>
    isStorable(nameKey) && isStorable(doctorId) ? { nameKey, doctorId } : undefined,
})

/** Whether PostgreSQL can take a text: the checksum is no secret, so a caller could send any. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
