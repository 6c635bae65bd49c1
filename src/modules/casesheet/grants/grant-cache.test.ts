import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGrantCache, MAX_CACHED } from './grant-cache.ts'

const DOCTORS = 300
const between = (number: number) => ({
  patientUid: `patient-${Math.floor(number / DOCTORS)}`,
  doctorId: `doctor-${number % DOCTORS}`,
})
const grantOf = (readingTypes: string[] | null = null) => ({
  grantId: crypto.randomUUID(),
  permission: 'view' as const,
  readingTypes,
})
type Cache = ReturnType<typeof createGrantCache>
const countCached = (cache: Cache, stored: number) =>
  Array.from({ length: stored }, (_, number) => cache.recall(between(number))).filter(Boolean).length

test('beyond the bound grants that were not used recently are evicted', () => {
  const cache = createGrantCache({ ...MAX_CACHED, grants: 100 })
  for (let number = 0; number < 300; number++) {
    cache.store(between(number), grantOf())
    assert.ok(cache.recall(between(0)), 'it is used all the time')
  }
  // Half of the bound at least. Looking at them all evicts some.
  assert.deepEqual(
    [150, 251, 299].map((number) => cache.recall(between(number)) !== undefined),
    [false, true, true],
  )
  const left = countCached(cache, 300)
  assert.ok(left >= 50 && left <= 100, `${left} are cached`)
})

test('a grant that is replaced or forgotten again and again leaves nothing behind', () => {
  const max = { grants: 10, bytes: 10 * 1_000 }
  const cache = createGrantCache(max)
  for (let time = 0; time < 1_000; time++) {
    cache.store(between(0), grantOf(['x'.repeat(time % 100)]))
    if (time % 3 === 0) cache.forget(between(0))
    cache.forget(between(1))
  }
  for (let number = 0; number < 20; number++) cache.store(between(number), grantOf())
  const isCached = (number: number) => cache.recall(between(number)) !== undefined
  assert.deepEqual([9, 15, 16, 17, 18, 19, 10].map(isCached), [false, true, true, true, true, true, true])
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What a grant names at least and at most, and more of them than fit. */
const SHAPES: Record<string, { stored: number; typesOf: (number: number) => string[] | null }> = {
  'all types': { stored: 22_000, typesOf: () => null },
  'fifty long types': {
    stored: 2_000,
    typesOf: (number) => Array.from({ length: 50 }, (_, type) => `${number}.${type}`.padEnd(100, 'x')),
  },
  'fifty types beyond Latin-1': {
    stored: 3_000,
    typesOf: (number) => Array.from({ length: 50 }, (_, type) => `${number}.${type}`.padEnd(50, 'ह')),
  },
}

for (const [name, { stored, typesOf }] of Object.entries(SHAPES))
  test(`many doctors and patients take no more memory than the bound: ${name}`, () => {
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const cache = createGrantCache()
    for (let number = 0; number < stored; number++) {
      // Parsed, as the driver does: texts that share no memory with others.
      const grant = JSON.parse(JSON.stringify(grantOf(typesOf(number)))) as ReturnType<typeof grantOf>
      cache.store(between(number), grant)
    }
    collectGarbage()
    const held = process.memoryUsage().heapUsed - before
    assert.ok(held <= MAX_CACHED.bytes, `${held} bytes are held`)
    const left = countCached(cache, stored)
    // Half of what fits at least.
    assert.ok(left > stored / 4 && left < stored && left <= MAX_CACHED.grants, `${left} are cached`)
  })
