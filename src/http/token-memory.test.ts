import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenMemory } from './token-memory.ts'

test('the memory is bounded: the oldest token is forgotten first', () => {
  const { recall, remember } = createTokenMemory<number>(3)
  for (const [index, token] of ['a', 'b', 'c', 'a', 'd'].entries()) remember(token, index)
  assert.deepEqual(['a', 'b', 'c', 'd'].map(recall), [undefined, 1, 2, 4])
})

test('a million tokens take no more room than the memory has', () => {
  const { recall, remember } = createTokenMemory<number>(10)
  for (let token = 0; token < 1_000_000; token++) remember(String(token), token)
  assert.deepEqual(
    [0, 999_989, 999_990, 999_999].map((token) => recall(String(token))),
    [undefined, undefined, 999_990, 999_999],
  )
})
