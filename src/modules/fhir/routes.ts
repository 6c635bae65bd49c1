// The FHIR module's table of contents: {FHIR_PATH}/Observation, Practitioner, PractitionerRole, metadata. It translates, and stores
// nothing: each request becomes calls of the casesheet and of the directory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { prefers } from '../../http/answers/preferences.ts'
import { queryOf } from '../../http/request-head.ts'
import { Refusal } from '../../refusal.ts'
import { mustRead } from '../casesheet/access.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import { baseOf, linksOf } from './answers/addresses.ts'
import { capabilityStatement, type Software } from './answers/capability-statement.ts'
import { FHIR_JSON } from './answers/operation-outcome.ts'
import { SERVED, type ServedType } from './answers/served.ts'
import { createSmartConfiguration } from './answers/smart-configuration.ts'
import { type DoctorResource, readDoctor, searchDoctors } from './practitioner/search-practitioners.ts'
import { printSearchset } from './search/bundle.ts'
import { observationQueryFrom } from './search/observation-query.ts'
import { observationNotFound, placesOf, readObservation } from './search/read-observation.ts'
import { findObservations } from './search/search-observations.ts'
import { searchQueryFrom } from './search/search-query.ts'

export type FhirSurroundings = {
  operations: ReadingOperations
  basePath: string
  now: () => number
}

const schema = { hide: true }
// No HEAD: it would read, and log, a search to answer nothing.
const UNLISTED = { schema, exposeHeadRoute: false }

type WithId = { Params: { id: string } }

export function fhirRoutes(db: Db, { operations, basePath, now }: FhirSurroundings) {
  const { readPage } = operations

  return async (app: FastifyInstance) => {
    app.get('/Observation', UNLISTED, async (request, reply) => {
      const { sent, ignored } = searchedFor(request, 'Observation')
      const query = observationQueryFrom(sent, now())
      const { patientUid, ...asked } = mustRead(request, query.patientUid)
      const base = baseOf(request, basePath)
      const { entries, nextCursor } = await findObservations(
        readPage,
        { ...query, patientUid },
        { ...asked, base },
      )
      const links = linksOf(`${base}/Observation`, sent, nextCursor)
      return send(reply, printSearchset({ links, entries, ignored }))
    })

    app.get<WithId>('/Observation/:id', UNLISTED, async (request, reply) => {
      for (const place of placesOf(request.params.id, request.caller.patientUids)) {
        const { reader, isGone } = mustRead(request, place.patientUid)
        const found = await readObservation(readPage, place, { reader, isGone })
        if (found) return send(reply, JSON.stringify(found))
      }
      throw observationNotFound()
    })

    for (const type of ['Practitioner', 'PractitionerRole'] as const) serveDoctors(app, type)
    refuseOtherMethods(app)
  }

  function serveDoctors(app: FastifyInstance, type: DoctorResource) {
    app.get(`/${type}`, UNLISTED, async (request, reply) => {
      const { sent, ignored } = searchedFor(request, type)
      const base = baseOf(request, basePath)
      const { entries, nextCursor } = await searchDoctors(db, type, sent, base)
      return send(
        reply,
        printSearchset({ links: linksOf(`${base}/${type}`, sent, nextCursor), entries, ignored }),
      )
    })
    app.get<WithId>(`/${type}/:id`, UNLISTED, async (request, reply) => {
      const found = await readDoctor(db, type, request.params.id)
      if (!found) throw new Refusal('NotFound', `There is no such ${type}.`)
      return send(reply, JSON.stringify(found))
    })
  }
}

/** What anyone may ask without a token. */
export function fhirPublicRoutes(
  issuer: string,
  { basePath, now, ...software }: Software & Omit<FhirSurroundings, 'operations'>,
) {
  const smartConfiguration = createSmartConfiguration(issuer, now)
  return async (app: FastifyInstance) => {
    app.get('/metadata', { schema }, async (request, reply) => {
      void reply.header('cache-control', 'public, no-cache').type(FHIR_JSON)
      return JSON.stringify(capabilityStatement(baseOf(request, basePath), software))
    })
    app.get('/.well-known/smart-configuration', { schema }, async (_request, reply) => {
      void reply.header('cache-control', 'public, no-cache').type('application/json; charset=utf-8')
      return smartConfiguration()
    })
  }
}

function searchedFor({ raw, headers }: FastifyRequest, type: ServedType) {
  const isStrict = prefers([headers.prefer ?? []].flat().join(), 'handling', 'strict')
  return searchQueryFrom(queryOf(raw.url ?? ''), SERVED[type].parameters, isStrict)
}

/** Updates, deletions and patches: the resource is there, and does not take them. */
function refuseOtherMethods(app: FastifyInstance) {
  for (const type of Object.keys(SERVED)) {
    app.route({
      method: ['PUT', 'PATCH', 'DELETE', 'POST'],
      url: `/${type}/:id`,
      schema,
      // Before a body is read.
      onRequest: async () => {
        throw new Refusal('MethodNotAllowed', 'Use GET here.', { headers: { allow: 'GET' } })
      },
      handler: async () => undefined,
    })
  }
}

async function send(reply: FastifyReply, text: string) {
  return reply.type(FHIR_JSON).header('cache-control', 'no-store').send(text)
}
