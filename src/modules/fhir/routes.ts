// The FHIR module's table of contents: {FHIR_PATH}/Observation, Practitioner, PractitionerRole, metadata. It translates, and
// stores nothing: each request becomes calls of the casesheet and of the directory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { OpenOfSubject } from '../../db/open-of-subject.ts'
import { prefers } from '../../http/preferences.ts'
import { queryOf } from '../../http/request-head.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import { Refusal } from '../../refusal.ts'
import { hasGone, mayReadOthers, mustNameAPatient } from '../casesheet/access.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import { baseOf, linksOf } from './answers/addresses.ts'
import { capabilityStatement, type Software } from './answers/capability-statement.ts'
import { mustAskForJson, mustHaveGeneralParametersOnly, mustWantJson } from './answers/general-parameters.ts'
import { FHIR_JSON, storedOutcome } from './answers/operation-outcome.ts'
import { SERVED, type ServedType } from './answers/served.ts'
import { createSmartConfiguration } from './answers/smart-configuration.ts'
import type { ObservationIds } from './observation/observation-id.ts'
import { type DoctorResource, readDoctor, searchDoctors } from './practitioner/search-practitioners.ts'
import { type Found, printSearchset } from './search/bundle.ts'
import { observationQueryFrom, withStatus } from './search/observation-query.ts'
import { observationNotFound, placesOf, readObservation } from './search/read-observation.ts'
import { findObservations } from './search/search-observations.ts'
import { refuseParameter, type Sent, searchQueryFrom } from './search/search-query.ts'
import { createAddObservations } from './write/add-observations.ts'
import { bundleResponse } from './write/bundle-response.ts'
import { readFhirBodies, readForms } from './write/read-bodies.ts'
import { readBundle } from './write/read-bundle.ts'

export type FhirDeps = {
  /** Needed where Observations are served. */
  operations: ReadingOperations | undefined
  types: readonly ServedType[]
  ids: ObservationIds
  basePath: string
  now: () => number
}

const schema = { hide: true }
// No HEAD: it would read, and log, a search to answer nothing.
const UNLISTED = { schema, exposeHeadRoute: false }

type WithId = { Params: { id: string } }

type Understood = { sent: readonly Sent[]; ignored: string[] }
type Find = (request: FastifyRequest, reply: FastifyReply, base: string) => Promise<Found & Understood>

export function fhirRoutes(db: Db, deps: FhirDeps) {
  const { operations, types } = deps
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', mustWantJson)
    readFhirBodies(app)
    if (operations && types.includes('Observation')) serveObservations(app, operations, deps)
    for (const type of ['Practitioner', 'PractitionerRole'] as const) {
      if (types.includes(type)) serveDoctors(app, db, type, deps)
    }
    refuseOtherMethods(app, types)
  }
}

function serveObservations(
  app: FastifyInstance,
  reading: ReadingOperations,
  { ids, basePath, now }: FhirDeps,
) {
  const { readPage, mustRead } = reading
  const { addThose, addAll } = createAddObservations(reading, ids)
  const searches = new OpenOfSubject('searches')

  serveSearch(app, basePath, 'Observation', async (request, reply, base) => {
    const { sent, ignored } = searchedFor(request, 'Observation')
    const query = observationQueryFrom(sent, { base, nowMs: now() })
    if (query.patientUid === undefined) mustMeanOnePatient(request.caller)
    const found = await mustRead(
      { request, reply, named: query.patientUid },
      async ({ patientUid, ...asked }) => ({
        ...(await searches.during(request.caller.subject, () =>
          findObservations(readPage, { ...query, patientUid }, { ...asked, base, ids }),
        )),
        limitedTo: asked.reader.limitedTo,
      }),
    )
    return { ...found, sent: withStatus(sent), ignored }
  })

  /** The Observation of one of these patients. */
  async function sendObservation(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    of: readonly string[],
  ) {
    for (const place of placesOf(id, of, ids)) {
      const found = await mustRead({ request, reply, named: place.patientUid, readAs: 'read' }, (asked) =>
        readObservation(readPage, place, asked),
      )
      if (found) return send(reply, JSON.stringify(found))
    }
    throw observationNotFound()
  }

  app.get<WithId>('/Observation/:id', UNLISTED, async (request, reply) =>
    sendObservation(request, reply, request.params.id, request.caller.patientUids),
  )

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
    return sendObservation(request, reply, added.id, [added.patientUid])
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
function serveSearch(app: FastifyInstance, basePath: string, type: ServedType, find: Find) {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const base = baseOf(request, basePath)
    const { entries, nextCursor, limitedTo, sent, ignored } = await find(request, reply, base)
    const links = linksOf(`${base}/${type}`, sent, nextCursor)
    return send(reply, printSearchset({ links, entries, ignored, limitedTo }))
  }
  app.get(`/${type}`, UNLISTED, answer)
  void app.register(async (forms) => {
    readForms(forms)
    forms.post(`/${type}/_search`, { schema }, answer)
  })
}

function serveDoctors(app: FastifyInstance, db: Db, type: DoctorResource, { basePath }: FhirDeps) {
  serveSearch(app, basePath, type, async (request, _reply, base) => {
    const { sent, ignored } = searchedFor(request, type)
    return {
      ...(await searchDoctors(db, type, sent, { base, subject: request.caller.subject })),
      sent,
      ignored,
    }
  })
  app.get<WithId>(`/${type}/:id`, UNLISTED, async (request, reply) => {
    const found = await readDoctor(db, type, request.params.id, request.caller.subject)
    if (!found) throw new Refusal('NotFound', `There is no such ${type}.`)
    return send(reply, JSON.stringify(found))
  })
}

/** What anyone may ask without a token. */
export function fhirPublicRoutes(
  issuer: string,
  { types, basePath, now, ...software }: Software & Omit<FhirDeps, 'operations' | 'ids'>,
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
function mustMeanOnePatient(caller: Caller) {
  const { length } = caller.patientUids
  if (length > 1 || (length === 0 && mayReadOthers(caller))) {
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
