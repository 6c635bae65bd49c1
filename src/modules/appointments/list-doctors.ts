// GET doctors/list: a page of the directory in order of name, then id.
import { type Static, Type } from 'typebox'
import type { Db } from '../../db/db.ts'
import { type TaggedAnswer, withEtag } from '../../http/etag.ts'
import { errorAnswers } from '../../http/openapi.ts'
import { CursorParameter, limitParameter } from '../../http/paging.ts'
import { refuseFields } from '../../refusal.ts'
import { EXAMPLE_DOCTOR } from './doctor.ts'
import { cursorOf, placeOf, START } from './doctor-cursor.ts'
import { DEFAULT_LIMIT, findDoctors } from './find-doctors.ts'
import { LANGUAGE_TAG, type Language, languageOf } from './language.ts'

const MESSAGE = 'Doctors obtained successfully.'

function textFilter(description: string, mustBe = 'a text of 1 to 200 characters') {
  return Type.Optional(Type.String({ maxLength: 200, pattern: '\\S', description, 'x-mustBe': mustBe }))
}

export const DoctorsQuery = Type.Object(
  {
    specialityId: textFilter('Only doctors of this specialty.'),
    q: textFilter('Part of a name, in any case, accents ignored.'),
    language: textFilter('Only doctors who speak it; `en` also finds `en-IN`.', LANGUAGE_TAG),
    city: textFilter('Only doctors in this city, in any case, accents ignored.'),
    limit: limitParameter({ description: 'At most so many.', default: DEFAULT_LIMIT }),
    cursor: CursorParameter,
  },
  { additionalProperties: false },
)
export type DoctorsQuery = Static<typeof DoctorsQuery>

const DoctorsAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'Doctor#' })),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Send it as cursor for the next page; null on the last.',
    }),
  },
  {
    additionalProperties: false,
    description: 'Doctors in order of name.',
    examples: [{ status: 'success', message: MESSAGE, data: [EXAMPLE_DOCTOR], nextCursor: null }],
  },
)

export const listDoctorsContract = {
  tags: ['appointments'],
  operationId: 'listDoctors',
  summary: 'Get doctors list',
  description:
    'In order of name without regard to case and accents. Filters may be combined. Send the ETag of an earlier answer ' +
    'in If-None-Match: 304 says that nothing has changed.',
  querystring: DoctorsQuery,
  response: {
    200: Type.Unsafe<string | Buffer>(DoctorsAnswer),
    304: Type.Unsafe<undefined>({
      type: 'null',
      description: 'The page is the one that If-None-Match names.',
    }),
    ...errorAnswers(400),
  },
}

export async function listDoctors(db: Db, query: DoctorsQuery): Promise<TaggedAnswer> {
  const { limit = DEFAULT_LIMIT, cursor, ...search } = query
  const after = cursor === undefined ? START : placeOf(cursor, search)
  const language = search.language === undefined ? undefined : mustBeLanguage(search.language)
  const { doctors, next } = await findDoctors(db, { ...search, language }, after, limit)
  const nextCursor = JSON.stringify(next && cursorOf(next, search))
  return withEtag(
    `{"status":"success","message":"${MESSAGE}","data":[${doctors}],"nextCursor":${nextCursor}}`,
  )
}

function mustBeLanguage(tag: string): Language {
  const language = languageOf(tag)
  if (!language) throw refuseFields([{ pointer: '/language', message: `must be ${LANGUAGE_TAG}` }])
  return language
}
