// What patients are called: to the doctor who is signed in, as they want to appear to this doctor; to a carer, as they appear to the
// doctor with whom they shared last. Rounds knows no other names.
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
  /** The name under which one's own patient is shared; undefined where there is none. */
  ownName: (patientUid: string) => Promise<string | undefined>
}

export function createSharingPatients(rounds: Pick<RoundsClient, 'patients' | 'grants'>): SharingPatients {
  const ownNames = new Map<string, Promise<string | undefined>>()
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
  async function readOwnName(patientUid: string) {
    const { data } = await rounds.grants.list({ patientUid })
    const named = data.filter(({ sharedAs }) => sharedAs !== null)
    return (
      named.toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt))[0]?.sharedAs ??
      undefined
    )
  }
  return {
    keep,
    ownName(patientUid) {
      // Where it cannot be read, the id has to do, until it is asked for again.
      const name = ownNames.get(patientUid) ?? readOwnName(patientUid)
      ownNames.set(patientUid, name)
      return name.catch(() => {
        ownNames.delete(patientUid)
        return undefined
      })
    },
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

/** So many names are asked for at a time; further patients are shown by their ids. */
const MAX_NAMES = 12

/** What to call each patient: by the name, if one is known, else by the id. Who has one patient alone knows who it is. */
export function usePatientNames(patientUids: readonly string[]): (patientUid: string) => string {
  const { session, sharingPatients } = useApp()
  const { doctorId, patientUids: own } = session.person
  // By patient, so names that were read before are right for any list.
  const readNames = async () => {
    const nameOf = async (uid: string) => {
      if (own.includes(uid)) return own.length > 1 ? sharingPatients.ownName(uid) : undefined
      return doctorId === undefined ? undefined : ((await sharingPatients.find(uid))?.sharedAs ?? undefined)
    }
    const asked = patientUids.slice(0, MAX_NAMES)
    const names = await Promise.all(asked.map(nameOf))
    return new Map(asked.map((uid, index) => [uid, names[index]]))
  }
  const { data } = useLoad('names', readNames, [patientUids.join(' ')])
  return (patientUid) => data?.get(patientUid) ?? patientUid
}

/** What to call a patient in a heading or a sentence: to a doctor as the patient wants to appear, to others by id, as buttons do. */
export function usePatientName(patientUid: string): string {
  const { session, sharingPatients } = useApp()
  const { doctorId, patientUids } = session.person
  const isAsked = doctorId !== undefined && patientUid !== '' && !patientUids.includes(patientUid)
  const { data } = useLoad([patientUid, isAsked], async () =>
    isAsked ? sharingPatients.find(patientUid) : undefined,
  )
  return data?.sharedAs ?? patientUid
}

/** For whom something is done, where that is not clear: who has several patients sees it at each step. */
export function useNamedFor(patientUid: string): string | undefined {
  const { patientUids } = useApp().session.person
  const name = usePatientNames([patientUid])(patientUid)
  return patientUids.length > 1 ? name : undefined
}
