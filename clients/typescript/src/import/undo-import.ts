// Taking an import back: the same file and options give the same readings, and the id of a reading is its content. So the file is
// read again, its readings are looked for in the record, and those that are there are withdrawn one by one, as any reading is.
// Withdrawing may be repeated: what is withdrawn is not found again.
import type { RoundsClient } from '../client.ts'
import { RoundsError } from '../rounds-error.ts'
import type { FoundReading, ImportOptions } from './import-contract.ts'
import { patiently } from './patiently.ts'

/** A reading of the record that stands in the file. `receivedAt` says when it was stored: perhaps before this import. */
export type Imported = { readingId: string; timestamp: number; receivedAt: string }

export type UndoOptions = Pick<ImportOptions, 'patientUid' | 'signal'> & {
  /** How many of all are withdrawn. */
  onWithdrawn?: ((done: number, of: number) => void) | undefined
}

export type UndoResult = { withdrawn: number; stopped?: { message: string; cause: unknown } }

type Withdrawing = { client: Pick<RoundsClient, 'withdrawReading'> }

const REASON = 'The file that it came from was taken back.'

/** Those of `imported` that are there, in order, and no others. Ends early where the service takes no more. */
export async function withdrawImported(
  imported: readonly Pick<Imported, 'readingId' | 'timestamp'>[],
  { client, patientUid, signal, onWithdrawn }: UndoOptions & Withdrawing,
): Promise<UndoResult> {
  let withdrawn = 0
  for (const { readingId, timestamp } of imported) {
    try {
      await patiently(
        () => client.withdrawReading({ patientUid, readingId, timestamp, reason: REASON }, { signal }),
        signal,
      )
      withdrawn++
      onWithdrawn?.(withdrawn, imported.length)
    } catch (error) {
      // It was erased meanwhile.
      if (error instanceof RoundsError && error.code === 'ReadingNotFound') continue
      if (signal?.aborted || !(error instanceof RoundsError)) throw error
      const message = `${error.message} Until then ${withdrawn} readings were withdrawn. Do the same again to go on.`
      return { withdrawn, stopped: { message, cause: error } }
    }
  }
  return { withdrawn }
}

/** Takes the readings of a file, and finds those that the record has. */
export function createFinder(patientUid: string) {
  const ids = new Set<string>()
  const types = new Set<string>()
  let waiting: FoundReading[] = []
  let [from, to] = [Infinity, -Infinity]
  return {
    add(found: FoundReading) {
      waiting.push(found)
      types.add(found.readingType)
      from = Math.min(from, millisecondsOf(found.timestamp))
      to = Math.max(to, millisecondsOf(found.timestamp))
    },
    async flush() {
      const readings = waiting
      waiting = []
      for (const id of await Promise.all(readings.map((one) => readingIdOf({ ...one, patientUid }))))
        ids.add(id)
    },
    async find({
      client,
      signal,
    }: {
      client: Pick<RoundsClient, 'getReadings'>
      signal?: AbortSignal | undefined
    }): Promise<Imported[]> {
      const imported: Imported[] = []
      if (ids.size === 0) return imported
      const readingType = types.size <= MAX_TYPES ? [...types] : undefined
      let cursor: string | undefined
      do {
        const range = { from: Math.floor(from), to: Math.ceil(to) + 1 }
        const query = { patientUid, ...range, limit: PAGE, ...(readingType && { readingType }) }
        const page = await patiently(
          () => client.getReadings({ ...query, ...(cursor !== undefined && { cursor }) }, { signal }),
          signal,
        )
        for (const { readingId, timestamp, receivedAt } of page.data)
          if (ids.has(readingId)) imported.push({ readingId, timestamp, receivedAt })
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return imported
    },
  }
}

const PAGE = 1_000
const MAX_TYPES = 20
// As the service reads them: below it, a number is seconds.
const FIRST_MILLISECONDS = 100_000_000_000
const millisecondsOf = (timestamp: number) => (timestamp < FIRST_MILLISECONDS ? timestamp * 1_000 : timestamp)

/** As the service makes it: SHA-256 of the JSON of RFC 8785, as a UUID of version 8. */
export async function readingIdOf(reading: object): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(reading))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 16)
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  // By UTF-16 code units, as RFC 8785 wants.
  fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join()}}`
}
