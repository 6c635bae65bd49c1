// Pages of the directory that were never requested before: each request of a run asks for another one. And the pages of a
// doctor's list of patients.
import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { cursorOf } from '../src/modules/appointments/doctor-cursor.ts'
import type { Search } from '../src/modules/appointments/doctor-filters.ts'
import { SPECIALITIES } from './data.ts'

/** How pages are searched, and how many a second should be answered. */
export const NEW_PAGES = [
  { by: 'speciality', perSecond: 1_500 },
  { by: 'name', perSecond: 800 },
  { by: 'language', perSecond: 1_500 },
] as const
type NewPages = (typeof NEW_PAGES)[number]['by']

const LIMIT = 20

/** Writes `count` paths, one a line. */
export function writeNewPages(file: string, by: NewPages, count: number) {
  writeFileSync(file, Array.from({ length: count }, () => pathOf(by)).join('\n'))
}

function pathOf(by: NewPages): string {
  if (by === 'name') return path({ q: nextPartOfName() })
  const search: Search =
    by === 'speciality' ? { specialityId: `bench-${randomInt(SPECIALITIES)}` } : { language: 'en' }
  // A page somewhere in the list, as it follows another one.
  const place = { nameKey: `dr. invented ${randomBytes(16).toString('hex')}`, doctorId: 'bench-0' }
  return path(search, cursorOf(place, search))
}

let parts = 0

/** Five hexadecimal digits, which about 27 of a million doctors have in their names; each of a million once, in no order. */
function nextPartOfName(): string {
  return ((parts++ * 0x9_e3_75) % 16 ** 5).toString(16).padStart(5, '0')
}

function path(search: Search, cursor?: string): string {
  const query = new URLSearchParams({ ...search, ...(cursor ? { cursor } : {}), limit: String(LIMIT) })
  return `/appointments/doctors/list?${query.toString()}`
}

/** More requests than a run sends. */
const ROUNDS_OF_PATIENTS = 1_000

/** Walks through the list of patients, and writes the paths of its pages, again and again. */
export async function writePagesOfPatients(file: string, url: string, token: string) {
  const paths: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = `/casesheet/patients/list?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const answer = await fetch(url + page, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`${page} answered ${answer.status}`)
    paths.push(page)
    cursor = ((await answer.json()) as { nextCursor: string | null }).nextCursor
  }
  writeFileSync(file, Array.from({ length: ROUNDS_OF_PATIENTS }, () => paths.join('\n')).join('\n'))
}
