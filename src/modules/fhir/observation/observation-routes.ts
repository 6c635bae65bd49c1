// Observation: search, read, create.
import type { FastifyInstance } from 'fastify'
import { OpenOfSubject } from '../../../db/open-of-subject.ts'
import { baseOf } from '../../../http/base-address.ts'
import { prefers } from '../../../http/preferences.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { hasGone, mayReadOthers } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { storedOutcome } from '../answers/operation-outcome.ts'
import { sendFhir } from '../answers/send-fhir.ts'
import type { FhirDeps } from '../fhir-deps.ts'
import { type Asked, type Gets, schema } from '../gets.ts'
import { observationQueryFrom, withStatus } from '../search/observation-query.ts'
import { observationNotFound, placesOf, readObservation } from '../search/read-observation.ts'
import { printRead, searchAnswer } from '../search/search-answer.ts'
import { findObservations } from '../search/search-observations.ts'
import { refuseParameter } from '../search/search-query.ts'
import { createAddObservations } from '../write/add-observations.ts'
import { mustBePlainAdd } from '../write/must-be-plain-add.ts'

export function observationRoutes(
  app: FastifyInstance,
  { gets, reading, ids, basePath, now }: FhirDeps & { gets: Gets; reading: ReadingOperations },
) {
  const { readPage, mustRead } = reading
  const { addOne } = createAddObservations(reading, ids)
  const searches = new OpenOfSubject('searches')

  gets.serveSearch(
    '/Observation',
    searchAnswer('Observation', async (sent, { request, reply, base }) => {
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
      return { ...found, sent: withStatus(sent) }
    }),
  )

  /** The Observation of one of these patients. */
  async function printObservation(
    { request, reply, query }: Pick<Asked, 'request' | 'reply' | 'query'>,
    id: string,
    of: readonly string[],
  ): Promise<string> {
    for (const place of placesOf(id, of, ids)) {
      const found = await mustRead({ request, reply, named: place.patientUid, readAs: 'read' }, (asked) =>
        readObservation(readPage, place, asked),
      )
      if (found) return printRead(found, query)
    }
    throw observationNotFound()
  }

  gets.serve('/Observation/:id', async (asked) =>
    printObservation(asked, asked.params['id'] ?? '', asked.request.caller.patientUids),
  )

  app.post('/Observation', { schema, onRequest: mustBePlainAdd }, async (request, reply) => {
    const { caller, bodyBytes, body, headers } = request
    const added = await addOne(body, { caller, bytes: bodyBytes, isGone: hasGone(request) })
    void reply
      .code(added.isNew ? 201 : 200)
      .header('location', `${baseOf(request, basePath)}/Observation/${added.id}`)
    const wants = (what: string) => prefers([headers.prefer ?? []].flat().join(), 'return', what)
    if (wants('operationoutcome')) {
      return sendFhir(reply.header('preference-applied', 'return=OperationOutcome'), storedOutcome(added))
    }
    if (wants('minimal')) void reply.header('preference-applied', 'return=minimal')
    // It is stored: what a token may not read is left out, and no reason to refuse.
    if (wants('minimal') || !caller.own.read) return reply.header('cache-control', 'no-store').send()
    if (wants('representation')) void reply.header('preference-applied', 'return=representation')
    // The sender knows all of one that is new. What became of an older one is read, and logged.
    const text = added.stored
      ? JSON.stringify(added.stored)
      : await printObservation({ request, reply, query: '' }, added.id, [added.patientUid])
    return sendFhir(reply, text)
  })
}

/** In the words of the parameter; a caller who may read no one is refused as such later. */
function mustMeanOnePatient(caller: Caller) {
  const { length } = caller.patientUids
  if (length > 1 || (length === 0 && mayReadOthers(caller))) {
    throw refuseParameter('patient', 'is required unless the token names exactly one patient')
  }
}
