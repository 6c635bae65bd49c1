// {casesheet_url}/grants/… and {casesheet_url}/patients/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { mustHaveNoQuery } from '../../../http/json/validation.ts'
import { hasGone, mustBeDoctor, mustSeeGrants, mustShare } from '../access.ts'
import type { ReadingOperations } from '../reading-operations.ts'
import { compileBodyValidator } from '../withdraw/withdraw-reading.ts'
import { createGiveGrant, giveContract, type IsDoctor } from './give-grant.ts'
import { Grant } from './grant.ts'
import { createGrantHistory, GrantChange, grantHistoryContract } from './grant-history.ts'
import { createListGrants, listGrantsContract } from './list-grants.ts'
import { createListPatients, listPatientsContract, SharingPatient } from './list-patients.ts'
import { createRevokeGrant, revokeContract } from './revoke-grant.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

type Deps = { operations: ReadingOperations; isDoctor: IsDoctor; now: () => number }

export function grantRoutes(app: App, db: Db, { operations, isDoctor, now }: Deps) {
  const { refused, patientBytes } = operations
  for (const schema of [Grant, GrantChange, SharingPatient]) app.addSchema(schema)
  const giveGrant = createGiveGrant(db, { refused, isDoctor, now })
  const revokeGrant = createRevokeGrant(db)
  const listGrants = createListGrants(db)
  const grantHistory = createGrantHistory(db)
  const listPatients = createListPatients(db)
  const ofBody = {
    validatorCompiler: compileBodyValidator,
    onRequest: async (request: { query: unknown }) => mustHaveNoQuery(request),
  }

  app.post('/grants/add', { schema: giveContract, ...ofBody }, async (request) => {
    const { body, bodyBytes: bytes, caller } = request
    mustShare(caller, body.patientUid)
    return patientBytes.countWhile({ patientUids: [body.patientUid], bytes }, () =>
      giveGrant(body, caller.subject, hasGone(request)),
    )
  })

  app.post('/grants/revoke', { schema: revokeContract, ...ofBody }, async (request) => {
    const { body, caller } = request
    mustShare(caller, body.patientUid)
    // Not counted: a device that has used up the bytes of the day must not hold up a revocation.
    return revokeGrant(body, caller.subject, hasGone(request))
  })

  app.get('/grants/list', { schema: listGrantsContract, exposeHeadRoute: false }, async (request, reply) => {
    const patientUid = mustSeeGrants(request.caller, request.query.patientUid)
    void reply.header('cache-control', 'no-store')
    return listGrants({ ...request.query, patientUid }, request.caller.subject)
  })

  app.get(
    '/grants/history',
    { schema: grantHistoryContract, exposeHeadRoute: false },
    async (request, reply) => {
      const patientUid = mustSeeGrants(request.caller, request.query.patientUid)
      void reply.header('cache-control', 'no-store')
      return grantHistory({ ...request.query, patientUid }, request.caller.subject)
    },
  )

  app.get(
    '/patients/list',
    { schema: listPatientsContract, exposeHeadRoute: false },
    async (request, reply) => {
      const doctorId = mustBeDoctor(request.caller)
      void reply.header('cache-control', 'no-store')
      return listPatients({ ...request.query, doctorId }, request.caller.subject)
    },
  )
}
