// Finds a page of doctors. The pages that most ask for are read in shared statements (shared-pages.ts). Any other search is a
// statement of its own, whose text depends on the filters that are given, so that each of them is answered from an index and,
// as far as can be, in the order of the list, however deep the page:
//
//   none, city      a range of doctors_by_name or doctors_by_city
//   specialityId    a range of doctor_specialities, which repeats name_key for this
//   doctorId        the primary key, once for each of the ids
//   q, language     doctors_by_part_of_name or doctors_by_language and a sort; or, where many match, a walk along the
//                   range until the page is full
//
// PostgreSQL plans these for their values each time, which costs a millisecond: it knows that `zimmer` is rare and `en` is not. So
// they have sessions of their own (`search`).
import type { Db } from '../../db/db.ts'
import type { Statement } from '../../db/statement.ts'
import { searchKeyOf } from '../../search-key.ts'
import type { Place } from './doctor-cursor.ts'
import { FILTER_NAMES, type FilterName, type Filters } from './doctor-filters.ts'
import { type Asked, type PageRow, type Printed, printPage, VERSION } from './doctor-page.ts'
import { createReadSharedPage } from './shared-pages.ts'

export const DEFAULT_LIMIT = 100

type Parameter = (value: unknown) => string

/** How one filter is part of a statement. */
type Condition<Value> = {
  /** The table whose column it compares: every entry of the list has it, or only the doctor's own row. */
  row: 'entry' | 'doctor'
  /** False where the value is part of every name. */
  where: (row: string, value: Value, parameter: Parameter) => string | false
}

const CONDITIONS: { [Name in FilterName]: Condition<NonNullable<Filters[Name]>> } = {
  specialityId: {
    row: 'entry',
    where: (row, specialityId, parameter) => `${row}.speciality_id = ${parameter(specialityId)}`,
  },
  city: {
    row: 'doctor',
    where: (row, city, parameter) => `${row}.city_key = ${parameter(searchKeyOf(city))}`,
  },
  language: {
    row: 'doctor',
    where: (row, language, parameter) => `${row}.language_keys @> array[${parameter(language.keys.at(-1))}]`,
  },
  q: {
    row: 'entry',
    where: (row, q, parameter) => nameMatches(row, searchKeyOf(q), parameter),
  },
  doctorId: {
    row: 'entry',
    where: (row, doctorIds, parameter) => `${row}.doctor_id = any(${parameter(doctorIds)})`,
  },
}

/** Doctors as the JSON text of a list without its brackets, and where to go on, if there are more. */
type Page = {
  doctors: string
  next: Place | null
  /** That of the directory, in the same snapshot. */
  version: string
}

export type FindDoctors = (filters: Filters, asked: Asked) => Promise<Page>

export function createFindDoctors(db: Db): FindDoctors {
  const readSharedPage = createReadSharedPage(db)
  async function read(filters: Filters, asked: Asked, printed: Printed) {
    const statement = findStatement(filters, asked, printed)
    const [row] = await db.query<PageRow>(statement, { on: 'search', subject: asked.subject })
    if (!row) throw new Error('A page without rows is one row.')
    return row
  }
  return async (filters, asked) => {
    let row = await readSharedPage(filters, asked)
    row ??= await read(filters, asked, 'listed_doctors')
    if (row.listed < row.found) row = await read(filters, asked, 'doctors_to_list')
    return {
      version: row.version,
      doctors: row.doctors ?? '',
      next: row.found > asked.limit ? { nameKey: row.last_name_key, doctorId: row.last_doctor_id } : null,
    }
  }
}

/** The doctor with this id as JSON, if there is one. */
export async function findDoctor(db: Db, doctorId: string, subject: string): Promise<string | undefined> {
  const statement = {
    name: 'find-doctor',
    text: 'select listed from appointments.doctors_to_list where doctor_id = $1',
    values: [doctorId],
  }
  const [row] = await db.query<{ listed: string }>(statement, { subject })
  return row?.listed
}

/** Whether the directory has a doctor with this id who is active. */
export async function isActiveDoctor(db: Db, doctorId: string, subject: string): Promise<boolean> {
  const statement = {
    name: 'is-active-doctor',
    text: 'select is_active from appointments.doctors where doctor_id = $1',
    values: [doctorId],
  }
  const [row] = await db.query<{ is_active: boolean }>(statement, { subject })
  return row?.is_active ?? false
}

/** Exported for the test that asks PostgreSQL how it would answer. */
export function findStatement(
  filters: Filters,
  { after, limit }: Pick<Asked, 'after' | 'limit'>,
  printed: Printed,
): Statement {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined)
  const isJoined = filters.specialityId !== undefined
  const conditions = [
    // Left out where it says nothing: PostgreSQL would begin there, and not where names begin with q.
    after !== null &&
      `(entry.name_key, entry.doctor_id) > (${parameter(after.nameKey)}, ${parameter(after.doctorId)})`,
    ...given.map((name) => conditionOf(name, filters[name], { isJoined, parameter })),
  ].filter((condition) => condition !== false)
  const entries = `${sourceOf(given)}
        where ${conditions.join('\n          and ') || 'true'}`
  const text = `
    select ${VERSION}, page.*
    from (${printPage(entries, limit, printed)}
    ) as page`
  return { name: '', text, values }
}

function conditionOf<Name extends FilterName>(
  name: Name,
  value: Filters[Name],
  { isJoined, parameter }: { isJoined: boolean; parameter: Parameter },
): string | false {
  const { row, where } = CONDITIONS[name]
  return value !== undefined && where(isJoined ? row : 'entry', value, parameter)
}

/** Of a speciality the list is an index of its own, and the doctors are joined where a filter compares a column of theirs. */
function sourceOf(given: FilterName[]): string {
  if (!given.includes('specialityId')) return 'appointments.doctors as entry'
  if (given.every((name) => CONDITIONS[name].row === 'entry'))
    return 'appointments.doctor_specialities as entry'
  return `appointments.doctor_specialities as entry
      join appointments.doctors as doctor using (doctor_id)`
}

const WORD_STARTS = [' ', '-', "'"]

/**
 * Three letters or digits in a row are a trigram to look up, so they may stand anywhere in a name. Fewer are looked up as the
 * beginning of a word, after a blank, a hyphen or an apostrophe: that is a trigram too. A search that begins with a sign
 * has none, and finds nothing. What is nothing but accents is part of every name.
 */
function nameMatches(row: string, part: string, parameter: Parameter): string | false {
  if (part === '') return false
  const pattern = part.replace(/[\\%_]/g, '\\$&')
  const like = (text: string) => `${row}.name_key like ${parameter(text)}`
  if (/[\p{L}\p{N}]{3}/u.test(part)) return like(`%${pattern}%`)
  if (!/^[\p{L}\p{N}]/u.test(part)) return 'false'
  return `(${[`${pattern}%`, ...WORD_STARTS.map((sign) => `%${sign}${pattern}%`)].map(like).join(' or ')})`
}
