// The FHIR module's table of contents. It translates, and stores nothing of its own: each request becomes calls of the casesheet and
// of the directory. Each resource has its routes in its own folder; what is written, in write/.
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/db.ts'
import { baseOf } from '../../http/base-address.ts'
import { Refusal } from '../../refusal.ts'
import { capabilityStatement, type Software } from './answers/capability-statement.ts'
import { mustWantJson } from './answers/general-parameters.ts'
import { FHIR_JSON } from './answers/operation-outcome.ts'
import type { ServedType } from './answers/served.ts'
import { createSmartConfiguration } from './answers/smart-configuration.ts'
import type { FhirDeps } from './fhir-deps.ts'
import { createGets, schema } from './gets.ts'
import { observationRoutes } from './observation/observation-routes.ts'
import { patientRoutes } from './patient/patient-routes.ts'
import { practitionerRoutes } from './practitioner/practitioner-routes.ts'
import { readFhirBodies } from './write/read-bodies.ts'
import { writeRoutes } from './write/write-routes.ts'

export function fhirRoutes(db: Db, deps: FhirDeps) {
  const { operations: reading, types, basePath } = deps
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', mustWantJson)
    readFhirBodies(app)
    const gets = createGets(app, basePath)
    if (reading && types.includes('Observation')) {
      const ofPatient = { ...deps, gets, reading }
      observationRoutes(ofPatient)
      patientRoutes(db, ofPatient)
      writeRoutes(app, ofPatient)
    }
    const doctors = { db, findDoctors: deps.findDoctors }
    for (const type of ['Practitioner', 'PractitionerRole'] as const) {
      if (types.includes(type)) practitionerRoutes(gets, type, doctors)
    }
    refuseOtherMethods(app, types)
  }
}

/** What anyone may ask without a token. */
export function fhirPublicRoutes(
  issuer: string,
  { types, basePath, now, ...software }: Software & Pick<FhirDeps, 'types' | 'basePath' | 'now'>,
) {
  const smartConfiguration = createSmartConfiguration(issuer, now)
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', mustWantJson)
    app.get('/metadata', { schema }, async (request, reply) => {
      void reply.header('cache-control', 'public, no-cache').type(FHIR_JSON)
      return JSON.stringify(capabilityStatement(baseOf(request, basePath), types, software))
    })
    app.get('/.well-known/smart-configuration', { schema }, async (_request, reply) => {
      void reply.header('cache-control', 'public, no-cache').type('application/json; charset=utf-8')
      return smartConfiguration()
    })
  }
}

const NOT_CHANGED =
  'Nothing is updated or deleted here: use GET, add Observations with POST Observation, and withdraw with readings/withdraw.'

/** Updates, deletions and patches: the resource is there, and does not take them. */
function refuseOtherMethods(app: FastifyInstance, types: readonly ServedType[]) {
  const refuse = (url: string, method: string[], allow: string) =>
    app.route({
      method,
      url,
      schema,
      // Before a body is read.
      onRequest: async () => {
        throw new Refusal('MethodNotAllowed', NOT_CHANGED, { headers: { allow } })
      },
      handler: async () => undefined,
    })
  for (const type of types) {
    refuse(`/${type}/:id`, ['PUT', 'PATCH', 'DELETE'], 'GET')
    // With a condition for an id.
    refuse(`/${type}`, ['PUT', 'PATCH', 'DELETE'], type === 'Observation' ? 'GET, POST' : 'GET')
  }
}
