// The casesheet module's table of contents: {casesheet_url}/readings/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { mustBeAllowedToAdd, mustBeAllowedToRead, onlyPatientOf } from './access.ts'
import { addContract, addReadings, compileAddValidator } from './add-readings.ts'
import { getContract, getReadings, StoredReading } from './get-readings.ts'
import { OtherReading, Reading, SymptomReading } from './reading.ts'

export function casesheetRoutes(db: Db): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const schema of [SymptomReading, OtherReading, Reading, StoredReading]) app.addSchema(schema)

    app.post(
      '/readings/add',
      { schema: addContract, validatorCompiler: compileAddValidator },
      async ({ caller, body }) => {
        const readings = Array.isArray(body) ? body : [body]
        mustBeAllowedToAdd(
          caller,
          readings.map(({ patientUid }) => patientUid),
        )
        await addReadings(db, readings, caller)
        return {
          code: 'Ok' as const,
          message: `The reading${Array.isArray(body) ? 's were' : ' was'} added successfully.`,
        }
      },
    )

    // No HEAD: it would read, and log, a whole range to answer nothing.
    app.get(
      '/readings/get',
      { schema: getContract, exposeHeadRoute: false },
      async ({ caller, query, id }, reply) => {
        const patientUid = query.patientUid ?? onlyPatientOf(caller)
        const allowedAs = mustBeAllowedToRead(caller, patientUid)
        const reader = { readBy: caller.subject, allowedAs, requestId: id }
        void reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
        return reply.send(await getReadings(db, { ...query, patientUid }, reader))
      },
    )
  }
}
