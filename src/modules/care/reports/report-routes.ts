// {care_url}/reports/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { sendPrivateJson } from '../../../http/answers/private-json.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { BloodPressureReport, bloodPressureContract, createBloodPressureReport } from './blood-pressure.ts'
import { createFindCompared } from './compared-target.ts'
import { createDaysWithDataReport, DaysWithDataReport, daysWithDataContract } from './days-with-data.ts'
import { createGlucoseReport, GlucoseReport, glucoseContract } from './glucose.ts'
import { createTimeInTargetReport, TimeInTargetReport, timeInTargetContract } from './time-in-target.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Deps = { operations: Pick<ReadingOperations, 'mustRead' | 'summaries'>; now: () => number }

export function reportRoutes(app: App, db: Db, { operations: { mustRead, summaries }, now }: Deps) {
  for (const schema of [GlucoseReport, BloodPressureReport, TimeInTargetReport, DaysWithDataReport])
    app.addSchema(schema)
  const findCompared = createFindCompared(db, now)
  const glucose = createGlucoseReport(summaries, findCompared, now)
  const bloodPressure = createBloodPressureReport(summaries, findCompared)
  const timeInTarget = createTimeInTargetReport(summaries, findCompared, now)
  const daysWithData = createDaysWithDataReport(summaries)

  // No HEAD: it would make, and log, a whole report to answer nothing.
  app.get('/reports/glucose', { schema: glucoseContract, exposeHeadRoute: false }, async (request, reply) => {
    const { query } = request
    const report = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
      glucose({ ...query, patientUid }, asked),
    )
    return sendPrivateJson(reply, report)
  })

  app.get(
    '/reports/blood-pressure',
    { schema: bloodPressureContract, exposeHeadRoute: false },
    async (request, reply) => {
      const { query } = request
      const report = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
        bloodPressure({ ...query, patientUid }, asked),
      )
      return sendPrivateJson(reply, report)
    },
  )

  app.get(
    '/reports/time-in-target',
    { schema: timeInTargetContract, exposeHeadRoute: false },
    async (request, reply) => {
      const { query } = request
      const report = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
        timeInTarget({ ...query, patientUid }, asked),
      )
      return sendPrivateJson(reply, report)
    },
  )

  app.get(
    '/reports/days-with-data',
    { schema: daysWithDataContract, exposeHeadRoute: false },
    async (request, reply) => {
      const { query } = request
      const report = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
        daysWithData({ ...query, patientUid }, asked),
      )
      return sendPrivateJson(reply, report)
    },
  )
}
