import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareWithMap } from './compare-with-map.ts'

const cell = (name: string, open: string, closing = '{}') => ({ name, slots: { open, closing } })
const mapOf = (at: number) => Array.from({ length: 4_096 }, (_, slot) => (slot < at ? 'a' : 'b'))

test('where every slot is served once and the map agrees, nothing is reported', () => {
  assert.deepEqual(compareWithMap([cell('a', '{[0,2048)}'), cell('b', '{[2048,4096)}')], mapOf(2_048)), [])
  assert.deepEqual(compareWithMap([cell('a', '{[0,4096)}')], undefined), [])
})

test('slots that two cells serve, that none serves, and that the map leads astray are named, up to the last slot', () => {
  const cells = [cell('a', '{[0,11)}', '{[20,30)}'), cell('b', '{[10,20),[40,4096)}')]
  assert.deepEqual(compareWithMap(cells, mapOf(12)), [
    'Slots 10: a and b serve them at once.',
    'Slots 11: b serves them, and the map leads to a.',
    'Slots 20-29: a has closed them, and no cell serves them.',
    'Slots 30-39: no cell serves them.',
  ])
  assert.deepEqual(compareWithMap([cell('a', '{[0,4095)}'), { name: 'b', slots: undefined }], undefined), [
    'Slots 4095: no cell that was reached serves them.',
  ])
})
