// Cursors of the list of doctors. The checksum is there to refuse a cursor that was changed on its way or belongs to another
// search, which would skip doctors.
import { hash } from 'node:crypto'
import { createCursors, isStorable } from '../../http/pages.ts'
import { FILTER_NAMES, type Search } from './doctor-filters.ts'

/** A doctor's place in the order of the list. */
export type Place = { nameKey: string; doctorId: string }

export const { cursorOf, positionOf: placeOf } = createCursors<Place, [search: Search]>({
  form: 'json',
  partsOf: ({ nameKey, doctorId }, search) => {
    const content = JSON.stringify([nameKey, doctorId, ...contentOf(search)])
    return [hash('sha256', content, 'base64url').slice(0, 11), nameKey, doctorId]
  },
  positionFrom: ([, nameKey = '', doctorId = '']) =>
    isStorable(nameKey) && isStorable(doctorId) ? { nameKey, doctorId } : undefined,
})

// The filters of the first cursors, in their order: each has its place in the checksum, given or not.
const FIRST_FILTERS = ['specialityId', 'q', 'language', 'city']

/**
 * What the checksum covers of a search. A later filter is covered by name, and only where it is given, so that a cursor that
 * was kept from before the filter existed stays good.
 */
export function contentOf(
  search: Record<string, unknown>,
  names: readonly string[] = FILTER_NAMES,
): unknown[] {
  const later = names
    .filter((name) => !FIRST_FILTERS.includes(name) && search[name] !== undefined)
    .sort()
    .map((name) => [name, search[name]])
  return [...FIRST_FILTERS.map((name) => search[name] ?? null), ...later]
}
