// The casesheet module's table of contents: {casesheet_url}/readings/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { logFault } from '../../http/errors.ts'
import { mustBeAllowedToAdd, mustBeAllowedToRead, onlyPatientOf } from './access.ts'
import { addContract, compileAddValidator, createAddReadings } from './add-readings.ts'
import { getContract, getReadings, StoredReading } from './get-readings.ts'
import { createLatestReadings, latestContract } from './latest-readings.ts'
import { createReadPage } from './read-page.ts'
import { OtherReading, Reading, SymptomReading } from './reading.ts'
import { createReadingStatistics } from './reading-statistics.ts'
import { statisticsContract } from './statistics-contract.ts'

export function casesheetRoutes(db: Db): FastifyPluginAsyncTypebox {
  const addReadings = createAddReadings(db)
  const readPage = createReadPage(db)
  const latestReadings = createLatestReadings(db)
  const readingStatistics = createReadingStatistics(db)

  return async (app) => {
    for (const schema of [SymptomReading, OtherReading, Reading, StoredReading]) app.addSchema(schema)

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
        return {
          code: 'Ok' as const,
          message: `The reading${Array.isArray(body) ? 's were' : ' was'} added successfully.`,
        }
      },
    )

    // No HEAD: it would read, and log, a whole range to answer nothing.
    app.get('/readings/get', { schema: getContract, exposeHeadRoute: false }, async (request, reply) => {
      const { patientUid, ...who } = readerOf(request, reply)
      const answer = await getReadings(readPage, { ...request.query, patientUid }, who)
      // A stream that fails has sent its 200 already: the client sees it cut off, and the log must say why.
      if (typeof answer !== 'string') answer.once('error', (error) => logFault(request, error))
      return reply.send(answer)
    })

    app.get(
      '/readings/latest',
      { schema: latestContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { patientUid, ...who } = readerOf(request, reply)
        return reply.send(await latestReadings({ ...request.query, patientUid }, who))
      },
    )

    app.get(
      '/readings/statistics',
      { schema: statisticsContract, exposeHeadRoute: false },
      async (request, reply) => {
        const { patientUid, ...who } = readerOf(request, reply)
        return reply.send(await readingStatistics({ ...request.query, patientUid }, who))
      },
    )
  }
}

type ReadRequest = Pick<FastifyRequest, 'caller' | 'id' | 'raw'> & { query: { patientUid?: string } }

/** Whose readings are read and who reads them, once that is allowed; the answer will be JSON that nobody keeps. */
function readerOf({ caller, query, id, raw }: ReadRequest, reply: FastifyReply) {
  const patientUid = query.patientUid ?? onlyPatientOf(caller)
  const allowedAs = mustBeAllowedToRead(caller, patientUid)
  void reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
  const reader = { readBy: caller.subject, allowedAs, requestId: id }
  return { patientUid, reader, isGone: () => raw.socket.destroyed }
}
