// Consent: read, and search of one patient.
import { Refusal } from '../../../refusal.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { mustMeanOnePatient } from '../search/must-mean-one-patient.ts'
import { patientIn } from '../search/observation-query.ts'
import { placesOf } from '../search/read-observation.ts'
import { ofPatientInPath, printRead, searchAnswer } from '../search/search-answer.ts'
import { countIn, onlyText } from '../search/search-query.ts'
import type { FindConsents } from './find-consents.ts'

const MAX_LISTED = 100
/** Pages of grants that are looked through for one: a patient has at most 100 in force, and few that ended. */
const MAX_PAGES = 10

export function consentRoutes({ gets, ids, consents }: PatientDeps & { consents: FindConsents }) {
  const search = searchAnswer('Consent', async (sent, { request: { caller }, base }) => {
    const named = patientIn(sent, base)
    if (named === undefined) mustMeanOnePatient(caller)
    const limit = Math.min(countIn(sent), MAX_LISTED)
    return consents.findEntries(caller, named, { base, limit, cursor: onlyText(sent, 'cursor') })
  })
  gets.serveSearch('/Consent', search)
  gets.serve('/Patient/:id/Consent', ofPatientInPath(search))

  gets.serve('/Consent/:id', async ({ request: { caller }, params, query }) => {
    const { id = '' } = params
    for (const { patientUid } of placesOf(id, caller.patientUids, ids)) {
      let cursor: string | undefined
      for (let page = 1; page <= MAX_PAGES; page++) {
        const listed = await consents.find(caller, patientUid, { cursor })
        const found = listed.consents.find((consent) => consent.id === id)
        if (found) return printRead(found, query)
        if (listed.nextCursor === null) break
        cursor = listed.nextCursor
      }
    }
    throw new Refusal('NotFound', 'There is no such Consent.')
  })
}
