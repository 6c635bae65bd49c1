// Device: read, and search of one patient. The rights are those of Observations.
import { Refusal } from '../../../refusal.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { keepElements, wantedElementsInQuery } from '../search/elements.ts'
import { mustMeanOnePatient } from '../search/must-mean-one-patient.ts'
import { patientIn } from '../search/observation-query.ts'
import { placesOf } from '../search/read-observation.ts'
import { ofPatientInPath, searchAnswer } from '../search/search-answer.ts'
import { findDevices } from './find-devices.ts'

export function deviceRoutes({ gets, reading, ids, searches }: PatientDeps) {
  const { readPage, findLatest, mustRead } = reading
  const sources = { readPage, findLatest, ids }

  const search = searchAnswer('Device', async (sent, { request, reply, base }) => {
    const named = patientIn(sent, base)
    if (named === undefined) mustMeanOnePatient(request.caller)
    return mustRead({ request, reply, named }, async (asked) => {
      const { subject } = request.caller
      const entries = await searches.during(subject, () => findDevices(sources, asked, base))
      return { entries, nextCursor: null, limitedTo: asked.reader.limitedTo }
    })
  })
  gets.serveSearch('/Device', search)
  gets.serve('/Patient/:id/Device', ofPatientInPath(search))

  gets.serve('/Device/:id', async ({ request, reply, base, params, query }) => {
    const { id = '' } = params
    const wanted = wantedElementsInQuery(query)
    const { subject, patientUids } = request.caller
    for (const { patientUid } of placesOf(id, patientUids, ids)) {
      const devices = await mustRead({ request, reply, named: patientUid, readAs: 'read' }, (asked) =>
        searches.during(subject, () => findDevices(sources, asked, base)),
      )
      const found = devices.find(({ fullUrl }) => fullUrl.endsWith(`/${id}`))
      if (found) return wanted ? keepElements(found, wanted).text : found.text
    }
    throw new Refusal('NotFound', 'There is no such Device among those of the newest readings.')
  })
}
