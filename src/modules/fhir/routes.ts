// The FHIR module's table of contents: {FHIR_PATH}/Observation, Practitioner, PractitionerRole, metadata. It translates, and
// stores nothing: each request becomes calls of the casesheet and of the directory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { prefers } from '../../http/answers/preferences.ts'
import { queryOf } from '../../http/request-head.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import { Refusal } from '../../refusal.ts'
import { hasGone, mustNameAPatient, mustRead } from '../casesheet/access.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import { baseOf, linksOf } from './answers/addresses.ts'
import { capabilityStatement, type Software } from './answers/capability-statement.ts'
import { mustAskForJson, mustHaveGeneralParametersOnly, mustWantJson } from './answers/general-parameters.ts'
import { FHIR_JSON, storedOutcome } from './answers/operation-outcome.ts'
import { SERVED, type ServedType } from './answers/served.ts'
import { createSmartConfiguration } from './answers/smart-configuration.ts'
import { type DoctorResource, readDoctor, searchDoctors } from './practitioner/search-practitioners.ts'
import { printSearchset } from './search/bundle.ts'
import { observationQueryFrom, withStatus } from './search/observation-query.ts'
import { observationNotFound, placesOf, readObservation } from './search/read-observation.ts'
import { findObservations } from './search/search-observations.ts'
import { refuseParameter, type Sent, searchQueryFrom } from './search/search-query.ts'
import { createAddObservations } from './write/add-observations.ts'
import { bundleResponse } from './write/bundle-response.ts'
import { readFhirBodies, readForms } from './write/read-bodies.ts'
import { readBundle } from './write/read-bundle.ts'

export type FhirSurroundings = {
  /** Needed where Observations are served. */
  operations: ReadingOperations | undefined
  types: readonly ServedType[]
  basePath: string
  now: () => number
}

const schema = { hide: true }
// No HEAD: it would read, and log, a search to answer nothing.
const UNLISTED = { schema, exposeHeadRoute: false }

type WithId = { Params: { id: string } }

type Found = { entries: string[]; nextCursor: string | null; sent: readonly Sent[]; ignored: string[] }
type Find = (request: FastifyRequest, base: string) => Promise<Found>

export function fhirRoutes(db: Db, { operations, types, basePath, now }: FhirSurroundings) {
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', mustWantJson)
    readFhirBodies(app)
    if (operations && types.includes('Observation')) serveObservations(app, operations)
    for (const type of ['Practitioner', 'PractitionerRole'] as const) {
      if (types.includes(type)) serveDoctors(app, type)
    }
    refuseOtherMethods(app, types)
  }

  function serveObservations(app: FastifyInstance, reading: ReadingOperations) {
    const { readPage } = reading
    const { addThose, addAll } = createAddObservations(reading)

    serveSearch(app, 'Observation', async (request, base) => {
      const { sent, ignored } = searchedFor(request, 'Observation')
      const query = observationQueryFrom(sent, { base, nowMs: now() })
      if (query.patientUid === undefined) mustMeanOnePatient(request.caller)
      const { patientUid, ...asked } = mustRead(request, query.patientUid)
      const found = await findObservations(readPage, { ...query, patientUid }, { ...asked, base })
      return { ...found, sent: withStatus(sent), ignored }
    })

    app.get<WithId>('/Observation/:id', UNLISTED, async (request, reply) => {
      for (const place of placesOf(request.params.id, request.caller.patientUids)) {
        const { reader, isGone } = mustRead(request, place.patientUid, 'read')
        const found = await readObservation(readPage, place, { reader, isGone })
        if (found) return send(reply, JSON.stringify(found))
      }
      throw observationNotFound()
    })

    app.post('/Observation', { schema, onRequest: mustBePlainAdd }, async (request, reply) => {
      const { caller, bodyBytes, body, headers } = request
      const [added] = await addThose([body], { caller, bytes: bodyBytes, isGone: hasGone(request) })
      if (!added || added instanceof Refusal) throw added ?? observationNotFound()
      void reply
        .code(added.isNew ? 201 : 200)
        .header('location', `${baseOf(request, basePath)}/Observation/${added.id}`)
      const wants = (what: string) => prefers(preferenceIn(headers), 'return', what)
      if (wants('operationoutcome')) {
        return send(reply.header('preference-applied', 'return=OperationOutcome'), storedOutcome(added))
      }
      // It is stored: what a token may not read is left out, and no reason to refuse.
      const isShown = wants('representation') && caller.own.read
      if (wants('minimal')) void reply.header('preference-applied', 'return=minimal')
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
  }

  /** A search by the address, and by a form: addresses are logged by proxies, and a patient's id is in them. */
  function serveSearch(app: FastifyInstance, type: ServedType, find: Find) {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const base = baseOf(request, basePath)
      const { entries, nextCursor, sent, ignored } = await find(request, base)
      const links = linksOf(`${base}/${type}`, sent, nextCursor)
      return send(reply, printSearchset({ links, entries, ignored }))
    }
    app.get(`/${type}`, UNLISTED, answer)
    void app.register(async (forms) => {
      readForms(forms)
      forms.post(`/${type}/_search`, { schema }, answer)
    })
  }

  function serveDoctors(app: FastifyInstance, type: DoctorResource) {
    serveSearch(app, type, async (request, base) => {
      const { sent, ignored } = searchedFor(request, type)
      return { ...(await searchDoctors(db, type, sent, base)), sent, ignored }
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
  { types, basePath, now, ...software }: Software & Omit<FhirSurroundings, 'operations'>,
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

function searchedFor({ raw, headers, body }: FastifyRequest, type: ServedType) {
  const isStrict = prefers(preferenceIn(headers), 'handling', 'strict')
  const form = typeof body === 'string' ? body : ''
  mustAskForJson(form)
  return searchQueryFrom(`${queryOf(raw.url ?? '')}&${form}`, SERVED[type], isStrict)
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
  mustHaveGeneralParametersOnly(request)
  if (request.headers['if-none-exist'] !== undefined) {
    throw new Refusal(
      'ValidationFailed',
      'If-None-Exist is not supported: an Observation that is sent again is stored once.',
    )
  }
}

/** Updates, deletions and patches: the resource is there, and does not take them. */
function refuseOtherMethods(app: FastifyInstance, types: readonly ServedType[]) {
  for (const type of types) {
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
