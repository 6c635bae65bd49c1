// {care_url}/reports/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { sendPrivateJson } from '../../../http/answers/private-json.ts'
import type { Asked } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { BloodPressureReport, bloodPressureContract, createBloodPressureReport } from './blood-pressure.ts'
import { createFindCompared } from './compared-target.ts'
import { createDaysWithDataReport, DaysWithDataReport, daysWithDataContract } from './days-with-data.ts'
import { createGlucoseReport } from './glucose.ts'
import { GlucoseReport, glucoseContract } from './glucose-contract.ts'
import type { ReportQuery } from './report-query.ts'
import { createTimeInTargetReport, TimeInTargetReport, timeInTargetContract } from './time-in-target.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Deps = { operations: Pick<ReadingOperations, 'mustRead' | 'summaries'>; now: () => number }
type Make<Query> = (query: Query, asked: Pick<Asked, 'reader' | 'isGone'>) => Promise<string>

export function reportRoutes(app: App, db: Db, { operations: { mustRead, summaries }, now }: Deps) {
  for (const schema of [GlucoseReport, BloodPressureReport, TimeInTargetReport, DaysWithDataReport])
    app.addSchema(schema)
  const deps = { summaries, findCompared: createFindCompared(db, now), now }

  // No HEAD: it would make, and log, a whole report to answer nothing.
  function route<Query extends ReportQuery>(path: string, schema: object, make: Make<Query>) {
    app.get(`/reports/${path}`, { schema, exposeHeadRoute: false }, async (request, reply) => {
      // As its contract has checked it.
      const query = request.query as Query
      const report = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, ...asked }) =>
        make({ ...query, patientUid }, asked),
      )
      return sendPrivateJson(reply, report)
    })
  }
  route('glucose', glucoseContract, createGlucoseReport(deps))
  route('blood-pressure', bloodPressureContract, createBloodPressureReport(deps))
  route('time-in-target', timeInTargetContract, createTimeInTargetReport(deps))
  route('days-with-data', daysWithDataContract, createDaysWithDataReport(deps))
}
