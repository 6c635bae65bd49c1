// The grants that doctors use, as a process has cached them.
import { bytesOfTexts, createLruCache } from '../../../http/tokens/lru-cache.ts'

/** `readingTypes` is null for all. */
export type Grant = { grantId: string; permission: 'view' | 'manage'; readingTypes: string[] | null }

type Between = { patientUid: string; doctorId: string }

export const MAX_CACHED = { grants: 20_000, bytes: 16 * 1_048_576 }
// Two objects, a list, and a place in a map that has just grown.
const BYTES_OF_ENTRY = 400

export function createGrantCache(max = MAX_CACHED) {
  const cache = createLruCache<Grant>({
    maxEntries: max.grants,
    maxBytes: max.bytes,
    sizeOf: (key, { readingTypes }) => BYTES_OF_ENTRY + bytesOfTexts([key, ...(readingTypes ?? [])]),
  })
  return {
    forget: (between: Between) => cache.forget(keyOf(between)),
    recall: (between: Between) => cache.recall(keyOf(between)),
    store: (between: Between, grant: Grant) => cache.store(keyOf(between), grant),
  }
}

/** Ids hold no control characters. */
function keyOf({ patientUid, doctorId }: Between): string {
  return `${patientUid}\n${doctorId}`
}
