// GET Practitioner and PractitionerRole: read, and searched page by page. What the directory cannot decide as FHIR does (the
// beginning of a word and not any part of it, one language and not its regions) is decided here on the doctors that it found.
import type { Db } from '../../../db/db.ts'
import { searchKeyOf } from '../../../search-key.ts'
import { cursorOf, type Place, placeOf } from '../../appointments/doctor-cursor.ts'
import type { Search } from '../../appointments/doctor-filters.ts'
import { type FindDoctors, findDoctor } from '../../appointments/find-doctors.ts'
import { languageOf } from '../../appointments/language.ts'
import type { Entry, Found } from '../search/bundle.ts'
import {
  countIn,
  isCountWanted,
  MAX_COUNT,
  onlyText,
  type Parameter,
  plainValue,
  refuseParameter,
  type Sent,
} from '../search/search-query.ts'
import { matches, type Token, tokenFrom } from '../search/token.ts'
import { LANGUAGE, SPECIALITY } from '../systems.ts'
import { type Doctor, doctorToPractitioner, doctorToRole } from './doctor-to-practitioner.ts'

const ACTIVE: Parameter = { name: 'active', type: 'token', documentation: 'true or false.' }
const ID: Parameter = { name: '_id', type: 'token', documentation: 'The id.' }

export const PRACTITIONER_PARAMETERS: readonly Parameter[] = [
  ID,
  {
    name: 'name',
    type: 'string',
    modifiers: ['contains', 'exact'],
    documentation:
      'The beginning of a word of the name, in any case, accents ignored; :contains for any part of three letters.',
  },
  { name: 'communication', type: 'token', documentation: 'A language tag.' },
  ACTIVE,
]

export const ROLE_PARAMETERS: readonly Parameter[] = [
  ID,
  {
    name: 'practitioner',
    type: 'reference',
    modifiers: ['Practitioner'],
    documentation: 'The Practitioner.',
  },
  { name: 'specialty', type: 'token', documentation: `The id of a speciality, of the system ${SPECIALITY}.` },
  ACTIVE,
]

const MAX_PAGES = 8
const MAX_CHARS = 200

const MAKE = { Practitioner: doctorToPractitioner, PractitionerRole: doctorToRole }
export type DoctorResource = keyof typeof MAKE

/** The resource with this id, if the directory has its doctor. */
export async function readDoctor(db: Db, resource: DoctorResource, id: string, subject: string) {
  const doctorId = doctorIdFrom(id)
  const found = doctorId === undefined ? undefined : await findDoctor(db, doctorId, subject)
  return found === undefined ? undefined : MAKE[resource](JSON.parse(found) as Doctor, id)
}

type Conditions = { search: Search; id: string | undefined; holds: (doctor: Doctor) => boolean }

export async function searchDoctors(
  { db, findDoctors }: { db: Db; findDoctors: FindDoctors },
  resource: DoctorResource,
  sent: readonly Sent[],
  { base, subject }: { base: string; subject: string },
): Promise<Found> {
  const { search, id, holds } = conditionsIn(sent, base)
  const count = isCountWanted(sent) ? MAX_COUNT : countIn(sent)
  const entryOf = (doctor: Doctor): Entry[] => {
    const resourceId = practitionerIdOf(doctor.doctorId)
    if (resourceId === undefined) return []
    const text = JSON.stringify(MAKE[resource](doctor, resourceId))
    return [{ fullUrl: `${base}/${resource}/${resourceId}`, text }]
  }
  if (id !== undefined) {
    const doctorId = doctorIdFrom(id)
    const found = doctorId === undefined ? undefined : await findDoctor(db, doctorId, subject)
    const doctors = found === undefined ? [] : [JSON.parse(found) as Doctor].filter(holds)
    return { entries: doctors.flatMap(entryOf), nextCursor: null }
  }
  const filters = {
    ...search,
    language: search.language === undefined ? undefined : languageOf(search.language),
  }
  const entries: Entry[] = []
  let after = placeOf(onlyText(sent, 'cursor'), search)
  for (let page = 1; ; page++) {
    const { doctors, next } = await findDoctors(filters, { after, limit: count, subject })
    const listed = JSON.parse(`[${doctors}]`) as Doctor[]
    for (const [index, doctor] of listed.entries()) {
      if (holds(doctor)) entries.push(...entryOf(doctor))
      const isLast = next === null && index === listed.length - 1
      if (entries.length === count && !isLast)
        return { entries, nextCursor: cursorOf(placeBehind(doctor), search) }
    }
    if (next === null) return { entries, nextCursor: null }
    if (page === MAX_PAGES) return { entries, nextCursor: cursorOf(next, search) }
    after = next
  }
}

function placeBehind({ name, doctorId }: Doctor): Place {
  return { nameKey: searchKeyOf(name), doctorId }
}

function conditionsIn(sent: readonly Sent[], base: string): Conditions {
  const tests: ((doctor: Doctor) => boolean)[] = []
  const search: Search = {}
  let id: string | undefined
  for (const { name, modifier, values } of sent) {
    if (name.startsWith('_') && name !== '_id') continue
    if (name === 'cursor') continue
    const [value = '', ...others] = values
    if (others.length > 0) throw refuseParameter(name, 'must have one value here')
    if (name === '_id' || name === 'practitioner') {
      const text = plainValue(value)
      const relative = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text
      const named = relative.replace(/^Practitioner\//, '')
      if (id !== undefined && id !== named) tests.push(() => false)
      id = named
    } else if (name === 'name') {
      if (search.q !== undefined) throw refuseParameter(name, 'must be given once')
      search.q = mustBeShort(plainValue(value), name)
      tests.push(nameTest(search.q, searchKeyOf(search.q), modifier))
    } else if (name === 'active') {
      tests.push(({ isActive }) => matches(tokenFrom(value), { code: String(isActive) }))
    } else {
      const token = tokenFrom(value)
      mustBeShort(token.code ?? '', name)
      tests.push(tokenTest(name, token, search))
    }
  }
  return { search, id, holds: (doctor) => tests.every((test) => test(doctor)) }
}

/** As in doctors/list: the database compares it with every name that it looks at. */
function mustBeShort(text: string, name: string): string {
  // A character has at most two code units: a long text is not gone through.
  if (text.length <= 2 * MAX_CHARS && Array.from(text).length <= MAX_CHARS) return text
  throw refuseParameter(name, `must not have more than ${MAX_CHARS} characters`)
}

function nameTest(text: string, key: string, modifier: string): (doctor: Doctor) => boolean {
  if (modifier === 'exact') return ({ name }) => name === text
  if (modifier === 'contains') {
    if (!/[\p{L}\p{N}]{3}/u.test(key))
      throw refuseParameter('name', 'must have three letters or digits in a row')
    return ({ name }) => searchKeyOf(name).includes(key)
  }
  return ({ name }) => startsAWord(searchKeyOf(name), key)
}

/** Whether a text, or a word of it, begins so. */
function startsAWord(text: string, beginning: string): boolean {
  let at = text.indexOf(beginning)
  while (at !== -1) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
    at = text.indexOf(beginning, at + 1)
  }
  return false
}

/** `specialty` and `communication`; the first of each is looked up in an index, and the test decides. */
function tokenTest(name: string, token: Token, search: Search): (doctor: Doctor) => boolean {
  if (name === 'specialty') {
    if (token.code !== undefined && token.system !== '') search.specialityId ??= token.code
    return ({ specialities }) =>
      specialities.some(({ specialityId }) => matches(token, { system: SPECIALITY, code: specialityId }))
  }
  const tag = token.code === undefined ? undefined : languageOf(token.code)?.tag
  if (token.code !== undefined && tag === undefined) return () => false
  if (tag !== undefined) search.language ??= tag
  const wanted = { ...token, ...(tag === undefined ? {} : { code: tag }) }
  return ({ languages }) => languages.some((code) => matches(wanted, { system: LANGUAGE, code }))
}

// Ids of doctors as ids of FHIR. An id that FHIR allows stays as it is; any other is written in base64 behind two dots, if it
// is not too long for that.
const PLAIN = /^(?!\.\.)[A-Za-z0-9.-]{1,64}$/
const CODED = '..'
const MAX_BYTES = 46

function practitionerIdOf(doctorId: string): string | undefined {
  if (PLAIN.test(doctorId)) return doctorId
  const bytes = Buffer.from(doctorId)
  if (bytes.length > MAX_BYTES) return undefined
  return `${CODED}${bytes.toString('base64url').replaceAll('_', '.')}`
}

/** The doctor whose id this is; undefined where it is none that was written here. */
function doctorIdFrom(practitionerId: string): string | undefined {
  if (PLAIN.test(practitionerId)) return practitionerId
  if (!practitionerId.startsWith(CODED)) return undefined
  const doctorId = Buffer.from(practitionerId.slice(2).replaceAll('.', '_'), 'base64url').toString()
  return practitionerIdOf(doctorId) === practitionerId && !/\p{Cc}/u.test(doctorId) ? doctorId : undefined
}
