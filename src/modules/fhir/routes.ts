// The FHIR module's table of contents: {FHIR_PATH}/Observation, Practitioner, PractitionerRole, metadata. It translates, and
// stores nothing: each request becomes calls of the casesheet and of the directory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { prefers } from '../../http/answers/preferences.ts'
import { MAX_VALUE_BYTES } from '../../http/json/strict-json.ts'
import { parseObjectInPieces, parseStrictObject } from '../../http/json/strict-object.ts'
import { mustHaveNoQuery } from '../../http/json/validation.ts'
import { queryOf } from '../../http/request-head.ts'
import { mustBePlainUtf8 } from '../../http/server.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import { Refusal } from '../../refusal.ts'
import { hasGone, mustNameAPatient, mustRead } from '../casesheet/access.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import { baseOf, linksOf } from './answers/addresses.ts'
import { capabilityStatement, type Software } from './answers/capability-statement.ts'
import { FHIR_JSON } from './answers/operation-outcome.ts'
import { SERVED, type ServedType } from './answers/served.ts'
import { createSmartConfiguration } from './answers/smart-configuration.ts'
import { FHIR_LIMITS } from './fhir-limits.ts'
import { type DoctorResource, readDoctor, searchDoctors } from './practitioner/search-practitioners.ts'
import { printSearchset } from './search/bundle.ts'
import { observationQueryFrom } from './search/observation-query.ts'
import { observationNotFound, placesOf, readObservation } from './search/read-observation.ts'
import { findObservations } from './search/search-observations.ts'
import { refuseParameter, searchQueryFrom } from './search/search-query.ts'
import { createAddObservations } from './write/add-observations.ts'
import { bundleResponse } from './write/bundle-response.ts'
import { readBundle } from './write/read-bundle.ts'

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
  const { addThose, addAll } = createAddObservations(operations)

  return async (app: FastifyInstance) => {
    app.get('/Observation', UNLISTED, async (request, reply) => {
      const { sent, ignored } = searchedFor(request, 'Observation')
      const query = observationQueryFrom(sent, now())
      if (query.patientUid === undefined) mustMeanOnePatient(request.caller)
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
        const { reader, isGone } = mustRead(request, place.patientUid, 'read')
        const found = await readObservation(readPage, place, { reader, isGone })
        if (found) return send(reply, JSON.stringify(found))
      }
      throw observationNotFound()
    })

    readFhirBodies(app)

    app.post('/Observation', { schema, onRequest: mustBePlainAdd }, async (request, reply) => {
      const { caller, bodyBytes, body, headers } = request
      const [added] = await addThose([body], { caller, bytes: bodyBytes, isGone: hasGone(request) })
      if (!added || added instanceof Refusal) throw added ?? observationNotFound()
      void reply
        .code(added.isNew ? 201 : 200)
        .header('location', `${baseOf(request, basePath)}/Observation/${added.id}`)
      // It is stored: what a token may not read is left out, and no reason to refuse.
      const isShown = prefers(preferenceIn(headers), 'return', 'representation') && caller.own.read
      if (!isShown) return reply.header('cache-control', 'no-store').send()
      void reply.header('preference-applied', 'return=representation')
      const { reader, isGone } = mustRead(request, added.patientUid, 'read')
      for (const place of placesOf(added.id, [added.patientUid])) {
        const found = await readObservation(readPage, place, { reader, isGone })
        if (found) return send(reply, JSON.stringify(found))
      }
      throw observationNotFound()
    })

    app.post('/', { schema, onRequest: mustBePlainAdd }, async (request, reply) => {
      const { caller, bodyBytes: bytes } = request
      const sender = { caller, bytes, isGone: hasGone(request) }
      const { type, resources } = readBundle(request.body)
      const added =
        type === 'batch'
          ? await addThose(resources, sender)
          : await addAll(resources, (index) => `Bundle.entry[${index}].resource`, sender)
      return send(reply, JSON.stringify(bundleResponse(type, added)))
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
  const isStrict = prefers(preferenceIn(headers), 'handling', 'strict')
  return searchQueryFrom(queryOf(raw.url ?? ''), SERVED[type].parameters, isStrict)
}

const preferenceIn = ({ prefer }: FastifyRequest['headers']) => [prefer ?? []].flat().join()

/** In the words of the parameter; a caller who may read no one is refused as such later. */
function mustMeanOnePatient({ patientUids, isStaff }: Caller) {
  if (patientUids.length > 1 || (patientUids.length === 0 && isStaff)) {
    throw refuseParameter('patient', 'is required unless the token names exactly one patient')
  }
}

/** Before the body is read. */
async function mustBePlainAdd(request: FastifyRequest) {
  mustNameAPatient(request.caller)
  mustHaveNoQuery(request)
  if (request.headers['if-none-exist'] !== undefined) {
    throw new Refusal(
      'ValidationFailed',
      'If-None-Exist is not supported: an Observation that is sent again is stored once.',
    )
  }
}

const BODY = { listName: 'entry', limits: FHIR_LIMITS }

/** JSON of FHIR is read as strictly as any other, and a Bundle entry by entry. */
function readFhirBodies(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    ['application/fhir+json', 'application/json'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        mustBePlainUtf8(request)
        if (body.length > MAX_VALUE_BYTES) return parseObjectInPieces(body, BODY)
        return done(null, parseStrictObject(body, BODY))
      } catch (error) {
        return done(error as Error)
      }
    },
  )
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
