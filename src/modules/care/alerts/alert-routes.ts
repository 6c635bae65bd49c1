// {care_url}/alerts/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { sendUnlessHeld } from '../../../http/answers/etag.ts'
import { sendPrivateJson } from '../../../http/answers/private-json.ts'
import { mustBeDoctor } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { OF_BODY } from '../of-body.ts'
import { acknowledgeAlertContract, createAcknowledgeAlert } from './acknowledge-alert.ts'
import { Alert, AlertEvent } from './alert.ts'
import { alertHistoryContract, createAlertHistory } from './alert-history.ts'
import { createListAlerts, createListInbox } from './list-alerts.ts'
import { listContract } from './list-contract.ts'
import { createSnoozeAlert, snoozeAlertContract } from './snooze-alert.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Deps = { operations: ReadingOperations; now: () => number }

export function alertRoutes(app: App, db: Db, { operations, now }: Deps) {
  for (const schema of [Alert, AlertEvent]) app.addSchema(schema)
  const { servedHere, patientBytes, mustRead, mustManageAsDoctor } = operations
  const listInbox = createListInbox(db, servedHere)
  const listAlerts = createListAlerts(db, servedHere)
  const alertHistory = createAlertHistory(db, servedHere)
  const acknowledge = createAcknowledgeAlert(db, servedHere)
  const snooze = createSnoozeAlert(db, { servedHere, now })

  app.get('/alerts/list', { schema: listContract, exposeHeadRoute: false }, async (request, reply) => {
    const { caller, id: requestId, query } = request
    if (query.patientUid === undefined && caller.doctorId !== undefined) {
      const doctorId = mustBeDoctor(caller)
      const answer = await listInbox(query, { doctorId, subject: caller.subject, requestId })
      return sendUnlessHeld(request, reply, answer)
    }
    const answer = mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
      listAlerts({ ...query, patientUid }, reader),
    )
    return sendPrivateJson(reply, answer)
  })

  app.get(
    '/alerts/history',
    { schema: alertHistoryContract, exposeHeadRoute: false },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return mustRead({ request, reply, named: request.query.patientUid }, ({ patientUid, reader }) =>
        alertHistory({ ...request.query, patientUid }, reader),
      )
    },
  )

  app.post('/alerts/acknowledge', { schema: acknowledgeAlertContract, ...OF_BODY }, async (request) => {
    const { body } = request
    // Not counted: there is no more to acknowledge than opened.
    return mustManageAsDoctor({ request, patientUid: body.patientUid }, (doctor, isGone) =>
      acknowledge(body, doctor, isGone),
    )
  })

  app.post('/alerts/snooze', { schema: snoozeAlertContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid } = body
    return mustManageAsDoctor({ request, patientUid }, (doctor, isGone) =>
      patientBytes.countWhile({ patientUids: [patientUid], bytes }, () => snooze(body, doctor, isGone)),
    )
  })
}
