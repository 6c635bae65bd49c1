import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cases, counts, orders } from '../../../../test/care/status/cases.ts'
import { NOW } from '../../../../test/care/status/facts-by-hand.ts'
import { besideOf, firstOf } from '../../../../test/care/status/words-of-status.ts'
import { counted } from './counted.ts'
import { listOrder } from './reason.ts'
import { statusOf } from './status-of.ts'

for (const { group, said, facts, queue, first, beside, also = [], sends = [] } of cases) {
  test(`${group}: ${said}`, () => {
    const status = statusOf(facts, NOW)
    assert.deepEqual([status.queue, firstOf(status)], [queue, first])
    const others = status.reasons.slice(1).map(({ code, isSeen }) => (isSeen ? `${code} seen` : code))
    assert.deepEqual(
      also.filter((code) => !others.includes(code)),
      [],
      others.join(),
    )
    if (beside !== undefined) assert.equal(besideOf(status), beside)
    for (const key of sends) assert.ok(status.saw.includes(key), status.saw.join())
    assert.ok(status.reasons.every(({ beyond }) => Number.isFinite(beyond)))
  })
}

test('in whatever order the facts are given, the first reason is the same', () => {
  for (const { said, facts, queue, first } of cases) {
    const { targets, looks, symptoms, alerts } = facts
    const status = statusOf(
      {
        ...facts,
        targets: targets.toReversed(),
        looks: looks.toReversed(),
        symptoms: symptoms.toReversed(),
        alerts: alerts.toReversed(),
      },
      NOW,
    )
    assert.deepEqual([status.queue, firstOf(status)], [queue, first], said)
  }
})

for (const { said, values, counts: expected } of counts) {
  test(`counted once: ${said}`, () => {
    const arrivals = (all: typeof values) =>
      counted(all)
        .map(({ receivedAt }) => receivedAt)
        .sort((a, b) => a - b)
    assert.equal(counted(values).length, expected)
    assert.deepEqual(arrivals(values), arrivals(values.toReversed()))
  })
}

for (const { said, patients, order } of orders) {
  test(`order: ${said}`, () => {
    const all = Object.entries(patients).map(([name, facts]) => ({ name, status: statusOf(facts, NOW) }))
    for (const list of [all, all.toReversed()]) {
      const names = list.toSorted((a, b) => listOrder(a.status, b.status)).map(({ name }) => name)
      assert.equal(names.join(', '), order)
    }
  })
}
