import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLruCache } from './lru-cache.ts'

/** What the cache should hold, oldest first: written so simply that it is slow. */
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

test('it holds what a list in order of use would, after any sequence of uses', () => {
  let state = 7
  const below = (count: number) =>
    ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 65_536) % count
  for (let round = 0; round < 40; round++) {
    const bounds = [1 + below(12), below(400)] as const
    const model = createModel(...bounds)
    const cache = createLruCache<number>({ maxEntries: bounds[0], maxBytes: bounds[1], sizeOf: (_, n) => n })
    for (let step = 0; step < 500; step++) {
      const key = String(below(20))
      const value = below(100) < 3 ? 1_000 : below(60)
      const use = below(10)
      if (use < 4) assert.equal(cache.recall(key), model.recall(key), `step ${step} of round ${round}`)
      else if (use < 9) for (const each of [cache, model]) each.store(key, value)
      else for (const each of [cache, model]) each.forget(key)
      assert.deepEqual([cache.size(), cache.bytes()], [model.size(), model.bytes()])
    }
  }
})

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
