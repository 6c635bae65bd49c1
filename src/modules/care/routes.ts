// The care module's table of contents: {care_url}/targets/…, {care_url}/reviews/…, {care_url}/timeline, {care_url}/reports/…, {care_url}/patients/…
// and, where they are switched on, {care_url}/rules/… and {care_url}/alerts/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { IsGone } from '../../db/batch.ts'
import type { Db } from '../../db/db.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import { preferredEnglish, varyBy } from '../../http/preferences.ts'
import { hasGone, mustBeDoctor } from '../casesheet/access.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import type { Feed } from '../feed/feed.ts'
import { alertRoutes } from './alerts/alert-routes.ts'
import { AlertKeeper } from './evaluation/keep-alerts.ts'
import { lookRoutes } from './looks/look-routes.ts'
import { OF_BODY } from './of-body.ts'
import { listContract } from './patients/list-contract.ts'
import { createListMyPatients } from './patients/list-my-patients.ts'
import { ListedPatient } from './patients/listed-patient.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { ruleRoutes } from './rules/rule-routes.ts'
import { keepSummaries } from './summaries/keep-summaries.ts'
import { createListForAll, createListTargets, listTargetsContract } from './targets/list-targets.ts'
import { listPresetsContract, PRESETS_ANSWER, TargetPreset } from './targets/presets.ts'
import { createRemoveTarget, removeTargetContract } from './targets/remove-target.ts'
import { type Author, createSetTarget, setTargetContract } from './targets/set-target.ts'
import { Target } from './targets/target.ts'
import { mustNameType, termsIn } from './targets/target-terms.ts'
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
    for (const schema of [Target, TargetPreset, ListedPatient]) app.addSchema(schema)
    targetRoutes(app, db, deps)
    lookRoutes(app, db, deps)
    timelineRoutes(app, db, deps.operations)
    reportRoutes(app, db, deps)
    patientRoutes(app, db, deps)
    keepSummaries(app, db, { now: deps.now, warn: deps.feed.warn })
    if (!deps.alerts) return
    ruleRoutes(app, db, deps)
    alertRoutes(app, db, deps.operations)
    keepAlerts(app, db, deps)
  }
}

function patientRoutes(app: App, db: Db, { alerts: hasAlerts, now }: Deps) {
  const listMyPatients = createListMyPatients(db, { hasAlerts, now })
  app.get('/patients/list', { schema: listContract, exposeHeadRoute: false }, async (request, reply) => {
    const { caller, id: requestId, query, headers } = request
    const doctorId = mustBeDoctor(caller)
    const english = preferredEnglish(headers['accept-language'])
    varyBy(reply, 'Accept-Language')
    return sendUnlessHeld(
      request,
      reply,
      await listMyPatients(query, { doctorId, subject: caller.subject, requestId, english }),
    )
  })
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

function targetRoutes(app: App, db: Db, { operations, now }: Deps) {
  const { refused, patientBytes, mustRead, mustManage } = operations
  const setTarget = createSetTarget(db, refused, now)
  const removeTarget = createRemoveTarget(db)
  const listTargets = createListTargets(db, now)
  const listForAll = createListForAll(db)

  app.get('/targets/presets', { schema: listPresetsContract }, async (request, reply) =>
    sendUnlessHeld(request, reply, PRESETS_ANSWER),
  )

  app.post('/targets/set', { schema: setTargetContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid, readingType } = body
    if (patientUid === undefined)
      return forAll(request, (author, isGone) => setTarget(termsIn(body, 'doctor'), author, isGone))
    mustNameType(readingType)
    return mustManage({ request, patientUid, readingType }, (manager, isGone) => {
      const terms = termsIn(body, manager.doctorId === null ? 'patient' : 'doctor')
      return patientBytes.countWhile({ patientUids: [patientUid], bytes }, () =>
        setTarget(terms, { ...manager, patientUid }, isGone),
      )
    })
  })

  app.post('/targets/remove', { schema: removeTargetContract, ...OF_BODY }, async (request) => {
    const { patientUid, readingType } = request.body
    mustNameType(readingType)
    if (patientUid === undefined)
      return forAll(request, (author, isGone) => removeTarget(readingType, author, isGone))
    // Not counted: there is no more to remove than was set.
    return mustManage({ request, patientUid, readingType }, (manager, isGone) =>
      removeTarget(readingType, { ...manager, patientUid }, isGone),
    )
  })

  app.get(
    '/targets/list',
    { schema: listTargetsContract, exposeHeadRoute: false },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const { caller, query } = request
      if (query.patientUid === undefined && caller.doctorId !== undefined)
        return listForAll(mustBeDoctor(caller), caller.subject)
      return mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
        listTargets(patientUid, reader),
      )
    },
  )
}

/** What a doctor sets for all relies on no grant. */
function forAll<T>(
  request: Pick<FastifyRequest, 'caller' | 'raw'>,
  work: (author: Author, isGone: IsGone) => Promise<T>,
): Promise<T> {
  const doctorId = mustBeDoctor(request.caller, 'change')
  return work({ by: request.caller.subject, doctorId, grantId: null, patientUid: null }, hasGone(request))
}
