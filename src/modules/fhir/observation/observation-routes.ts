// Observation: search, read, create.
import type { FastifyInstance } from 'fastify'
import { baseOf } from '../../../http/base-address.ts'
import { prefers } from '../../../http/preferences.ts'
import { hasGone } from '../../casesheet/access.ts'
import { linksOf } from '../answers/addresses.ts'
import { storedOutcome } from '../answers/operation-outcome.ts'
import { sendFhir } from '../answers/send-fhir.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { type Asked, schema } from '../gets.ts'
import { printSearchset } from '../search/bundle.ts'
import { mustMeanOnePatient } from '../search/must-mean-one-patient.ts'
import { observationQueryFrom, withStatus } from '../search/observation-query.ts'
import { observationNotFound, placesOf, readObservation } from '../search/read-observation.ts'
import { ofPatientInPath, printRead, searchAnswer } from '../search/search-answer.ts'
import { findObservations } from '../search/search-observations.ts'
import { searchQueryFrom } from '../search/search-query.ts'
import { createAddObservations } from '../write/add-observations.ts'
import { mustBePlainAdd } from '../write/must-be-plain-add.ts'
import { findLast, LAST_N, maxIn } from './find-last.ts'

export function observationRoutes(
  app: FastifyInstance,
  { gets, reading, ids, searches, basePath, now }: PatientDeps,
) {
  const { readPage, mustRead } = reading
  const { addOne } = createAddObservations(reading, ids)

  const search = searchAnswer('Observation', async (sent, { request, reply, base }) => {
    const query = observationQueryFrom(sent, { base, nowMs: now() })
    if (query.patientUid === undefined) mustMeanOnePatient(request.caller)
    const found = await mustRead(
      { request, reply, named: query.patientUid },
      async ({ patientUid, ...asked }) => ({
        ...(await searches.during(request.caller.subject, () =>
          findObservations(reading, { ...query, patientUid }, { ...asked, base, ids }),
        )),
        limitedTo: asked.reader.limitedTo,
      }),
    )
    return { ...found, sent: withStatus(sent) }
  })
  gets.serveSearch('/Observation', search)
  gets.serve('/Patient/:id/Observation', ofPatientInPath(search))

  gets.serveOperation('/Observation/$lastn', async ({ request, reply, base, query: asked, isStrict }) => {
    const { sent, ignored } = searchQueryFrom(asked, LAST_N, isStrict)
    const [nowMs, max] = [now(), maxIn(sent)]
    const query = observationQueryFrom(sent, { base, nowMs })
    if (query.patientUid === undefined) mustMeanOnePatient(request.caller)
    const deps = { reading, ids, base, nowMs }
    return mustRead({ request, reply, named: query.patientUid }, async (of) => {
      const entries = await searches.during(request.caller.subject, () => findLast(deps, { query, max }, of))
      const links = linksOf(`${base}/Observation/$lastn`, sent, null)
      return printSearchset({ links, entries, ignored, limitedTo: of.reader.limitedTo })
    })
  })

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
    const base = baseOf(request, basePath)
    const added = await addOne(body, { caller, bytes: bodyBytes, isGone: hasGone(request), base })
    void reply.code(added.isNew ? 201 : 200).header('location', `${base}/Observation/${added.id}`)
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
      ? added.stored
      : await printObservation({ request, reply, query: '' }, added.id, [added.patientUid])
    return sendFhir(reply, text)
  })
}
