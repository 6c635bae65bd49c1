import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressAfter } from '../src/address.ts'
import './words.ts'

const now = { path: 'charts', query: new URLSearchParams('patient=p%201&type=bodyWeight&range=week') }

test('a change of the query keeps the other fields', () => {
  const changed = addressAfter(now, { query: { range: 'year', type: undefined } })
  assert.equal(changed, '/console/charts?patient=p+1&range=year')
})

test('another screen keeps the patient and nothing else', () => {
  assert.equal(addressAfter(now, { path: 'today' }), '/console/today?patient=p+1')
  const mine = { path: 'charts', query: new URLSearchParams('range=week') }
  assert.equal(addressAfter(mine, { path: 'today' }), '/console/today')
})
