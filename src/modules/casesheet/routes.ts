// The casesheet module's table of contents: {casesheet_url}/readings/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { logFault } from '../../http/errors.ts'
import { sendUnlessHeld } from '../../http/etag.ts'
import { mustBeAllowedToAdd, mustBeAllowedToRead, onlyPatientOf } from './access.ts'
import { addContract, addedAnswer, compileAddValidator, createAddReadings } from './add-readings.ts'
import { getContract, getReadings, StoredReading } from './get-readings.ts'
import { listReadingTypesContract, READING_TYPES, ReadingTypeEntry } from './list-catalogue.ts'
import { createReadPage } from './read-page.ts'
import { READING_SCHEMAS } from './reading.ts'

export function casesheetRoutes(db: Db): FastifyPluginAsyncTypebox {
  const addReadings = createAddReadings(db)
  const readPage = createReadPage(db)

  return async (app) => {
    for (const schema of [...READING_SCHEMAS, StoredReading, ReadingTypeEntry]) app.addSchema(schema)

    app.post(
      '/readings/add',
      { schema: addContract, validatorCompiler: compileAddValidator },
      async ({ caller, body, raw }) => {
        const readings = Array.isArray(body) ? body : [body]
        mustBeAllowedToAdd(
          caller,
          readings.map(({ patientUid }) => patientUid),
        )
        await addReadings(readings, caller, () => raw.socket.destroyed)
        return addedAnswer({ isList: Array.isArray(body) })
      },
    )

    // No HEAD: it would read, and log, a whole range to answer nothing.
    app.get('/readings/get', { schema: getContract, exposeHeadRoute: false }, async (request, reply) => {
      const { caller, query, id, raw } = request
      const patientUid = query.patientUid ?? onlyPatientOf(caller)
      const allowedAs = mustBeAllowedToRead(caller, patientUid)
      const reader = { readBy: caller.subject, allowedAs, requestId: id }
      void reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
      const isGone = () => raw.socket.destroyed
      const answer = await getReadings(readPage, { ...query, patientUid }, { reader, isGone })
      // A stream that fails has sent its 200 already: the client sees it cut off, and the log must say why.
      if (typeof answer !== 'string') answer.once('error', (error) => logFault(request, error))
      return reply.send(answer)
    })

    app.get('/readings/types', { schema: listReadingTypesContract }, async (request, reply) =>
      sendUnlessHeld(request, reply, READING_TYPES),
    )
  }
}
