// GET doctors/specialities/list: all specialities, unpaged, in the interface's own envelope.
import { Type } from 'typebox'
import type { Db } from '../../db/db.ts'
import { errorAnswers } from '../../http/answers/error-examples.ts'
import { notModified, withEtag } from '../../http/answers/etag.ts'
import { checkFor, NoQuery } from '../../http/json/validation.ts'
import type { VersionedPage } from './cached-pages.ts'

const MESSAGE = 'Specialities obtained successfully.'

const EXAMPLE_SPECIALITY = {
  slug: 'Ear, Nose & Throat',
  title: 'Ear, Nose & Throat',
  created: '2026-01-15T09:30:00.000Z',
  isActive: true,
  specialityId: '2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11',
}

export const Speciality = Type.Object(
  {
    slug: Type.String({ description: 'The same text as title.' }),
    title: Type.String({ description: 'Display name of the specialty.' }),
    created: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
    isActive: Type.Boolean(),
    specialityId: Type.String({ description: 'Unique id of the specialty.' }),
  },
  { $id: 'Speciality', additionalProperties: false, examples: [EXAMPLE_SPECIALITY] },
)

const SpecialitiesAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'Speciality#' })),
  },
  {
    additionalProperties: false,
    description: 'All specialities, active or not, ordered by title.',
    examples: [{ status: 'success', message: MESSAGE, data: [EXAMPLE_SPECIALITY] }],
  },
)

export const listSpecialitiesContract = {
  tags: ['appointments'],
  operationId: 'listSpecialities',
  summary: 'Get doctor specialties list',
  description: 'Send the ETag of an earlier answer in If-None-Match to get 304 if nothing has changed.',
  querystring: NoQuery,
  response: {
    200: Type.Unsafe<string | Buffer>(SpecialitiesAnswer),
    304: notModified('Not modified: If-None-Match names this list.'),
    ...errorAnswers(() => checkFor(NoQuery)({ limit: 20 })),
  },
}

type Row = { version: string; specialities: string | null }

export async function listSpecialities(db: Db): Promise<VersionedPage> {
  const [row] = await db.query<Row>({ name: 'list-specialities', text: TEXT, values: [] })
  const body = `{"status":"success","message":"${MESSAGE}","data":[${row?.specialities ?? ''}]}`
  return { answer: withEtag(Buffer.from(body)), version: row?.version ?? '' }
}

// The version, in the same snapshot.
const TEXT = `
  select (select version from appointments.directory) as version,
    string_agg(row_to_json(listed)::text, ',' order by title, "specialityId") as specialities
  from (
    select title as slug, title,
      to_char(created at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created,
      is_active as "isActive", speciality_id as "specialityId"
    from appointments.specialities
  ) as listed`
