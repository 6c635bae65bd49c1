// The appointments module's table of contents: {appointments_url}/doctors/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { codeOf } from '../../error-code.ts'
import { sendUnlessHeld, type TaggedAnswer } from '../../http/answers/etag.ts'
import { CachedPages, type VersionedPage } from './cached-pages.ts'
import { Doctor } from './doctor.ts'
import type { FindDoctors } from './find-doctors.ts'
import { listDoctors, listDoctorsContract } from './list-doctors.ts'
import { listSpecialities, listSpecialitiesContract, Speciality } from './list-specialities.ts'

export function appointmentsRoutes(db: Db, findDoctors: FindDoctors): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const schema of [Speciality, Doctor]) app.addSchema(schema)

    const pages = new CachedPages(db, (error) =>
      app.log.warn({ code: codeOf(error) }, 'the version of the directory could not be read'),
    )
    app.addHook('onClose', () => pages.stop())

    // The key of a page is its whole query: the contract lets nothing else in, so no parameter can be missing from it.
    app.get('/doctors/list', { schema: listDoctorsContract }, (request, reply) =>
      sendPage(request, reply, JSON.stringify(request.query), () =>
        listDoctors(findDoctors, request.query, request.caller.subject),
      ),
    )

    app.get('/doctors/specialities/list', { schema: listSpecialitiesContract }, (request, reply) =>
      sendPage(request, reply, 'specialities', () => listSpecialities(db)),
    )

    /** A cached page is sent without a promise, which would cost more than all else that this does. */
    function sendPage(
      request: FastifyRequest,
      reply: FastifyReply,
      key: string,
      read: () => Promise<VersionedPage>,
    ): Promise<void> | undefined {
      const cached = pages.cached(key)
      if (!cached) return sendWhenRead(request, reply, pages.read(key, read))
      void sendUnlessHeld(request, reply, cached)
      return undefined
    }
  }
}

async function sendWhenRead(request: FastifyRequest, reply: FastifyReply, page: Promise<TaggedAnswer>) {
  return sendUnlessHeld(request, reply, await page)
}
