// The cache of verified tokens. A token is cached as its hash, which is short and cannot be used as a token: looking it up by its text
// would take 2 µs less, and a dump of the heap would hold every token in use. What is cached of it
// must share no memory with the token's own text, so that `sizeOf` is the memory that an entry holds.
import { hash } from 'node:crypto'
import { createLruCache } from './lru-cache.ts'

// The hash, its place in a map that has just grown, and the objects around what `sizeOf` counts.
const BYTES_OF_ENTRY = 640

type Bounds<Known> = { maxTokens: number; maxBytes: number; sizeOf: (known: Known) => number }

export function createTokenCache<Known>({ maxTokens, maxBytes, sizeOf }: Bounds<Known>) {
  const { recall, store, size, bytes } = createLruCache<Known>({
    maxEntries: maxTokens,
    maxBytes,
    sizeOf: (_, known) => BYTES_OF_ENTRY + sizeOf(known),
  })
  return {
    recall: (token: string) => recall(hashOf(token)),
    store: (token: string, known: Known) => store(hashOf(token), known),
    size,
    bytes,
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64')
}
