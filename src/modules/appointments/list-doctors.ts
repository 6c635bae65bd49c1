// GET doctors/list: a page of the directory in order of name, then id.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../http/answers/error-examples.ts'
import { notModified, withEtag } from '../../http/answers/etag.ts'
import { checkFor } from '../../http/json/validation.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../http/pages.ts'
import { refuseFields } from '../../refusal.ts'
import { searchKeyOf } from '../../search-key.ts'
import type { VersionedPage } from './cached-pages.ts'
import { EXAMPLE_DOCTOR } from './doctor.ts'
import { cursorOf, placeOf } from './doctor-cursor.ts'
import { DoctorFilters, EXAMPLE_SEARCH } from './doctor-filters.ts'
import { DEFAULT_LIMIT, type FindDoctors } from './find-doctors.ts'
import { LANGUAGE_TAG, type Language, languageOf } from './language.ts'

const MESSAGE = 'Doctors obtained successfully.'

const EXAMPLE_CURSOR = cursorOf(
  { nameKey: searchKeyOf(EXAMPLE_DOCTOR.name), doctorId: EXAMPLE_DOCTOR.doctorId },
  EXAMPLE_SEARCH,
)

export const DoctorsQuery = Type.Object(
  {
    ...DoctorFilters.properties,
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
    ...errorAnswers(() => checkFor(DoctorsQuery)({ limit: 0 }), 'InvalidCursor'),
  },
}

export async function listDoctors(
  findDoctors: FindDoctors,
  query: DoctorsQuery,
  subject: string,
): Promise<VersionedPage> {
  const { limit = DEFAULT_LIMIT, cursor, ...search } = query
  const after = placeOf(cursor, search)
  const language = search.language === undefined ? undefined : mustBeLanguage(search.language)
  const { doctors, next, version } = await findDoctors({ ...search, language }, { after, limit, subject })
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
