// What the service says of a patient whom the token does not name: that a doctor sees some types only, that the patient does not
// share readings, that staff must say why they read. It is taken from the answers as they pass, so no screen has to ask for it.
import type { Fetch } from '../../../typescript/src/client.ts'
import { createStore, type Store } from '../hooks/store.ts'
import type { Kept } from '../storage/kept-values.ts'

/**
 *   refusal         what it means                                      it ends when
 *   undefined       nothing speaks against reading
 *   NotShared       the patient shares nothing with this doctor (now)  the doctor looks at the list of patients again
 *   ReasonRequired  staff have not said why they open the record       they have
 */
type Access = { limitedTo?: readonly string[]; refusal?: Refusal }
export type Refusal = 'NotShared' | 'ReasonRequired'

export type PatientAccess = {
  /** A fetch that adds the reason that staff gave, and notes what the answer says. */
  fetch: Fetch
  /** By patient. */
  known: Pick<Store<ReadonlyMap<string, Access>>, 'get' | 'subscribe'>
  /** Whether this service has refused to answer staff without a reason. */
  isReasonRequired: () => boolean
  giveReason: (patientUid: string, reason: string) => void
  /** What was refused may be allowed by now. */
  startAnew: () => void
}

type Keeping = Pick<Kept, 'reason' | 'keepReason' | 'forgetPatient'>

export function createPatientAccess(fetch: Fetch, kept: Keeping): PatientAccess {
  const known = createStore<ReadonlyMap<string, Access>>(new Map())
  let isReasonRequired = false

  function note(patientUid: string, access: Access) {
    const before = known.get().get(patientUid)
    if (JSON.stringify(before ?? {}) !== JSON.stringify(access))
      known.set(new Map(known.get()).set(patientUid, access))
  }
  async function noteRefusal(patientUid: string, response: Response) {
    const { code }: { code?: unknown } = Object(await response.json().catch(() => undefined))
    if (code !== 'NotShared' && code !== 'ReasonRequired') return
    if (code === 'ReasonRequired') isReasonRequired = true
    else kept.forgetPatient(patientUid)
    note(patientUid, { refusal: code })
  }

  return {
    async fetch(url, init) {
      const patientUid = new URL(url).searchParams.get('patientUid')
      if (patientUid === null) return fetch(url, init)
      const response = await fetch(url, withReason(init, kept.reason(patientUid)))
      if (response.status === 403) await noteRefusal(patientUid, response.clone())
      else if (response.ok) {
        const types = response.headers.get('x-limited-to')
        note(patientUid, types === null ? {} : { limitedTo: types.split(',') })
      }
      return response
    },
    known,
    isReasonRequired: () => isReasonRequired,
    giveReason(patientUid, reason) {
      kept.keepReason(patientUid, reason)
      note(patientUid, {})
    },
    startAnew: () => known.set(new Map()),
  }
}

function withReason(init: RequestInit, reason: string | undefined): RequestInit {
  if (reason === undefined) return init
  const headers = new Headers(init.headers)
  headers.set('x-access-reason', encodeURIComponent(reason))
  return { ...init, headers }
}
