// Patient: read and search. Who may read a patient's readings may see the patient, and each look is logged as a search is.
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import type { Asked as AskedOfPatient } from '../../casesheet/access.ts'
import { createReadSharedAs } from '../../casesheet/grants/read-shared-as.ts'
import type { PatientDeps } from '../fhir-deps.ts'
import { isFhirId } from '../observation/patient-reference.ts'
import { mustMeanOnePatient } from '../search/must-mean-one-patient.ts'
import { searchAnswer } from '../search/search-answer.ts'
import { noteRead } from '../search/search-observations.ts'
import { patientEntries, patientResource, patientSearched } from './patient-resource.ts'

export function patientRoutes(db: Db, { gets, reading }: PatientDeps) {
  const { readPage, mustRead } = reading
  const readSharedAs = createReadSharedAs(db)

  /** Notes the look, and finds the name under which the patient shares with the doctor who reads. */
  async function lookAt({ patientUid, reader, isGone }: AskedOfPatient): Promise<string | null> {
    await noteRead(readPage, patientUid, { reader, isGone })
    const { doctorId, readBy: subject } = reader
    return doctorId === null ? null : readSharedAs({ patientUid, doctorId, subject })
  }

  gets.serveSearch(
    '/Patient',
    searchAnswer('Patient', async (sent, { request, reply, base }) => {
      const named = patientSearched(sent)
      if (named === undefined) mustMeanOnePatient(request.caller, '_id')
      return mustRead({ request, reply, named }, async (asked) => ({
        entries: patientEntries(asked.patientUid, await lookAt(asked), base),
        nextCursor: null,
      }))
    }),
  )

  gets.serve('/Patient/:id', async ({ request, reply, params }) => {
    const patientUid = mustBePatient(params['id'])
    return mustRead({ request, reply, named: patientUid, readAs: 'read' }, async (asked) =>
      JSON.stringify(patientResource(patientUid, await lookAt(asked))),
    )
  })
}

function mustBePatient(id = ''): string {
  if (isFhirId(id)) return id
  throw new Refusal(
    'NotFound',
    'There is no such Patient: an id has letters, digits, dots and hyphens, at most 64.',
  )
}
