import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuckets } from './leaky-buckets.ts'

test('a bucket fills, says when there is room again, and keeps that promise', () => {
  let ms = 0
  const { fill, msUntilFits, levelOf } = createBuckets({ capacity: 100, drainMs: 1_000, now: () => ms })
  assert.equal(msUntilFits('a', 100), 0)
  fill('a', 90)
  assert.equal(msUntilFits('a', 10), 0)
  assert.equal(msUntilFits('a', 30), 200)
  assert.equal(msUntilFits('b', 100), 0)
  ms += 200
  assert.equal(msUntilFits('a', 30), 0)
  ms += 5_000
  assert.equal(levelOf('a'), 0)
})

test('a clock that is set back empties nothing and locks nobody out', () => {
  let ms = 1_000_000
  const { fill, msUntilFits } = createBuckets({ capacity: 100, drainMs: 1_000, now: () => ms })
  fill('a', 100)
  ms = 0
  assert.ok(msUntilFits('a', 1) <= 10)
})

test('a million who send little are not kept, and their number is bounded whatever they send', () => {
  let ms = 0
  const day = 86_400_000
  const small = createBuckets({ capacity: 64 * 1_048_576, drainMs: day, now: () => ms })
  for (let index = 0; index < 1_000_000; index++) {
    // 13,000 readings of 300 bytes a second, each of another patient.
    ms += 1 / 13
    small.fill(`patient-${index}`, 300)
  }
  assert.ok(small.size() < 11_000, String(small.size()))
  const full = createBuckets({ capacity: 1, drainMs: day, now: () => ms, maxBuckets: 10_000 })
  for (let index = 0; index < 100_000; index++) full.fill(`address-${index}`, 1)
  assert.ok(full.size() <= 11_000, String(full.size()))
  assert.equal(full.levelOf('address-99999'), 1)
})
