// Searches of the directory that concurrent requests share: pages by speciality, and by a language that many speak. Each page is a
// short range of an index, so one statement reads many of them, and none delays the others for long. All other searches
// are sent alone, as find-doctors.ts says.
import { shareStatements } from '../../db/batch.ts'
import type { Db, Statement } from '../../db/db.ts'
import type { Place } from './doctor-cursor.ts'
import {
  type Filters,
  findDoctors,
  findStatement,
  type Page,
  PLANNED_LIMITS,
  pageFrom,
  type Row,
  selectFromPage,
} from './find-doctors.ts'

export type FindDoctors = (filters: Filters, after: Place, limit: number) => Promise<Page>

/** Doctors of the pages of one statement, at most. */
const MAX_DOCTORS = 1_000
/** One runs, and the next is ready. */
const MAX_IN_FLIGHT = 2
/** Doctors that are looked at for each one of a page by language. Where fewer speak it, PostgreSQL plans for the language. */
const LOOKED_AT = 8

/** Which doctors of a search are on its page, and how many were looked at for it. */
type Shared = { name: string; page: string; lookedAt: string }
type Search = { value: string; filters: Filters; after: Place; limit: number }
type SharedRow = Row & { n: number; looked_at: number }

const bySpeciality: Shared = {
  name: 'by-speciality',
  page: `page as materialized (
        select entry.name_key, entry.doctor_id,
          row_number() over (order by entry.name_key, entry.doctor_id) as position
        from appointments.doctor_specialities as entry
        where entry.speciality_id = asked.value
          and (entry.name_key, entry.doctor_id) > (asked.name_key, asked.doctor_id)
        order by entry.name_key, entry.doctor_id
        limit asked.size + 1
      )`,
  lookedAt: '0',
}

const WALK = `select entry.name_key, entry.doctor_id, entry.language_keys
          from appointments.doctors as entry
          where (entry.name_key, entry.doctor_id) > (asked.name_key, asked.doctor_id)
          order by entry.name_key, entry.doctor_id
          limit ${LOOKED_AT} * (asked.size + 1)`

const byLanguage: Shared = {
  name: 'by-language',
  // The walk ends when the page is full.
  page: `page as materialized (
        select entry.name_key, entry.doctor_id,
          row_number() over (order by entry.name_key, entry.doctor_id) as position
        from (
          ${WALK}
        ) as entry
        where entry.language_keys @> array[asked.value]
        order by entry.name_key, entry.doctor_id
        limit asked.size + 1
      )`,
  lookedAt: `case when count(*) > asked.size then 0 else (
        select count(*)::integer
        from (
          ${WALK}
        ) as walked
      ) end`,
}

export const SHARED = { bySpeciality, byLanguage }

export function shareSearches(db: Db): FindDoctors {
  const ofSpeciality = share(db, bySpeciality)
  const ofLanguage = share(db, byLanguage)
  const neverGone = () => false

  return async (filters, after, limit) => {
    const { specialityId, q, language, city } = filters
    const spoken = language?.keys.at(-1)
    const isShared = q === undefined && city === undefined && PLANNED_LIMITS.has(limit)
    if (isShared && specialityId !== undefined && language === undefined)
      return pageFrom(await ofSpeciality({ value: specialityId, filters, after, limit }, neverGone), limit)
    if (isShared && spoken !== undefined && specialityId === undefined) {
      const row = await ofLanguage({ value: spoken, filters, after, limit }, neverGone)
      // The page is full, or the list has ended.
      if (row.found > limit || row.looked_at < LOOKED_AT * (limit + 1)) return pageFrom(row, limit)
    }
    return findDoctors(db, filters, after, limit)
  }
}

function share(db: Db, shared: Shared) {
  return shareStatements<Search, SharedRow, SharedRow>(db, {
    kind: 'search',
    on: 'search',
    statementFor: (searches) => sharedStatement(shared, searches),
    answersFrom: (rows, searches) => searches.map((_, index) => rowOf(rows, index)),
    weightOf: ({ limit }) => limit,
    maxWeight: MAX_DOCTORS,
    maxInFlight: MAX_IN_FLIGHT,
  })
}

function rowOf(rows: SharedRow[], index: number): SharedRow {
  const row = rows.length === 1 ? rows[0] : rows.find(({ n }) => n === index + 1)
  if (!row) throw new Error('A search has no answer.')
  return row
}

/** Exported for the test that asks PostgreSQL how it would answer. */
export function sharedStatement({ name, page, lookedAt }: Shared, searches: Search[]): Statement {
  const [lone, ...others] = searches
  // Its plan is there already.
  if (lone?.filters.specialityId !== undefined && others.length === 0)
    return findStatement(lone.filters, lone.after, lone.limit)
  return {
    name: `find-doctors-${name}`,
    text: `
    select asked.n::integer, found.*
    from unnest($1::text[], $2::text[], $3::text[], $4::integer[])
      with ordinality as asked (value, name_key, doctor_id, size, n)
    cross join lateral (
      with ${page}
      ${selectFromPage('asked.size', `${lookedAt} as looked_at,`)}
    ) as found`,
    values: [
      searches.map(({ value }) => value),
      searches.map(({ after }) => after.nameKey),
      searches.map(({ after }) => after.doctorId),
      searches.map(({ limit }) => limit),
    ],
  }
}
