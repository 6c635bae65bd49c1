// The care module's table of contents: {care_url}/targets/…, {care_url}/reviews/…, {care_url}/timeline, {care_url}/reports/…, {care_url}/patients/…,
// {care_url}/rules/… and, where they are switched on, {care_url}/alerts/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import type { Feed } from '../feed/feed.ts'
import { alertRoutes } from './alerts/alert-routes.ts'
import { AlertKeeper } from './evaluation/keep-alerts.ts'
import { lookRoutes } from './looks/look-routes.ts'
import { patientRoutes } from './patients/list-routes.ts'
import { ListedPatient } from './patients/listed-patient.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { ruleRoutes } from './rules/rule-routes.ts'
import { keepSummaries } from './summaries/keep-summaries.ts'
import { targetRoutes } from './targets/target-routes.ts'
import { timelineRoutes } from './timeline/timeline-routes.ts'

/** What the module needs beside the database. */
type Deps = {
  operations: ReadingOperations
  feed: Feed
  /** Whether rules are evaluated, and the operations of rules and alerts exist. */
  alerts: boolean
  now: () => number
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function careRoutes(db: Db, deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addSchema(ListedPatient)
    targetRoutes(app, db, deps)
    lookRoutes(app, db, deps)
    timelineRoutes(app, db, deps.operations)
    reportRoutes(app, db, deps)
    patientRoutes(app, db, deps)
    keepSummaries(app, db, { now: deps.now, warn: deps.feed.warn })
    ruleRoutes(app, db, deps)
    if (!deps.alerts) return
    alertRoutes(app, db, deps.operations)
    keepAlerts(app, db, deps)
  }
}

function keepAlerts(app: App, db: Db, { feed }: Deps) {
  let keeper: AlertKeeper | undefined
  app.addHook('onListen', async () => {
    keeper = new AlertKeeper(db, { warn: feed.warn })
  })
  app.addHook('preClose', async () => {
    await keeper?.stop()
  })
}
