// The appointments module's table of contents: {appointments_url}/doctors/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { codeOf } from '../../error-code.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import { cachePages } from './cached-pages.ts'
import { Doctor } from './doctor.ts'
import { listDoctors, listDoctorsContract, pageKeyOf } from './list-doctors.ts'
import { listSpecialities, listSpecialitiesContract, Speciality } from './list-specialities.ts'

export function appointmentsRoutes(db: Db): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const schema of [Speciality, Doctor]) app.addSchema(schema)

    const pages = cachePages(db, (error) =>
      app.log.warn(
        { code: error instanceof Error && codeOf(error) },
        'the version of the directory could not be read',
      ),
    )
    app.addHook('onClose', () => pages.stop())

    app.get('/doctors/list', { schema: listDoctorsContract }, async (request, reply) => {
      const { query } = request
      return sendUnlessHeld(request, reply, await pages.page(pageKeyOf(query), () => listDoctors(db, query)))
    })

    app.get('/doctors/specialities/list', { schema: listSpecialitiesContract }, async (request, reply) =>
      sendUnlessHeld(request, reply, await pages.page('specialities', () => listSpecialities(db))),
    )
  }
}
