// GET doctors/specialities/list: all specialities, unpaged, in the interface's own envelope. Few and requested by every
// screen, they are cached as bytes, and read again when the database announces a change.
import { Type } from 'typebox'
import type { Db } from '../../db/db.ts'
import { errorAnswers } from '../../http/answers/error-examples.ts'
import { notModified, type TaggedAnswer, withEtag } from '../../http/answers/etag.ts'
import { checkFor, NoQuery } from '../../http/json/validation.ts'

const CHANNEL = 'appointments_specialities'
// An announcement can get lost, and a connection pooler may pass none on.
const READ_AGAIN_MS = 30_000
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
    ...errorAnswers(checkFor(NoQuery)({ limit: 20 })),
  },
}

type Row = { speciality_id: string; title: string; is_active: boolean; created: Date }

async function readSpecialities(db: Db): Promise<TaggedAnswer> {
  const rows = await db.query<Row>({
    name: 'list-specialities',
    text: `
      select speciality_id, title, is_active, created
      from appointments.specialities
      order by title, speciality_id`,
    values: [],
  })
  const data = rows.map(({ speciality_id, title, is_active, created }) => ({
    slug: title,
    title,
    created: created.toISOString(),
    isActive: is_active,
    specialityId: speciality_id,
  }))
  return withEtag(Buffer.from(JSON.stringify({ status: 'success', message: MESSAGE, data })))
}

export type CachedSpecialities = { answer: () => Promise<TaggedAnswer>; stop: () => Promise<void> }

/** Caches the answer. While the database cannot be reached, the list that was read last is still served. */
export function cacheSpecialities(db: Db, onFailure: (error: unknown) => void): CachedSpecialities {
  let cached: TaggedAnswer | undefined
  let reading: Promise<TaggedAnswer> | undefined
  let hasChanged = false

  function readAgain(): Promise<TaggedAnswer> {
    hasChanged = true
    reading ??= readWhileChanging().finally(() => {
      reading = undefined
    })
    return reading
  }
  // A change that is announced during a read may or may not be in it, so the read is repeated.
  async function readWhileChanging(): Promise<TaggedAnswer> {
    let answer: TaggedAnswer
    do {
      hasChanged = false
      answer = await readSpecialities(db)
      cached = answer
    } while (hasChanged)
    return answer
  }
  const readInBackground = () => void readAgain().catch(onFailure)
  const stopListening = db.listen(CHANNEL, readInBackground)
  const timer = setInterval(readInBackground, READ_AGAIN_MS).unref()
  return {
    answer: async () => cached ?? readAgain(),
    async stop() {
      clearInterval(timer)
      await stopListening()
    },
  }
}
