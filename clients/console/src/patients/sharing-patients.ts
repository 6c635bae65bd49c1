// The patients who share readings with the doctor who is signed in, as they want to appear to this doctor.
import type { PatientsAnswer, RoundsClient, SharingPatient } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { useLoad } from '../hooks/use-load.ts'

const PAGE = 100
/** A link may lead to a patient whom no list has shown yet. The list is read so far, and then the id has to do. */
const MAX_PAGES = 10

export type SharingPatients = {
  /** What a list has shown. */
  keep: (patients: readonly SharingPatient[]) => void
  find: (patientUid: string) => Promise<SharingPatient | undefined>
}

export function createSharingPatients(rounds: Pick<RoundsClient, 'patients'>): SharingPatients {
  const known = new Map<string, SharingPatient>()
  /** For all that ask at the same time. */
  let search: { patientUid: string; ended: Promise<void> } | undefined
  const keep = (patients: readonly SharingPatient[]) => {
    for (const patient of patients) known.set(patient.patientUid, patient)
  }
  async function searchFor(patientUid: string) {
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES && !known.has(patientUid); page++) {
      const answer: PatientsAnswer = await rounds.patients.list({ limit: PAGE, cursor })
      keep(answer.data)
      if (answer.nextCursor === null) return
      cursor = answer.nextCursor
    }
  }
  return {
    keep,
    async find(patientUid) {
      if (!known.has(patientUid)) {
        if (search?.patientUid !== patientUid) {
          const ended = searchFor(patientUid).finally(() => {
            search = undefined
          })
          search = { patientUid, ended }
        }
        await search.ended
      }
      return known.get(patientUid)
    },
  }
}

/** What to call a patient whom a doctor looks at: as the patient wants to appear, else by id. */
export function usePatientName(patientUid: string): string {
  const { session, sharingPatients } = useApp()
  const isAsked = session.person.doctorId !== undefined && !session.person.patientUids.includes(patientUid)
  const { data } = useLoad(
    async () => (isAsked ? sharingPatients.find(patientUid) : undefined),
    [patientUid, isAsked],
  )
  return data?.patientUid === patientUid ? (data.sharedAs ?? patientUid) : patientUid
}
