// Observation: search and read.
import { OpenOfSubject } from '../../../db/open-of-subject.ts'
import { Refusal } from '../../../refusal.ts'
import { linksOf } from '../answers/addresses.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { printSearchset } from '../search/bundle.ts'
import { mustMeanOnePatient } from '../search/must-mean-one-patient.ts'
import { observationQueryFrom, withStatus } from '../search/observation-query.ts'
import { createReadObservation } from '../search/read-observation.ts'
import { searchAnswer } from '../search/search-answer.ts'
import { findObservations } from '../search/search-observations.ts'
import { searchQueryFrom } from '../search/search-query.ts'
import { findLast, LAST_N, maxIn } from './find-last.ts'

export function observationRoutes({ gets, reading, ids, now }: PatientDeps) {
  const { mustRead } = reading
  const readObservation = createReadObservation(reading, ids)
  const searches = new OpenOfSubject('searches')

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
  gets.serve('/Patient/:id/Observation', async (asked) => {
    const { id = '' } = asked.params
    if (id === '') throw new Refusal('NotFound', 'There is no such Patient: its id is empty.')
    return search({ ...asked, query: `${asked.query}&patient=${encodeURIComponent(id)}` })
  })

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

  gets.serve('/Observation/:id', async (asked) =>
    readObservation(asked, asked.params['id'] ?? '', asked.request.caller.patientUids),
  )
}
