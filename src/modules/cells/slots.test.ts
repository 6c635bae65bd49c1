import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotsFrom } from './slots.ts'

const row = { version: 'v', open_slots: '{}', closing_slots: '{}', incoming_slots: '{}' }

test('a cell that has all slots is whole, and one that lacks a single one is not', () => {
  assert.equal(slotsFrom({ ...row, open_slots: '{[0,4096)}' }).isWhole, true)
  for (const open_slots of ['{[0,4095)}', '{[1,4096)}', '{[0,17),[18,4096)}', '{}'])
    assert.equal(slotsFrom({ ...row, open_slots }).isWhole, false, open_slots)
})

test('each slot has the state of the range that holds it', () => {
  const slots = slotsFrom({
    version: 'v',
    open_slots: '{[0,10),[20,30)}',
    closing_slots: '{[10,11)}',
    incoming_slots: '{[4000,4096)}',
  })
  const states = [0, 9, 10, 11, 19, 20, 29, 30, 3_999, 4_000, 4_095].map(slots.stateOf)
  assert.deepEqual(states, [
    'open',
    'open',
    'closing',
    'elsewhere',
    'elsewhere',
    'open',
    'open',
    'elsewhere',
    'elsewhere',
    'incoming',
    'incoming',
  ])
  assert.equal(slots.elsewhere, '{[11,20),[30,4000)}')
  assert.equal(slots.isAnyClosing, true)
})

test('the slots of other cells are written as PostgreSQL writes them, up to the last one', () => {
  assert.equal(slotsFrom(row).elsewhere, '{[0,4096)}')
  assert.equal(slotsFrom({ ...row, open_slots: '{[1,4095)}' }).elsewhere, '{[0,1),[4095,4096)}')
  assert.equal(slotsFrom({ ...row, open_slots: '{[0,4096)}' }).elsewhere, null)
})
