import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cases } from '../../../../test/care/status/cases.ts'
import {
  alert,
  bp,
  D,
  ev,
  facts,
  H,
  look,
  NOW,
  OTHER,
  symptom,
} from '../../../../test/care/status/facts-by-hand.ts'
import type { Evidence, Facts, Look } from './facts.ts'
import { listOrder, QUEUES, type Status } from './reason.ts'
import { statusOf } from './status-of.ts'

const RUNS = { numRuns: 3_000 }

/** Any mixture of what the table of cases knows. */
const anyCase = fc.constantFrom(...cases.map((each) => each.facts))
const anyFacts: fc.Arbitrary<Facts> = fc
  .tuple(anyCase, anyCase, anyCase, anyCase, anyCase)
  .map(([{ targets }, { symptoms }, { alerts }, { looks }, { strange, untargeted, sharedUntil }]) => ({
    targets,
    symptoms,
    alerts,
    looks,
    strange,
    untargeted,
    ...(sharedUntil !== undefined && { sharedUntil }),
  }))
const ALL_OF = ({ targets, symptoms, alerts, strange }: Facts): Evidence[] => [
  ...targets.flatMap(({ fields }) => fields.flatMap(({ beyond }) => beyond)),
  ...symptoms,
  ...alerts,
  ...strange,
]
const lastPosition = (all: Facts) =>
  Math.max(0, ...ALL_OF(all).map(({ position }) => position), ...all.looks.map(({ seenUpTo }) => seenUpTo))

/** A look at what the list shows now. */
function lookAt(all: Facts, more: Partial<Look> = {}): Facts {
  const status = statusOf(all, NOW)
  const seen = look(0, lastPosition(all), { saw: status.saw, ...more })
  const acknowledged = { at: NOW, beyond: 0 }
  const alerts = all.alerts.map((each) => ({
    ...each,
    acknowledged: { ...acknowledged, beyond: each.beyond },
  }))
  return { ...all, alerts, looks: [...all.looks, seen] }
}

const rank = ({ queue }: Status) => QUEUES.indexOf(queue)

test('a severe symptom, a value beyond an act limit and an urgent alert that come after a look are unseen, whatever was looked at', () => {
  fc.assert(
    fc.property(anyFacts, fc.integer({ min: 0, max: 3 }), (before, kind) => {
      const looked = lookAt(before)
      const position = { pos: lastPosition(looked) + 1 }
      const pressure = bp({ values: [ev('232/131', H, position)] })
      const added = [
        { symptoms: [...looked.symptoms, symptom('chest pain', 'SEVERE', H, position)] },
        { targets: [pressure] },
        { alerts: [...looked.alerts, alert('Fast pulse', '190', 1.4, H, position)] },
        { symptoms: [...looked.symptoms, symptom('chest pain', 'UNKNOWN WORD', H, position)] },
      ][kind]
      const status = statusOf({ ...looked, ...added }, NOW + 1)
      assert.equal(status.queue, 'actNow')
      assert.equal(status.reasons[0]?.isSeen, false)
    }),
    RUNS,
  )
})

test('a look at all that is shown leaves nothing unseen', () => {
  fc.assert(
    fc.property(anyFacts, (before) => {
      const status = statusOf(lookAt(before, { lookAgainAt: null }), NOW)
      const unseen = status.reasons.filter(({ isSeen }) => !isSeen)
      assert.deepEqual(unseen, [])
    }),
    RUNS,
  )
})

test('a worse value never moves a patient down', () => {
  fc.assert(
    fc.property(
      anyFacts,
      fc.integer({ min: 181, max: 260 }),
      fc.integer({ min: 0, max: 60 }),
      (before, value, worse) => {
        const position = { pos: lastPosition(before) + 1 }
        const withValue = (systolic: number) => ({
          ...before,
          targets: [bp({ values: [ev(`${systolic}/80`, 2 * H, position)] })],
        })
        const [usual, higher] = [statusOf(withValue(value), NOW), statusOf(withValue(value + worse), NOW)]
        const without = statusOf({ ...before, targets: [bp()] }, NOW)
        assert.ok(listOrder(higher, usual) <= 0)
        assert.ok(rank(usual) <= rank(without))
      },
    ),
    RUNS,
  )
})

test('a mean or a share that grows further beyond never moves a patient down', () => {
  const withDays = (all: Facts, factor: number): Facts => ({
    ...all,
    targets: all.targets.map((target) => ({
      ...target,
      fields: target.fields.map((field) => {
        const isHigh = field.high !== undefined && field.low === undefined
        const worse = (sums: typeof field.sums.week) => (isHigh ? { ...sums, sum: sums.sum * factor } : sums)
        const { week, fortnight, before } = field.sums
        return { ...field, sums: { week: worse(week), fortnight: worse(fortnight), before: worse(before) } }
      }),
    })),
  })
  fc.assert(
    fc.property(anyFacts, fc.double({ min: 1, max: 1.5, noNaN: true }), (before, factor) => {
      assert.ok(listOrder(statusOf(withDays(before, factor), NOW), statusOf(before, NOW)) <= 0)
    }),
    RUNS,
  )
})

test('a look keeps a pending date that it does not name, and nobody else takes it away', () => {
  fc.assert(
    fc.property(anyFacts, fc.integer({ min: 1, max: 366 }), fc.boolean(), (before, days, isMine) => {
      const date = NOW + days * D
      const dated = { ...before, looks: [look(H, 5, { lookAgainAt: date })] }
      const after = lookAt(dated, isMine ? {} : { by: OTHER, lookAgainAt: null })
      assert.equal(statusOf(after, NOW + 1).lookAgainAt, date)
      const { queue, reasons } = statusOf(after, date)
      assert.ok(queue === 'actNow' || queue === 'thisWeek')
      assert.ok(reasons.some(({ code, isSeen }) => code === 'lookAgain' && !isSeen))
    }),
    RUNS,
  )
})

test('without a target of a doctor nobody is fine', () => {
  fc.assert(
    fc.property(anyFacts, (all) => {
      assert.notEqual(statusOf({ ...all, targets: [] }, NOW).queue, 'fine')
      const ofPatient = all.targets.map((target) => ({
        ...target,
        author: { name: 'Kim', is: 'patient' as const, manages: true },
      }))
      assert.notEqual(statusOf({ ...all, targets: ofPatient }, NOW).queue, 'fine')
    }),
    RUNS,
  )
  assert.equal(statusOf(facts({}), NOW).queue, 'notJudged')
})

test('the order is total, and does not depend on the order before', () => {
  const asKey = ({ queue, reasons: [first], lookAgainAt }: Status) => [
    queue,
    first?.class,
    first?.beyond,
    first?.since,
    queue === 'seen' && lookAgainAt,
  ]
  fc.assert(
    fc.property(fc.array(anyFacts, { minLength: 3, maxLength: 12 }), (all) => {
      const list = all.map((each) => statusOf(each, NOW))
      const sorted = list.toSorted(listOrder)
      assert.deepEqual(list.toReversed().toSorted(listOrder).map(asKey), sorted.map(asKey))
      for (const [i, each] of sorted.entries())
        for (const other of sorted.slice(i))
          assert.ok(listOrder(each, other) <= 0 && listOrder(other, each) >= 0)
    }),
    { numRuns: 500 },
  )
})
