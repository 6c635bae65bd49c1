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

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function alertRoutes(app: App, db: Db, operations: ReadingOperations) {
  for (const schema of [Alert, AlertEvent]) app.addSchema(schema)
  const { mustRead, mustManageAsDoctor } = operations
  const listInbox = createListInbox(db)
  const listAlerts = createListAlerts(db)
  const alertHistory = createAlertHistory(db)
  const acknowledge = createAcknowledgeAlert(db)

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
}
