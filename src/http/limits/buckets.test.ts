import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuckets } from './buckets.ts'

const policy = { name: 'test', sentence: 'At most 100 are served.' }

test('a bucket fills, says when there is room again, and keeps that promise', () => {
  let ms = 0
  const { fill, secondsUntilFits, mustFit, levelOf } = createBuckets({
    policy,
    capacity: 100,
    drainMs: 100_000,
    now: () => ms,
  })
  assert.equal(secondsUntilFits('a', 100), 0)
  fill('a', 90)
  assert.equal(secondsUntilFits('a', 10), 0)
  assert.equal(secondsUntilFits('a', 30), 20)
  assert.equal(secondsUntilFits('b', 100), 0)
  const refusal = {
    code: 'RateLimited',
    message: 'At most 100 are served. Wait and try again.',
    headers: { 'retry-after': '20', 'ratelimit-policy': '"test";q=100;w=100', ratelimit: '"test";r=0;t=20' },
  }
  const both = [
    ['a', 30],
    ['a', 20],
    ['b', 100],
  ] as const
  assert.throws(() => mustFit(both), refusal)
  ms += 20_000
  mustFit(both)
  ms += 500_000
  assert.equal(levelOf('a'), 0)
})

test('a clock that is set back empties nothing and locks nobody out', () => {
  let ms = 1_000_000
  const { fill, secondsUntilFits } = createBuckets({ policy, capacity: 100, drainMs: 1_000, now: () => ms })
  fill('a', 100)
  ms = 0
  assert.ok(secondsUntilFits('a', 1) <= 1)
})

test('a million who send little are not kept, and their number is bounded whatever they send', () => {
  let ms = 0
  const day = 86_400_000
  const small = createBuckets({ policy, capacity: 64 * 1_048_576, drainMs: day, now: () => ms })
  for (let index = 0; index < 1_000_000; index++) {
    // 13,000 readings of 300 bytes a second, each of another patient.
    ms += 1 / 13
    small.fill(`patient-${index}`, 300)
  }
  assert.ok(small.size() < 11_000, String(small.size()))
  const full = createBuckets({ policy, capacity: 1, drainMs: day, now: () => ms, maxBuckets: 10_000 })
  for (let index = 0; index < 100_000; index++) full.fill(`address-${index}`, 1)
  assert.ok(full.size() <= 11_000, String(full.size()))
  assert.equal(full.levelOf('address-99999'), 1)
})
