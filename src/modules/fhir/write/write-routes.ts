// POST Observation, and POST at the base: a batch of them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { baseOf } from '../../../http/base-address.ts'
import { prefers } from '../../../http/preferences.ts'
import { Refusal } from '../../../refusal.ts'
import { hasGone } from '../../casesheet/access.ts'
import { storedOutcome } from '../answers/operation-outcome.ts'
import { sendFhir } from '../answers/send-fhir.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { schema } from '../gets.ts'
import { createReadObservation } from '../search/read-observation.ts'
import { type Added, createAddObservations } from './add-observations.ts'
import { printBundleResponse } from './bundle-response.ts'
import { mustBePlainAdd } from './must-be-plain-add.ts'
import { readBundle } from './read-bundle.ts'

export function writeRoutes(app: FastifyInstance, { reading, ids, basePath }: PatientDeps) {
  const { addObservation, addBatch } = createAddObservations(reading, ids)
  const readObservation = createReadObservation(reading, ids)
  const senderOf = (request: FastifyRequest) => {
    const { caller, bodyBytes: bytes } = request
    return { caller, bytes, isGone: hasGone(request), base: baseOf(request, basePath) }
  }

  app.post('/Observation', { schema, onRequest: mustBePlainAdd }, async (request, reply) => {
    const { caller, body, headers } = request
    const sender = senderOf(request)
    const added = await addObservation(body, sender)
    void reply.code(added.isNew ? 201 : 200).header('location', `${sender.base}/Observation/${added.id}`)
    const wants = (what: string) => prefers([headers.prefer ?? []].flat().join(), 'return', what)
    if (wants('operationoutcome')) {
      return sendFhir(reply.header('preference-applied', 'return=OperationOutcome'), storedOutcome(added))
    }
    if (wants('minimal')) void reply.header('preference-applied', 'return=minimal')
    // It is stored: what a token may not read is left out, and no reason to refuse.
    if (wants('minimal') || !caller.own.read) return reply.header('cache-control', 'no-store').send()
    if (wants('representation')) void reply.header('preference-applied', 'return=representation')
    // The sender knows all of one that is new. What became of an older one is read, and logged.
    const text = added.stored ?? (await readObservation({ request, reply }, added.id, [added.patientUid]))
    return sendFhir(reply, text)
  })

  app.post('/', { schema, onRequest: mustBePlainAdd }, async (request, reply) => {
    const sender = senderOf(request)
    const added = await addBatch(readBundle(request.body, sender.base), sender)
    mustNotAllBeElsewhere(added)
    return sendFhir(reply, printBundleResponse(added))
  })
}

/** Then the whole batch was sent to the wrong place. */
function mustNotAllBeElsewhere(added: readonly Added[]) {
  const [first] = added
  if (
    first instanceof Refusal &&
    added.every((one) => one instanceof Refusal && one.code === 'MisdirectedRequest')
  )
    throw first
}
