// Adds for patients who were erased and are refused until a stated time (`rounds patient erase --refuse-until`). The
// database decides within the statement of the add, so no process can be behind: casesheet.refuse_erased_patients looks
// for the digests that the statement carries. Digests cost an HMAC for each patient, so none are sent until the database
// reports that a patient is refused; from then on this process sends them.
import { textArray } from '../../../db/array.ts'
import type { IsGone } from '../../../db/batch.ts'
import { codeOf } from '../../../error-code.ts'
import { Refusal } from '../../../refusal.ts'
import type { OfPatient } from '../cell/slot.ts'
import type { PatientDigests } from '../patient-digest.ts'

// SQLSTATEs that the function raises.
const DIGESTS_WANTED = '58E01'
const OTHER_KEY = '58E02'
const REFUSED = '22E01'

const MAX_CACHED = 10_000
// A refused request fails the statement that it shares, and each neighbour is sent again alone. So a patient who was just
// refused is refused without a statement for as long; a refusal that the operator takes back works on for as long.
const CACHED_MS = 10_000

/** The key of the server is missing or not the one of the refusals: nothing is stored, and an operator has to set it. */
class ErasureKeyError extends Error {
  override name: string
  readonly code: string

  constructor(code: string, cause: unknown) {
    super('Erased patients are refused, but ERASURE_KEY is not the key under which they were erased.', {
      cause,
    })
    this.name = code === OTHER_KEY ? 'ErasureKeyDiffers' : 'ErasureKeyMissing'
    this.code = code
  }
}

export type RefusedPatients = ReturnType<typeof createRefusedPatients>

export function createRefusedPatients(digests: PatientDigests | undefined, now = Date.now) {
  let sendsDigests = false
  const digestOf = cached((patientUid: string) => digests?.digestOf(patientUid).toString('hex') ?? '')
  const refusedAt = new Map<string, number>()

  /** The last two values of an add's statement: the id of the key, and the digests of its patients. */
  function identify(rows: OfPatient[]): [string | null, string | null] {
    if (!digests || !sendsDigests) return [null, null]
    const patientUids = new Set(rows.map(({ patientUid }) => patientUid))
    return [
      `\\x${digests.keyId.toString('hex')}`,
      textArray([...patientUids].map((patientUid) => `\\x${digestOf(patientUid)}`)),
    ]
  }

  function isRefused({ patientUid }: OfPatient): boolean {
    if (refusedAt.size === 0) return false
    return now() - (refusedAt.get(digestOf(patientUid)) ?? -Infinity) < CACHED_MS
  }

  /** Notes what the database says of a failed add; throws unless the add may be tried again. */
  function learnFrom(error: unknown) {
    const code = error instanceof Error ? codeOf(error) : ''
    if (code === OTHER_KEY || (code === DIGESTS_WANTED && !digests)) throw new ErasureKeyError(code, error)
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
  return new Refusal(
    'PatientErased',
    'The data of this patient was erased. New readings are refused for now.',
  )
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
