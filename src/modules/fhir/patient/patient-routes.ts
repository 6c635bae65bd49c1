// Patient: read, search, and everything that is known of one. Who may read a patient's readings may see the patient, and each look
// is logged as a search is.
import { Refusal } from '../../../refusal.ts'
import type { Asked as AskedOfPatient } from '../../casesheet/access.ts'
import { linksOf } from '../answers/addresses.ts'
import type { FindConsents } from '../consent/find-consents.ts'
import { findDevices } from '../device/find-devices.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import type { Asked } from '../gets.ts'
import { isFhirId } from '../observation/patient-reference.ts'
import { type Entry, type Found, printSearchset } from '../search/bundle.ts'
import { mustMeanOnePatient } from '../search/must-mean-one-patient.ts'
import { observationQueryFrom } from '../search/observation-query.ts'
import { printRead, searchAnswer } from '../search/search-answer.ts'
import { findObservations, noteRead } from '../search/search-observations.ts'
import { searchQueryFrom } from '../search/search-query.ts'
import { EVERYTHING, readEverything } from './everything-query.ts'
import { patientEntries, patientResource, patientSearched } from './patient-resource.ts'

export function patientRoutes({
  gets,
  reading,
  ids,
  searches,
  now,
  consents,
}: PatientDeps & { consents: FindConsents }) {
  const { readPage, findLatest, mustRead } = reading

  gets.serveSearch(
    '/Patient',
    searchAnswer('Patient', async (sent, { request, reply, base }) => {
      const named = patientSearched(sent)
      if (named === undefined) mustMeanOnePatient(request.caller, '_id')
      return mustRead({ request, reply, named }, async ({ patientUid, ...asked }) => {
        await noteRead(readPage, patientUid, asked)
        const sharedAs = await consents.sharedAs({ patientUid, ...asked })
        return { entries: patientEntries(patientUid, sharedAs, base), nextCursor: null }
      })
    }),
  )

  gets.serve('/Patient/:id', async ({ request, reply, params, query }) => {
    const patientUid = mustBePatient(params['id'])
    return mustRead({ request, reply, named: patientUid, readAs: 'read' }, async (asked) => {
      await noteRead(readPage, patientUid, asked)
      return printRead(patientResource(patientUid, await consents.sharedAs(asked)), query)
    })
  })

  gets.serveOperation('/Patient/:id/$everything', async (asked) => {
    const { request, reply, base } = asked
    const named = mustBePatient(asked.params['id'])
    const { sent, ignored } = searchQueryFrom(asked.query, EVERYTHING, asked.isStrict)
    const { observations, isWanted, isFirstPage } = readEverything(sent, named)
    const query = observationQueryFrom(observations, { base, nowMs: now() })
    const { subject } = request.caller
    const found = await mustRead({ request, reply, named }, async (of) =>
      searches.during(subject, async () => {
        const first = isFirstPage ? await findFirst(of, isWanted, asked) : []
        const { entries, nextCursor } = isWanted('Observation')
          ? await findObservations(reading, { ...query, patientUid: named }, { ...of, base, ids })
          : NOTHING
        // Also where nothing was read, the look is logged.
        if (!isWanted('Observation')) await noteRead(readPage, named, of)
        return { entries: [...first, ...entries], nextCursor, limitedTo: of.reader.limitedTo }
      }),
    )
    const links = linksOf(`${base}/Patient/${named}/$everything`, sent, found.nextCursor)
    return printSearchset({ links, entries: found.entries, ignored, limitedTo: found.limitedTo })
  })

  /** What stands before the Observations. */
  async function findFirst(
    of: AskedOfPatient,
    isWanted: (type: string) => boolean,
    { request, base }: Asked,
  ): Promise<Entry[]> {
    const { patientUid } = of
    return [
      ...(isWanted('Patient') ? patientEntries(patientUid, await consents.sharedAs(of), base) : []),
      ...(isWanted('Consent') ? await consents.entriesIfAllowed(request.caller, patientUid, base) : []),
      ...(isWanted('Device') ? await findDevices({ readPage, findLatest, ids }, of, base) : []),
    ]
  }
}

const NOTHING: Found = { entries: [], nextCursor: null }

function mustBePatient(id = ''): string {
  if (isFhirId(id)) return id
  throw new Refusal(
    'NotFound',
    'There is no such Patient: an id has letters, digits, dots and hyphens, at most 64.',
  )
}
