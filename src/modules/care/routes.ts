// The care module's table of contents: {care_url}/targets/…, {care_url}/reviews/…, {care_url}/reports/…, {care_url}/patients/…
// and, where they are switched on, {care_url}/rules/… and {care_url}/alerts/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { hourly } from '../../db/hourly.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import { preferredEnglish, varyBy } from '../../http/preferences.ts'
import { mustBeDoctor } from '../casesheet/access.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import type { Feed } from '../feed/feed.ts'
import { alertRoutes } from './alerts/alert-routes.ts'
import { AlertKeeper } from './evaluation/keep-alerts.ts'
import { OF_BODY } from './of-body.ts'
import { listContract } from './patients/list-contract.ts'
import { createListMyPatients } from './patients/list-my-patients.ts'
import { ListedPatient } from './patients/listed-patient.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { addReviewContract, createAddReview } from './reviews/add-review.ts'
import { createListReviews, listReviewsContract } from './reviews/list-reviews.ts'
import { Review } from './reviews/review.ts'
import { ruleRoutes } from './rules/rule-routes.ts'
import { dropUnasked } from './summaries/ask-for-patients.ts'
import { SummaryKeeper } from './summaries/keep-summaries.ts'
import { createListTargets, listTargetsContract } from './targets/list-targets.ts'
import { listPresetsContract, PRESETS_ANSWER, TargetPreset } from './targets/presets.ts'
import { createRemoveTarget, mustNameTargets, removeTargetContract } from './targets/remove-target.ts'
import { createSetTarget, setTargetContract } from './targets/set-target.ts'
import { Target } from './targets/target.ts'
import { createTargetHistory, TargetChange, targetHistoryContract } from './targets/target-history.ts'
import { termsIn } from './targets/target-terms.ts'

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
    for (const schema of [Target, TargetChange, TargetPreset, Review, ListedPatient]) app.addSchema(schema)
    targetRoutes(app, db, deps)
    reviewRoutes(app, db, deps)
    reportRoutes(app, deps)
    patientRoutes(app, db, deps)
    if (!deps.alerts) return
    ruleRoutes(app, db, deps)
    alertRoutes(app, db, deps.operations)
    keepAlerts(app, db, deps)
  }
}

function patientRoutes(app: App, db: Db, { feed, alerts: hasAlerts, now }: Deps) {
  const { warn } = feed
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
  let stopDropping = () => {}
  let keeper: SummaryKeeper | undefined
  app.addHook('onListen', async () => {
    keeper = new SummaryKeeper(db, { now, warn })
    stopDropping = hourly(
      () => dropUnasked(db, now()),
      (error) => warn(error, 'lists that are no longer asked for could not be dropped'),
    )
  })
  app.addHook('preClose', async () => {
    stopDropping()
    await keeper?.stop()
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

function targetRoutes(app: App, db: Db, { operations }: Deps) {
  const { refused, patientBytes, mustRead, mustManage } = operations
  const setTarget = createSetTarget(db, refused)
  const removeTarget = createRemoveTarget(db)
  const listTargets = createListTargets(db)
  const targetHistory = createTargetHistory(db)

  app.get('/targets/presets', { schema: listPresetsContract }, async (request, reply) =>
    sendUnlessHeld(request, reply, PRESETS_ANSWER),
  )

  app.post('/targets/set', { schema: setTargetContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid } = body
    const terms = termsIn(body)
    return mustManage({ request, patientUid, readingType: terms.readingType }, (manager, isGone) =>
      patientBytes.countWhile({ patientUids: [patientUid], bytes }, () =>
        setTarget({ patientUid }, terms, manager, isGone),
      ),
    )
  })

  app.post('/targets/remove', { schema: removeTargetContract, ...OF_BODY }, async (request) => {
    const { body } = request
    mustNameTargets(body)
    // Not counted: there is no more to remove than was set.
    return mustManage({ request, ...body }, (manager, isGone) => removeTarget(body, manager, isGone))
  })

  app.get(
    '/targets/list',
    { schema: listTargetsContract, exposeHeadRoute: false },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return mustRead({ request, reply, named: request.query.patientUid }, ({ patientUid, reader }) =>
        listTargets(patientUid, reader),
      )
    },
  )

  app.get(
    '/targets/history',
    { schema: targetHistoryContract, exposeHeadRoute: false },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return mustRead({ request, reply, named: request.query.patientUid }, ({ patientUid, reader }) =>
        targetHistory({ ...request.query, patientUid }, reader),
      )
    },
  )
}

function reviewRoutes(app: App, db: Db, { operations }: Deps) {
  const { refused, patientBytes, mustRead, mustManageAsDoctor } = operations
  const addReview = createAddReview(db, refused)
  const listReviews = createListReviews(db)

  app.post('/reviews/add', { schema: addReviewContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid } = body
    return mustManageAsDoctor({ request, patientUid }, (doctor, isGone) =>
      patientBytes.countWhile({ patientUids: [patientUid], bytes }, () => addReview(body, doctor, isGone)),
    )
  })

  app.get(
    '/reviews/list',
    { schema: listReviewsContract, exposeHeadRoute: false },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return mustRead({ request, reply, named: request.query.patientUid }, ({ patientUid, reader }) =>
        listReviews({ ...request.query, patientUid }, reader),
      )
    },
  )
}
