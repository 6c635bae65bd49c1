// A cache that is bounded by number and by bytes. When either is exceeded, the least recently used entries are evicted.
type Bounds<Value> = { maxEntries: number; maxBytes: number; sizeOf: (key: string, value: Value) => number }

/** `sizeOf` must count all that an entry holds in memory. */
export function createLruCache<Value>({ maxEntries, maxBytes, sizeOf }: Bounds<Value>) {
  // In order of use: an entry that is used moves to the end.
  const entries = new Map<string, { value: Value; bytes: number }>()
  let bytes = 0
  // It has all entries ahead, because only eviction moves it on. A new iterator would have to skip each deleted entry again.
  const oldest = entries.keys()

  function forget(key: string) {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  function evict() {
    const isBeyond = () => entries.size > maxEntries || bytes > maxBytes
    // Something is cached, and the iterator has all of it ahead.
    while (isBeyond()) forget(String(oldest.next().value))
  }

  function recall(key: string): Value | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    entries.delete(key)
    entries.set(key, entry)
    return entry.value
  }

  function store(key: string, value: Value) {
    forget(key)
    const entry = { value, bytes: sizeOf(key, value) }
    entries.set(key, entry)
    bytes += entry.bytes
    evict()
  }

  return { recall, store, forget, size: () => entries.size, bytes: () => bytes }
}

/** No fewer than V8 needs: it keeps two bytes for each character of a text with one that is not in Latin-1. */
export function bytesOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 40 + 2 * text.length, 0)
}
