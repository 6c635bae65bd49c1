// A cache that is bounded by number and by bytes, and keeps what was used recently. It has two maps, each for at most half of the
// bounds. An entry that is stored or used goes into the young one. When that is full, it becomes the old one, and what has not
// been used since the old one was young is evicted with it. So at least the most recently used half of the bounds is cached.
// `maxEntries` must be at least 2: half of it is what one map holds.
type Bounds<Value> = { maxEntries: number; maxBytes: number; sizeOf: (key: string, value: Value) => number }
type Generation<Value> = { entries: Map<string, { value: Value; bytes: number }>; bytes: number }

/** `sizeOf` must count all that an entry holds in memory. An entry of more than half of `maxBytes` is not cached. */
export function createLruCache<Value>({ maxEntries, maxBytes, sizeOf }: Bounds<Value>) {
  let young = newGeneration<Value>()
  let old = newGeneration<Value>()

  function put(key: string, value: Value, bytes: number) {
    if (young.entries.size + 1 > maxEntries / 2 || young.bytes + bytes > maxBytes / 2) {
      old = young
      young = newGeneration()
    }
    young.entries.set(key, { value, bytes })
    young.bytes += bytes
  }

  function recall(key: string): Value | undefined {
    const recent = young.entries.get(key)
    if (recent) return recent.value
    const entry = take(old, key)
    if (!entry) return undefined
    put(key, entry.value, entry.bytes)
    return entry.value
  }

  function store(key: string, value: Value) {
    forget(key)
    const bytes = sizeOf(key, value)
    if (bytes <= maxBytes / 2) put(key, value, bytes)
  }

  function forget(key: string) {
    take(young, key)
    take(old, key)
  }

  return {
    recall,
    store,
    forget,
    size: () => young.entries.size + old.entries.size,
    bytes: () => young.bytes + old.bytes,
  }
}

function newGeneration<Value>(): Generation<Value> {
  return { entries: new Map(), bytes: 0 }
}

function take<Value>(generation: Generation<Value>, key: string) {
  const entry = generation.entries.get(key)
  if (!entry) return undefined
  generation.entries.delete(key)
  generation.bytes -= entry.bytes
  return entry
}

/** No fewer than V8 needs: it keeps two bytes for each character of a text with one that is not in Latin-1. */
export function bytesOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 40 + 2 * text.length, 0)
}
