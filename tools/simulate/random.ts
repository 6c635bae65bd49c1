// Seeded random numbers: the generator mulberry32. The same keys give the same numbers everywhere. Not for secrets.
export type Random = ReturnType<typeof createRandom>

/** A sequence of its own for each list of keys, such as seed, patient and day. */
export function createRandom(...keys: number[]) {
  let state = keys.reduce((hash, key) => scramble(hash + key + 0x9e3779b9), 0)

  /** From 0 up to 1, which never comes. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + next() * (max - min)
  const below = (count: number) => Math.floor(next() * count)
  return {
    between,
    /** Whether something that happens so often, of one time, happens now. */
    chance: (share: number) => next() < share,
    /** About the normal distribution, but never further than 3.5 deviations from the mean, so that ranges can be stated. */
    around: (mean: number, deviation: number) =>
      mean + deviation * Math.sqrt(3) * (next() + next() + next() + next() - 2),
    pick<T>(items: readonly [T, ...T[]]): T {
      return items[below(items.length)] ?? items[0]
    },
    shuffled<T>(items: readonly T[]): T[] {
      return items
        .map((item) => ({ item, rank: next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item)
    },
  }
}

// The finisher of MurmurHash3: keys that differ in one bit begin at places far apart.
function scramble(key: number): number {
  let hash = Math.imul(key ^ (key >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
