// GET doctors/list: a page of the directory in order of name, then id.
import { type Static, type TSchemaOptions, Type } from 'typebox'
import type { Db } from '../../db/db.ts'
import { errorAnswers } from '../../http/answers/error-examples.ts'
import { notModified, withEtag } from '../../http/answers/etag.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../http/answers/paging.ts'
import { checkFor } from '../../http/json/validation.ts'
import { exampleBeside } from '../../http/openapi.ts'
import { refuseFields } from '../../refusal.ts'
import type { VersionedPage } from './cached-pages.ts'
import { EXAMPLE_DOCTOR } from './doctor.ts'
import { cursorOf, placeOf, START } from './doctor-cursor.ts'
import { DEFAULT_LIMIT, findDoctors } from './find-doctors.ts'
import { LANGUAGE_TAG, type Language, languageOf } from './language.ts'
import { searchKeyOf } from './search-key.ts'

const MESSAGE = 'Doctors obtained successfully.'

function textFilter(options: TSchemaOptions) {
  return Type.Optional(
    Type.String({ maxLength: 200, pattern: '\\S', 'x-mustBe': 'a text of 1 to 200 characters', ...options }),
  )
}

const EXAMPLE_SEARCH = {
  specialityId: EXAMPLE_DOCTOR.specialities[0]?.specialityId ?? '',
  q: 'willow',
  language: 'en',
  city: 'Pune',
}
const EXAMPLE_CURSOR = cursorOf(
  { nameKey: searchKeyOf(EXAMPLE_DOCTOR.name), doctorId: EXAMPLE_DOCTOR.doctorId },
  EXAMPLE_SEARCH,
)

export const DoctorsQuery = Type.Object(
  {
    specialityId: textFilter({
      description: 'Only doctors with this specialty.',
      ...exampleBeside(EXAMPLE_SEARCH.specialityId),
    }),
    q: textFilter({
      description:
        'Part of a name, in any case, accents ignored. Fewer than three letters or digits in a row match the beginning of a word.',
      examples: [EXAMPLE_SEARCH.q],
    }),
    language: textFilter({
      description: 'Only doctors who speak it; `en` also finds `en-IN`.',
      'x-mustBe': LANGUAGE_TAG,
      ...exampleBeside(EXAMPLE_SEARCH.language),
    }),
    city: textFilter({
      description: 'Only doctors in this city, in any case, accents ignored.',
      ...exampleBeside(EXAMPLE_SEARCH.city),
    }),
    limit: limitParameter({ description: 'Maximum number of doctors per page.', default: DEFAULT_LIMIT }),
    cursor: cursorParameter(EXAMPLE_CURSOR),
  },
  { additionalProperties: false },
)
export type DoctorsQuery = Static<typeof DoctorsQuery>

const DoctorsAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'Doctor#' })),
    nextCursor: NextCursor,
  },
  {
    additionalProperties: false,
    description: 'Doctors, ordered by name.',
    'x-examples': {
      last: { summary: 'All doctors, or the last page', value: exampleAnswer(null) },
      page: { summary: 'A page with more to follow', value: exampleAnswer(EXAMPLE_CURSOR) },
    },
  },
)

export const listDoctorsContract = {
  tags: ['appointments'],
  operationId: 'listDoctors',
  summary: 'Get doctors list',
  description:
    'Ordered by name, ignoring case and accents. Filters can be combined. Send the ETag of an earlier answer in ' +
    'If-None-Match to get 304 if nothing has changed.',
  querystring: DoctorsQuery,
  response: {
    200: Type.Unsafe<string | Buffer>(DoctorsAnswer),
    304: notModified('Not modified: If-None-Match names this page.'),
    ...errorAnswers(checkFor(DoctorsQuery)({ limit: 0 }), 'InvalidCursor'),
  },
}

/** The parameters that decide what a page holds. */
export function pageKeyOf({ limit, cursor, specialityId, q, language, city }: DoctorsQuery): string {
  return JSON.stringify([limit, cursor, specialityId, q, language, city])
}

export async function listDoctors(db: Db, query: DoctorsQuery): Promise<VersionedPage> {
  const { limit = DEFAULT_LIMIT, cursor, ...search } = query
  const after = cursor === undefined ? START : placeOf(cursor, search)
  const language = search.language === undefined ? undefined : mustBeLanguage(search.language)
  const { doctors, next, version } = await findDoctors(db, { ...search, language }, after, limit)
  const nextCursor = JSON.stringify(next && cursorOf(next, search))
  const body = `{"status":"success","message":"${MESSAGE}","data":[${doctors}],"nextCursor":${nextCursor}}`
  return { answer: withEtag(Buffer.from(body)), version }
}

function mustBeLanguage(tag: string): Language {
  const language = languageOf(tag)
  if (!language) throw refuseFields([{ pointer: '/language', message: `must be ${LANGUAGE_TAG}` }])
  return language
}

function exampleAnswer(nextCursor: string | null) {
  return { status: 'success', message: MESSAGE, data: [EXAMPLE_DOCTOR], nextCursor }
}
