// The grants that doctors use, as a process has cached them.
import { bytesOfTexts } from '../../../http/tokens/token-cache.ts'

/** `readingTypes` is null for all. */
export type Grant = { grantId: string; permission: 'view' | 'manage'; readingTypes: string[] | null }

type Between = { patientUid: string; doctorId: string }

export const MAX_CACHED = { grants: 20_000, bytes: 16 * 1_048_576 }
// Two objects, a list, and a place in a map that has just grown.
const BYTES_OF_ENTRY = 400

/** Bounded in number and bytes; beyond that, the least recently used is evicted. */
export function createGrantCache(max = MAX_CACHED) {
  const entries = new Map<string, { grant: Grant; bytes: number }>()
  let bytes = 0

  function forget(between: Between) {
    const key = keyOf(between)
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    forget,
    recall(between: Between): Grant | undefined {
      const key = keyOf(between)
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.grant
    },
    store(between: Between, grant: Grant) {
      forget(between)
      const key = keyOf(between)
      const entry = { grant, bytes: BYTES_OF_ENTRY + bytesOfTexts([key, ...(grant.readingTypes ?? [])]) }
      entries.set(key, entry)
      bytes += entry.bytes
      for (const [oldest, { bytes: freed }] of entries) {
        if (entries.size <= max.grants && bytes <= max.bytes) break
        entries.delete(oldest)
        bytes -= freed
      }
    },
  }
}

/** Ids hold no control characters. */
function keyOf({ patientUid, doctorId }: Between): string {
  return `${patientUid}\n${doctorId}`
}
