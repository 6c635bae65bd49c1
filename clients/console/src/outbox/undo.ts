// Undoing what was just added. A reading may be in the queue, on its way, or stored, and a request whose answer was lost leaves
// unknown which. So the wish to undo is stored on the device first, and settled when the service can be asked:
//
//   undoing → unsent      the service does not have it, and the queue no longer does: nothing is stored
//   undoing → withdrawn   the service stored it when it was sent from here, and marks it as entered in error
//   undoing → before      the service had it already, perhaps from somebody else: it stays
//   undoing → kept        the service refuses to look for it or to withdraw it
//
// What is settled is kept for an hour, so that other tabs show it too.
import { type Reading, type RoundsClient, RoundsError } from '../../../typescript/src/client.ts'
import { indexedDbStorage } from '../../../typescript/src/indexeddb-storage.ts'
import { contentOf, keyOf, type Verdict } from './verdicts.ts'

const MAX_LISTED = 1_000
const KEPT_MS = 3_600_000
// How far the clocks of the device and the service may be apart.
const CLOCKS_MS = 5_000
const REASON = 'Undone or changed by the patient or a carer.'

export type Undone = {
  reading: Reading
  state: 'undoing' | 'unsent' | 'withdrawn' | 'before' | 'kept'
  /** By which the service knows it, if it was stored when it was sent from here. */
  readingId?: string | undefined
  /** When it was added; undefined if that was on an earlier visit. */
  addedAt?: number | undefined
}

type Record = { undone: Omit<Undone, 'reading'>; at: number }

type Undoing = { client: RoundsClient; subject: string; verdictOf: (reading: Reading) => Verdict | undefined }

export function createUndoing({ client, subject, verdictOf }: Undoing) {
  const storage = indexedDbStorage({ name: `rounds console undone ${subject}` })

  async function records() {
    const found = await storage.oldest(MAX_LISTED)
    return found.map(({ key, reading: stored }) => {
      const { undoRecord, ...reading } = stored as Reading & { undoRecord: Record }
      return { key, at: undoRecord.at, reading, ...undoRecord.undone }
    })
  }
  async function replace(key: number | undefined, { reading, ...undone }: Undone) {
    const undoRecord: Record = { undone, at: Date.now() }
    await storage.append([{ ...reading, undoRecord }])
    if (key !== undefined) await storage.remove([key])
  }

  return {
    list: (): Promise<Undone[]> => records(),
    /** How many are not settled. */
    count: async () => (await records()).filter(({ state }) => state === 'undoing').length,
    begin: (undone: Undone) => replace(undefined, { ...undone, ...knownBy(verdictOf(undone.reading)) }),
    /** Nobody may be sending meanwhile: what is not found would be stored a moment later. */
    async settle() {
      for (const { key, at: _, ...one } of await records()) {
        if (one.state !== 'undoing') continue
        const begun = { ...one, ...knownBy(verdictOf(one.reading)) }
        await replace(key, begun.state === 'undoing' ? await undo(client, begun) : begun)
      }
    },
    /** The same reading is added again. */
    async takeBack(reading: Reading) {
      for (const one of await records()) {
        if (keyOf(one.reading) !== keyOf(reading)) continue
        const { patientUid, timestamp } = reading
        // The service does not bring a withdrawn reading back because it is sent again.
        if (one.readingId !== undefined)
          await client.restoreReading({ patientUid, readingId: one.readingId, timestamp })
        await storage.remove([one.key])
      }
    },
    async forgetOld() {
      const old = (await records()).filter(
        ({ state, at }) => state !== 'undoing' && at < Date.now() - KEPT_MS,
      )
      await storage.remove(old.map(({ key }) => key))
    },
  }
}

/** What the verdict of the service already says of an undo. */
function knownBy(verdict: Verdict | undefined): Partial<Undone> {
  if (!verdict) return {}
  return verdict.verdict === 'stored' ? { readingId: verdict.readingId } : { state: 'before' }
}

/** Throws where the service cannot be asked now. */
async function undo(client: RoundsClient, undone: Undone): Promise<Undone> {
  try {
    return await findAndWithdraw(client, undone)
  } catch (error) {
    const isFinal = error instanceof RoundsError && !error.retryable && error.status >= 400
    // A sign-in that has ended can begin again.
    if (!isFinal || error.status === 401) throw error
    return { reading: undone.reading, state: 'kept' }
  }
}

async function findAndWithdraw(client: RoundsClient, undone: Undone): Promise<Undone> {
  const { reading } = undone
  if (undone.readingId !== undefined) return withdraw(client, reading, undone.readingId)
  const found = await find(client, reading)
  if (!found) return { reading, state: 'unsent' }
  // Its answer was lost. What the service received before it was added here is not from here.
  const isFromHere = Date.parse(found.receivedAt) >= (undone.addedAt ?? Infinity) - CLOCKS_MS
  return isFromHere ? withdraw(client, reading, found.readingId) : { reading, state: 'before' }
}

async function find(client: RoundsClient, reading: Reading) {
  const { patientUid, readingType, timestamp } = reading
  const { data } = await client.getReadings({
    patientUid,
    readingType: [readingType],
    from: timestamp,
    to: timestamp,
    withdrawn: 'include',
  })
  return data.find((stored) => isStoredFrom(reading, stored))
}

async function withdraw(client: RoundsClient, reading: Reading, readingId: string): Promise<Undone> {
  const { patientUid, timestamp } = reading
  await client.withdrawReading({ patientUid, readingId, timestamp, reason: REASON })
  return { reading, state: 'withdrawn', readingId }
}

const OF_SERVICE = new Set(['readingId', 'measuredAt', 'receivedAt', 'withdrawn'])

function isStoredFrom(reading: Reading, stored: Readonly<{ [field: string]: unknown }>): boolean {
  const sent: Readonly<{ [field: string]: unknown }> = reading
  const fields = new Set([...Object.keys(sent), ...Object.keys(stored)])
  return [...fields].every(
    (field) => OF_SERVICE.has(field) || contentOf(sent[field]) === contentOf(stored[field]),
  )
}
