// The cache of verified tokens. It is bounded by number and by bytes: when either is exceeded, the oldest are evicted. A
// token is cached as its hash, which is short and cannot be used as a token. What is cached of it must share no memory with
// the token's own text, so that `sizeOf` is the memory that an entry holds.
import { hash } from 'node:crypto'

// The hash, its place in a map that has just grown, and the objects around what `sizeOf` counts.
const BYTES_OF_ENTRY = 640

type TokenCache<Known> = {
  recall: (token: string) => Known | undefined
  store: (token: string, known: Known) => void
  size: () => number
  bytes: () => number
}

type Bounds<Known> = { maxTokens: number; maxBytes: number; sizeOf: (known: Known) => number }

export function createTokenCache<Known>({ maxTokens, maxBytes, sizeOf }: Bounds<Known>): TokenCache<Known> {
  const entries = new Map<string, { known: Known; bytes: number }>()
  let bytes = 0

  function evict(key: string) {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    recall: (token) => entries.get(hashOf(token))?.known,
    size: () => entries.size,
    bytes: () => bytes,
    store(token, known) {
      const key = hashOf(token)
      evict(key)
      const entry = { known, bytes: BYTES_OF_ENTRY + sizeOf(known) }
      entries.set(key, entry)
      bytes += entry.bytes
      for (const oldest of entries.keys()) {
        if (entries.size <= maxTokens && bytes <= maxBytes) break
        evict(oldest)
      }
    },
  }
}

/** No fewer than V8 needs: it keeps two bytes for each character of a text with one that is not in Latin-1. */
export function bytesOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 40 + 2 * text.length, 0)
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64')
}
