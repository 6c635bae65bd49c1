import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOutOfOrder, type State, type Step } from './order.ts'

const step = (state: State, ...numbers: number[]): Step => ({ numbers: new Set(numbers), state })
const seen = (text: string) =>
  text.split(' ').map((word) => ({
    number: Number(word.slice(1)),
    state: word.startsWith('+') ? ('present' as const) : ('withdrawn' as const),
  }))

const STEPS = [step('present', 1), step('present', 2, 3), step('withdrawn', 1), step('present', 1)]

test('changes in the order of the steps are in order, also where some were replaced before they were given', () => {
  for (const text of ['+1 +2 +3 -1 +1', '+1 +3 +2 -1 +1', '+2 +3 +1', '+1 +2 +3 +1', '+2 +3 -1'])
    assert.equal(countOutOfOrder(STEPS, seen(text)), 0, text)
})

test('a change given twice, too early or never made is counted', () => {
  for (const text of ['+1 +1 +1', '-1 +2', '+1 +2 +2', '-2', '+4', '+2 -1 +1 -1'])
    assert.equal(countOutOfOrder(STEPS, seen(text)), 1, text)
})
