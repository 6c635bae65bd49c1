// {care_url}/patients/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { sendUnlessHeld } from '../../../http/answers/etag.ts'
import { mustBeDoctor } from '../../casesheet/access.ts'
import { listContract } from './list-contract.ts'
import { createListMyPatients } from './list-my-patients.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function patientRoutes(
  app: App,
  db: Db,
  { alerts: hasAlerts, now }: { alerts: boolean; now: () => number },
) {
  const listMyPatients = createListMyPatients(db, { hasAlerts, now })
  app.get('/patients/list', { schema: listContract, exposeHeadRoute: false }, async (request, reply) => {
    const { caller, id: requestId, query } = request
    const { subject, practiceIds } = caller
    const doctorId = mustBeDoctor(caller)
    const answer = await listMyPatients(query, { doctorId, practiceIds, subject, requestId })
    return sendUnlessHeld(request, reply, answer)
  })
}
