// {care_url}/alerts/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { mustBeDoctor } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { OF_BODY } from '../of-body.ts'
import { acknowledgeAlertContract, createAcknowledgeAlert } from './acknowledge-alert.ts'
import { Alert } from './alert.ts'
import { createListOfDoctor, createListOfPatient, listAlertsContract } from './list-alerts.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function alertRoutes(app: App, db: Db, { mustRead, mustReadAsDoctor }: ReadingOperations) {
  app.addSchema(Alert)
  const listOfDoctor = createListOfDoctor(db)
  const listOfPatient = createListOfPatient(db)
  const acknowledge = createAcknowledgeAlert(db)

  app.get('/alerts/list', { schema: listAlertsContract, exposeHeadRoute: false }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const { caller, id: requestId, query } = request
    if (query.patientUid === undefined && caller.doctorId !== undefined) {
      const doctorId = mustBeDoctor(caller)
      return listOfDoctor(query, { doctorId, subject: caller.subject, requestId })
    }
    return mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
      listOfPatient({ ...query, patientUid }, reader),
    )
  })

  app.post('/alerts/acknowledge', { schema: acknowledgeAlertContract, ...OF_BODY }, async (request) => {
    const { body } = request
    // Not counted: there is no more to acknowledge than opened.
    return mustReadAsDoctor({ request, patientUid: body.patientUid }, (doctor, isGone) =>
      acknowledge(body, doctor, isGone),
    )
  })
}
