// One page of doctors as one statement, whose text depends on the filters that are given, so that each of them is
// answered from an index and, as far as can be, in the order of the list, however deep the page:
//
//   none, city      a range of doctors_by_name or doctors_by_city
//   specialityId    a range of doctor_specialities, which repeats name_key for this
//   doctorId        the primary key, once for each of the ids
//   q, language     doctors_by_part_of_name or doctors_by_language and a sort; or, where many match, a walk along the
//                   range until the page is full. PostgreSQL chooses by how many it expects, so the plan must be
//                   made for the values: these statements have sessions of their own (`search`).
//
// A language alone is first looked for by a walk along the range that ends soon, because planning takes longer than the page of a
// language that many speak. Only where that does not fill the page, PostgreSQL chooses.
//
// PostgreSQL prints the doctors, as one text: the driver has that to decode, not twelve values for each doctor. An import has
// printed them already (appointments.listed_doctors); a doctor changed since by plain SQL is missing there, and then the
// page is read again from appointments.doctors_to_list, which prints them now, at five times the cost.
import type { Db } from '../../db/db.ts'
import type { Statement } from '../../db/statement.ts'
import { searchKeyOf } from '../../search-key.ts'
import type { Place } from './doctor-cursor.ts'
import { FILTER_NAMES, type FilterName, type Search } from './doctor-filters.ts'
import type { Language } from './language.ts'

export const DEFAULT_LIMIT = 100
// Each of these may be a plan of its own in each connection, so they are few: the sizes of pages that screens have.
const PLANNED_LIMITS = new Set([10, 20, 50, DEFAULT_LIMIT])

/** What the caller searches for, with the language that was meant in place of its tag. */
export type Filters = { [Name in Exclude<FilterName, 'language'>]?: Search[Name] | undefined } & {
  language?: Language | undefined
}

type Parameter = (value: unknown) => string

/** How one filter is part of a statement. */
type Condition<Value> = {
  /** The table whose column it compares: every entry of the list has it, or only the doctor's own row. */
  row: 'entry' | 'doctor'
  /** What names its plan, where one plan is right for all values; '' where PostgreSQL must know the value. */
  plan: string
  /** False where the value is part of every name. */
  where: (row: string, value: Value, parameter: Parameter) => string | false
}

const CONDITIONS: { [Name in FilterName]: Condition<NonNullable<Filters[Name]>> } = {
  specialityId: {
    row: 'entry',
    plan: '-of-speciality',
    where: (row, specialityId, parameter) => `${row}.speciality_id = ${parameter(specialityId)}`,
  },
  city: {
    row: 'doctor',
    plan: '-in-city',
    where: (row, city, parameter) => `${row}.city_key = ${parameter(searchKeyOf(city))}`,
  },
  language: {
    row: 'doctor',
    plan: '',
    where: (row, language, parameter) => `${row}.language_keys @> array[${parameter(language.keys.at(-1))}]`,
  },
  q: {
    row: 'entry',
    plan: '',
    where: (row, q, parameter) => nameMatches(row, searchKeyOf(q), parameter),
  },
  doctorId: {
    row: 'entry',
    plan: '',
    where: (row, doctorIds, parameter) => `${row}.doctor_id = any(${parameter(doctorIds)})`,
  },
}

/** `version` is that of the directory, in the same snapshot. */
export type Page = { doctors: string; next: Place | null; version: string }

type Row = {
  version: string
  found: number
  listed: number
  doctors: string | null
  last_name_key: string
  last_doctor_id: string
}

/** Up to `limit` doctors as the JSON text of a list without its brackets, and where to go on, if there are more. */
export async function findDoctors(
  db: Db,
  filters: Filters,
  { after, limit, subject }: { after: Place | null; limit: number; subject: string },
): Promise<Page> {
  const read = async (printed: Printed, way: Way = 'any') => {
    const [row] = await db.query<Row>(findStatement(filters, { after, limit, printed, way }), {
      on: 'search',
      subject,
    })
    if (!row) throw new Error('A page without rows is one row.')
    return row
  }
  let row = isWalkedFirst(filters, limit) ? await read('listed_doctors', 'walk') : undefined
  if (!row || row.found <= limit) row = await read('listed_doctors')
  if (row.listed < row.found) row = await read('doctors_to_list')
  return {
    version: row.version,
    doctors: row.doctors ?? '',
    next: row.found > limit ? { nameKey: row.last_name_key, doctorId: row.last_doctor_id } : null,
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

type Printed = 'listed_doctors' | 'doctors_to_list'

/** Whether only the next doctors of the list are looked at, or as many as it takes. */
type Way = 'walk' | 'any'

type Asked = { after: Place | null; limit: number; printed: Printed; way?: Way }

/** How many doctors are walked over for each that a page holds: a language that one of so many speaks is found by the walk. */
const WALKED_FOR_EACH = 8

function isWalkedFirst(filters: Filters, limit: number): boolean {
  const [name, ...others] = FILTER_NAMES.filter((each) => filters[each] !== undefined)
  return name === 'language' && others.length === 0 && PLANNED_LIMITS.has(limit)
}

/** Exported for the test that asks PostgreSQL how it would answer. */
export function findStatement(filters: Filters, { after, limit, printed, way = 'any' }: Asked): Statement {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined)
  const isJoined = filters.specialityId !== undefined
  // Left out where it says nothing: PostgreSQL would begin there, and not where names begin with q.
  const behind =
    after !== null &&
    `(entry.name_key, entry.doctor_id) > (${parameter(after.nameKey)}, ${parameter(after.doctorId)})`
  const conditions = [
    way === 'any' && behind,
    ...given.map((name) => conditionOf(name, filters[name], { isJoined, parameter })),
  ].filter((condition) => condition !== false)
  const source = way === 'any' ? sourceOf(given) : walkOver(behind, (limit + 1) * WALKED_FOR_EACH)
  // - The limit is written out: PostgreSQL takes a tenth of the table for a limit that it does not know.
  // - "listed" is a subselect, so that each doctor is looked up: a join of 1,000 could read the whole table. "offset 0" has it
  //   evaluated once.
  const text = `
    with page as materialized (
      select entry.name_key, entry.doctor_id,
        row_number() over (order by entry.name_key, entry.doctor_id) as position
      from ${source}
      where ${conditions.join('\n        and ') || 'true'}
      order by entry.name_key, entry.doctor_id
      limit ${limit + 1}
    )
    select
      (select version from appointments.directory) as version,
      count(*)::integer as found,
      count(listed)::integer as listed,
      max(name_key) filter (where position = ${limit}) as last_name_key,
      max(doctor_id) filter (where position = ${limit}) as last_doctor_id,
      string_agg(listed, ',' order by position) filter (where position <= ${limit}) as doctors
    from (
      select
        page.*,
        (select listed from appointments.${printed} as printed where printed.doctor_id = page.doctor_id) as listed
      from page
      offset 0
    ) as page`
  const name =
    way === 'any'
      ? planNameOf(given, after, limit, printed)
      : `walk-${limit}-doctors-by-language${after === null ? '' : '-after'}`
  return { name, text, values }
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

/** The next doctors of the list, which are read only until the page is full. */
function walkOver(behind: string | false, count: number): string {
  return `(
        select name_key, doctor_id, language_keys
        from appointments.doctors as entry
        where ${behind || 'true'}
        order by name_key, doctor_id
        limit ${count}
      ) as entry`
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

/**
 * The name under which a connection keeps the plan: only where one plan is right for all values. Elsewhere PostgreSQL
 * plans each time, which costs a millisecond and knows that `zimmer` is rare and `en` is not.
 */
function planNameOf(given: FilterName[], after: Place | null, limit: number, printed: Printed): string {
  const [name, ...others] = given
  const plan = name === undefined ? '' : CONDITIONS[name].plan
  if (others.length > 0 || (name !== undefined && plan === '')) return ''
  if (!PLANNED_LIMITS.has(limit) || printed === 'doctors_to_list') return ''
  return `find-${limit}-doctors${plan}${after === null ? '' : '-after'}`
}
