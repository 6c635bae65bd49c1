// Adds for patients who were erased and are refused until a stated time (`rounds patient erase --refuse-until`). The
// database decides within the statement of the add, so no process can be behind: casesheet.refuse_erased looks
// for the digests that the statement carries. Digests cost an HMAC for each patient, so none are sent until the database
// reports that a patient is refused under this server's key; from then on this process sends them.
//
// A refusal under another key than the server's cannot be checked. Its adds are stored, because refusing them would refuse
// every patient; the process reports that it lacks the key (erasure-key.ts).
import { textArray } from '../../../db/array.ts'
import type { IsGone } from '../../../db/batch.ts'
import { codeOf } from '../../../error-code.ts'
import { Refusal } from '../../../refusal.ts'
import type { PatientDigests } from '../patient-digest.ts'

// SQLSTATEs that the function raises.
const DIGESTS_WANTED = '58E01'
const REFUSED = '22E01'

const MAX_CACHED = 10_000
// A refused request fails the statement that it shares, and each neighbour is sent again alone. So a patient who was just
// refused is refused without a statement for as long; a refusal that the operator takes back works on for as long.
const CACHED_MS = 10_000

type OfPatient = { patientUid: string }

export type RefusedPatients = ReturnType<typeof createRefusedPatients>

export function createRefusedPatients(digests: PatientDigests | undefined, now = Date.now) {
  let sendsDigests = false
  const keyId = digests ? `\\x${digests.keyId.toString('hex')}` : null
  const digestOf = cached((patientUid: string) => digests?.digestOf(patientUid).toString('hex') ?? '')
  const refusedAt = new Map<string, number>()

  /** The last two values of an add's statement: the id of the key, and the digests of its patients. */
  function identify(rows: OfPatient[]): [string | null, string | null] {
    if (!digests) return [null, null]
    if (!sendsDigests) return [keyId, null]
    const patientUids = new Set(rows.map(({ patientUid }) => patientUid))
    return [keyId, textArray([...patientUids].map((patientUid) => `\\x${digestOf(patientUid)}`))]
  }

  function isRefused({ patientUid }: OfPatient): boolean {
    if (refusedAt.size === 0) return false
    return now() - (refusedAt.get(digestOf(patientUid)) ?? -Infinity) < CACHED_MS
  }

  /** Notes what the database says of a failed add; throws unless the add may be tried again. */
  function learnFrom(error: unknown) {
    const code = codeOf(error)
    if (code === DIGESTS_WANTED) sendsDigests = true
    else if (code !== REFUSED) throw error
    else {
      cache(refusedAt, String(Object(error).detail), now())
      throw patientErased()
    }
  }

  /** An add that throws `PatientErased` where one of its patients is refused. */
  function guard<Row extends OfPatient, Answer>(add: (rows: Row[], isGone: IsGone) => Promise<Answer>) {
    return async (rows: Row[], isGone: IsGone): Promise<Answer> => {
      for (;;) {
        if (rows.some(isRefused)) throw patientErased()
        try {
          return await add(rows, isGone)
        } catch (error) {
          learnFrom(error)
        }
      }
    }
  }

  return { identify, isRefused, guard }
}

export function patientErased(): Refusal {
  return new Refusal('PatientErased', 'The data of this patient was erased. New data is refused for now.')
}

function cached(compute: (key: string) => string): (key: string) => string {
  const values = new Map<string, string>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    cache(values, key, value)
    return value
  }
}

/** Sets a value and, beyond the bound, evicts the oldest one. */
function cache<Value>(values: Map<string, Value>, key: string, value: Value) {
  const [oldest] = values.size >= MAX_CACHED ? values.keys() : []
  if (oldest !== undefined) values.delete(oldest)
  values.set(key, value)
}
