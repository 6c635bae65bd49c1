import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from './harness.ts'

const rounds = await startRounds()

test('an unknown path is 404 in the one error shape', async () => {
  const answer = await rounds.call('/nothing')
  assert.equal(answer.status, 404)
  assert.equal(answer.json.code, 'NotFound')
})
