// Pages of doctors that concurrent requests read in one statement: all doctors, those of one speciality or of one city, and those
// who speak a language that many speak. Each is the next part of one index, so its cost is bounded and its plan is right for all
// values; planned once, it stays in the connection. Other searches have statements of their own (find-doctors.ts).
//
// For a language only the next doctors of the list are looked at: where many speak it, the page is soon full. Where it is not,
// the page is read again, in a statement for which PostgreSQL chooses the way.
import { textArray } from '../../db/array.ts'
import { shareStatements } from '../../db/batch.ts'
import type { Db } from '../../db/db.ts'
import { OpenOfSubject } from '../../db/open-of-subject.ts'
import type { Statement } from '../../db/statement.ts'
import { searchKeyOf } from '../../search-key.ts'
import type { Place } from './doctor-cursor.ts'
import { FILTER_NAMES, type Filters } from './doctor-filters.ts'
import { type Asked, PAGE_COLUMNS, type PageRow, printPage, VERSION } from './doctor-page.ts'

// Each of these is a plan of its own in each connection, so they are few: the sizes of pages that screens have.
const USUAL_LIMITS = new Set([10, 20, 50, 100])
/** How many doctors are looked at for each that a page holds: a language that one of so many speaks fills its page. */
const WALKED_FOR_EACH = 8
/** 32 pages of 20. */
const MAX_DOCTORS = 640
const MAX_IN_FLIGHT = 2

export type Shape = 'all' | 'of-speciality' | 'in-city' | 'of-language'

/** A page of a shape: of which speciality, city or language it is, and where it begins. */
type PageRequest = { value: string; after: Place | null; subject: string }

/** Reads a page, if it is one of these and is certain to be full or the last. */
export type ReadSharedPage = (filters: Filters, asked: Asked) => Promise<PageRow | undefined>

export function createReadSharedPage(db: Db): ReadSharedPage {
  const share = (shape: Shape, limit: number) =>
    shareStatements<PageRequest, PageRow, PageRow>(db, {
      kind: 'doctors',
      on: 'pages',
      statementFor: (requests) => sharedStatement(shape, limit, requests),
      answersFrom: (rows) => rows,
      subjectOf: ({ subject }) => subject,
      weightOf: () => limit,
      maxWeight: MAX_DOCTORS,
      maxInFlight: MAX_IN_FLIGHT,
    })
  const reads = new Map<string, ReturnType<typeof share>>()
  /** Made when it is first asked for: each has a queue, and few sizes are in use. */
  function readOf(shape: Shape, limit: number) {
    const key = `${shape} ${limit}`
    const read = reads.get(key) ?? share(shape, limit)
    reads.set(key, read)
    return read
  }
  const ofSubject = new OpenOfSubject('pages of doctors')
  return async (filters, { after, limit, subject }) => {
    const found = USUAL_LIMITS.has(limit) ? shapeOf(filters) : undefined
    if (!found) return undefined
    const read = readOf(found.shape, limit)
    const row = await ofSubject.during(subject, () => read({ value: found.value, after, subject }, neverGone))
    return found.shape === 'of-language' && row.found <= limit ? undefined : row
  }
}

/** Other requests may have joined a page for the cache, so it is read also for a client that disconnects. */
const neverGone = () => false

function shapeOf(filters: Filters): { shape: Shape; value: string } | undefined {
  const [name, ...others] = FILTER_NAMES.filter((each) => filters[each] !== undefined)
  if (others.length > 0) return undefined
  const { specialityId, city, language } = filters
  if (name === undefined) return { shape: 'all', value: '' }
  if (specialityId !== undefined) return { shape: 'of-speciality', value: specialityId }
  if (city !== undefined) return { shape: 'in-city', value: searchKeyOf(city) }
  if (language !== undefined) return { shape: 'of-language', value: language.keys.at(-1) ?? '' }
  return undefined
}

const BEHIND = '(entry.name_key, entry.doctor_id) > (asked.name_key, asked.doctor_id)'

const ENTRIES: Record<Shape, (limit: number) => string> = {
  all: () => `appointments.doctors as entry
        where ${BEHIND}`,
  'of-speciality': () => `appointments.doctor_specialities as entry
        where entry.speciality_id = asked.value
          and ${BEHIND}`,
  'in-city': () => `appointments.doctors as entry
        where entry.city_key = asked.value
          and ${BEHIND}`,
  'of-language': (limit) => `(
          select name_key, doctor_id, language_keys
          from appointments.doctors as entry
          where ${BEHIND}
          order by name_key, doctor_id
          limit ${(limit + 1) * WALKED_FOR_EACH}
        ) as entry
        where entry.language_keys @> array[asked.value]`,
}

/** Exported for the test that asks PostgreSQL how it would answer. */
export function sharedStatement(shape: Shape, limit: number, requests: PageRequest[]): Statement {
  return {
    name: `${limit}-doctors-${shape}`,
    text: textOf(shape, limit),
    values: [
      textArray(requests.map(({ value }) => value)),
      // No doctor's id is empty, so all stand behind this place.
      textArray(requests.map(({ after }) => after?.nameKey ?? '')),
      textArray(requests.map(({ after }) => after?.doctorId ?? '')),
    ],
  }
}

function textOf(shape: Shape, limit: number): string {
  return `
    select ${VERSION}, ${PAGE_COLUMNS}
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked (value, name_key, doctor_id, number)
    cross join lateral (${printPage(ENTRIES[shape](limit), limit)}
    ) as page
    order by number`
}
