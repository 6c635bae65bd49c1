import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLruCache } from './lru-cache.ts'

/** A list in order of use, oldest first: written so simply that it is slow. */
function createModel(maxEntries: number, maxBytes: number) {
  const list: { key: string; value: number }[] = []
  const take = (key: string) => list.splice(list.findIndex((one) => one.key === key) >>> 0, 1)[0]
  const bytes = () => list.reduce((sum, { value }) => sum + value, 0)
  return {
    recall(key: string) {
      const entry = take(key)
      if (entry) list.push(entry)
      return entry?.value
    },
    store(key: string, value: number) {
      take(key)
      list.push({ key, value })
      while (list.length > maxEntries || bytes() > maxBytes) list.shift()
    },
    forget: (key: string) => void take(key),
    bytes,
    size: () => list.length,
  }
}

test('it holds what a list of half its bounds would, the last values, and no more than its bounds', () => {
  let state = 7
  const below = (count: number) =>
    ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 65_536) % count
  for (let round = 0; round < 60; round++) {
    const [maxEntries, maxBytes] = [2 + below(20), below(800)]
    const half = createModel(Math.floor(maxEntries / 2), maxBytes / 2)
    const last = new Map<string, number>()
    const cache = createLruCache<number>({ maxEntries, maxBytes, sizeOf: (_, n) => n })
    for (let step = 0; step < 500; step++) {
      const key = String(below(20))
      const value = below(100) < 3 ? 1_000 : below(60)
      const use = below(10)
      if (use < 4) {
        const [recalled, expected] = [cache.recall(key), half.recall(key)]
        assert.equal(recalled, recalled === undefined ? expected : last.get(key), `step ${step} of ${round}`)
        // What the list has evicted already counts as used from now on.
        if (recalled !== undefined) half.store(key, recalled)
      } else if (use < 9) for (const each of [cache, half]) each.store(key, value)
      else for (const each of [cache, half]) each.forget(key)
      if (use >= 4 && use < 9) last.set(key, value)
      if (use === 9) last.delete(key)
      assert.ok(cache.size() <= maxEntries && cache.bytes() <= maxBytes)
      assert.ok(cache.size() >= half.size() && cache.bytes() >= half.bytes())
    }
    const left = Array.from({ length: 20 }, (_, key) => String(key))
    for (const key of left) cache.forget(key)
    assert.deepEqual([cache.size(), cache.bytes()], [0, 0])
  }
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

for (const [name, maxEntries] of [
  ['that all fit', 100_000],
  ['of which some are evicted all the time', 1_500],
] as const) {
  test(`3 million look-ups of 1,000 keys ${name} take no memory`, () => {
    const cache = createLruCache<number>({ maxEntries, maxBytes: Infinity, sizeOf: () => 1 })
    const keys = Array.from({ length: 1_000 }, (_, key) => `key ${key}`)
    const heapAfter = (lookUps: number) => {
      for (let lookUp = 0; lookUp < lookUps; lookUp++) {
        const key = keys[(lookUp * 7_919) % keys.length] ?? ''
        if (cache.recall(key) === undefined) cache.store(key, lookUp)
      }
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heapAfter(10_000)
    const grownMiB = (heapAfter(3_000_000) - before) / 1_048_576
    assert.ok(grownMiB < 1, `the heap grew by ${grownMiB} MiB`)
  })
}

test('an eviction costs the same however many came before it', () => {
  const cache = createLruCache<number>({ maxEntries: 50_000, maxBytes: Infinity, sizeOf: () => 1 })
  const timeOf = (from: number, to: number) => {
    const { user } = process.cpuUsage()
    for (let key = from; key < to; key++) cache.store(String(key), key)
    return process.cpuUsage().user - user
  }
  const filling = timeOf(0, 50_000)
  const evicting = timeOf(50_000, 250_000) / 4
  assert.ok(
    evicting < 10 * filling + 20_000,
    `${evicting} µs of CPU, after ${filling} µs for the same number`,
  )
})
