// The newest readings of the patients whom a carer looks after. They are read again every minute and not followed: a browser opens
// few connections to one server, and a stream for each patient would use them up. Every read stands in the access log.
import type { RoundsClient, StoredReading } from '../../../typescript/src/client.ts'
import type { Kept } from '../storage/kept-values.ts'

/** A token may name more patients than one can look at, or may ask for every minute. */
const MAX_PATIENTS = 12
const MAX_AT_ONCE = 4
export const EVERY_MS = 60_000
/** A timer that comes a little early reads all the same. */
const DUE_MS = EVERY_MS - 5_000

export type PatientNewest = {
  patientUid: string
  /** The newest first. Nothing before they were read or kept. */
  last: { atMs: number; readings: StoredReading[] } | undefined
  /** Why the last attempt failed. */
  error: unknown
}

export type NewestOfPatients = {
  /** In the order of the token. */
  list: () => PatientNewest[]
  /** How many patients of the token are not in the list. */
  notListed: number
  /** Reads those that are due. */
  readDue: () => Promise<void>
  subscribe: (listener: () => void) => () => void
}

export function createNewestOfPatients(
  rounds: Pick<RoundsClient, 'latestReadings'>,
  kept: Pick<Kept, 'latest' | 'keepLatest'>,
  patientUids: readonly string[],
): NewestOfPatients {
  const listed = [...new Set(patientUids)].slice(0, MAX_PATIENTS)
  const entries = new Map(listed.map((uid) => [uid, entryOf(uid, kept)]))
  const askedAt = new Map<string, number>()
  const listeners = new Set<() => void>()

  async function read(patientUid: string) {
    const before = entries.get(patientUid)
    if (!before) return
    try {
      const { data } = await rounds.latestReadings({ patientUid })
      const atMs = Date.now()
      entries.set(patientUid, { patientUid, last: { atMs, readings: newestFirst(data) }, error: undefined })
      kept.keepLatest(patientUid, { atMs, newest: data, future: kept.latest(patientUid)?.future ?? [] })
    } catch (error) {
      entries.set(patientUid, { ...before, error })
      askedAt.delete(patientUid)
    }
    for (const listener of listeners) listener()
  }

  return {
    list: () => [...entries.values()],
    notListed: new Set(patientUids).size - listed.length,
    async readDue() {
      const due = listed.filter((uid) => Date.now() - (askedAt.get(uid) ?? 0) >= DUE_MS)
      for (const uid of due) askedAt.set(uid, Date.now())
      for (let from = 0; from < due.length; from += MAX_AT_ONCE)
        await Promise.all(due.slice(from, from + MAX_AT_ONCE).map(read))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function entryOf(patientUid: string, kept: Pick<Kept, 'latest'>): PatientNewest {
  const known = kept.latest(patientUid)
  const last = known && { atMs: known.atMs, readings: newestFirst(known.newest) }
  return { patientUid, last, error: undefined }
}

const measuredMs = ({ measuredAt }: StoredReading) => Date.parse(measuredAt)
const newestFirst = (readings: StoredReading[]) =>
  readings.toSorted((one, other) => measuredMs(other) - measuredMs(one))
