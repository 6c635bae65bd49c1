// The appointments module's table of contents: {appointments_url}/doctors/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { codeOf } from '../../error-code.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import { Doctor } from './doctor.ts'
import { listDoctors, listDoctorsContract } from './list-doctors.ts'
import { cacheSpecialities, listSpecialitiesContract, Speciality } from './list-specialities.ts'

export function appointmentsRoutes(db: Db): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const schema of [Speciality, Doctor]) app.addSchema(schema)

    app.get('/doctors/list', { schema: listDoctorsContract }, async (request, reply) =>
      sendUnlessHeld(request, reply, await listDoctors(db, request.query)),
    )

    const specialities = cacheSpecialities(db, (error) =>
      app.log.warn({ code: error instanceof Error && codeOf(error) }, 'the specialities could not be read'),
    )
    app.addHook('onClose', () => specialities.stop())
    app.get('/doctors/specialities/list', { schema: listSpecialitiesContract }, async (request, reply) =>
      sendUnlessHeld(request, reply, await specialities.answer()),
    )
  }
}
