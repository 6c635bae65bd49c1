// What is typed into the form of a rule, as what is set, and what is wrong with it at its field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  emptyRule,
  placeOfPointer,
  type RuleMistakes,
  readRuleForm,
  type Terms,
  type TypedRule,
  typedRule,
} from '../src/screens/rules/read-rule-form.ts'
import { entryOf } from './catalogue.ts'

const heartRate = entryOf('heartRate')
const glucose = entryOf('bloodGlucose')
const pressure = entryOf('bloodPressure')

type Case = [typed: Partial<TypedRule>, expected: Partial<Terms> | RuleMistakes]
const read = (entry: typeof heartRate, unit: string, typed: Partial<TypedRule>) =>
  readRuleForm(entry, { ...emptyRule(entry, unit), severity: 'warning', ...typed })

const TERMS: Case[] = [
  [{ bound: '130' }, { sustained: { above: 130, count: 3, of: 4 } }],
  [
    { bound: '50', side: 'below', stays: 'time', sustainedFor: { amount: '2', unit: 'hours' } },
    { sustained: { below: 50, for: 'PT2H' } },
  ],
  [{ kind: 'threshold', bound: '130,5' }, { threshold: { above: 130.5 } }],
  [
    { kind: 'threshold', bound: '130', clearBound: '120', clearCount: '2' },
    { threshold: { above: 130 }, clear: { below: 120, count: 2 } },
  ],
  [
    { kind: 'threshold', bound: '50', side: 'below', clearBound: '60' },
    { threshold: { below: 50 }, clear: { above: 60 } },
  ],
  [
    { kind: 'change', by: '20', way: 'down', within: { amount: '3', unit: 'days' }, clearBound: '7' },
    { change: { by: -20, within: 'P3D' } },
  ],
  [{ kind: 'missing', missingFor: { amount: '36', unit: 'hours' } }, { missing: { for: 'PT36H' } }],
  [
    { bound: '130', label: ' After  the new \n medicine ' },
    { sustained: { above: 130, count: 3, of: 4 }, label: 'After the new medicine' },
  ],
]

const MISTAKES: Case[] = [
  [{}, { bound: 'The bound is missing.' }],
  [{ bound: 'high' }, { bound: 'This is not a number.' }],
  [{ bound: '130', severity: undefined }, { severity: 'Choose how urgent it is.' }],
  [{ bound: '130', count: '1' }, { count: 'It must be a whole number from 2 to 10.' }],
  [{ bound: '130', count: '5', of: '4' }, { of: 'It must be a whole number from 5 to 10.' }],
  [{ bound: '130', stays: 'time' }, { sustainedFor: 'The time is missing.' }],
  [
    { bound: '130', stays: 'time', sustainedFor: { amount: '3', unit: 'days' } },
    { sustainedFor: 'It must be from 10 minutes to 1 day.' },
  ],
  [{ bound: '130', clearBound: '140' }, { clearBound: 'It must be at most 130, the bound of the rule.' }],
  [
    { bound: '50', side: 'below', clearBound: '40' },
    { clearBound: 'It must be at least 50, the bound of the rule.' },
  ],
  [{ bound: '130', clearBound: '1' }, { clearBound: 'It must be more than 1.' }],
  [{ bound: '130', clearCount: '11' }, { clearCount: 'It must be a whole number from 1 to 10.' }],
  [{ kind: 'change', by: '0', within: { amount: '3', unit: 'days' } }, { by: 'It must be more than 0.' }],
  [{ kind: 'missing' }, { missingFor: 'The time is missing.' }],
  [
    { kind: 'missing', missingFor: { amount: '1.5', unit: 'days' } },
    { missingFor: 'It must be a whole number.' },
  ],
  [
    { bound: '130', maxAge: { amount: '1', unit: 'minutes' } },
    { maxAge: 'It must be from 5 minutes to 30 days.' },
  ],
]

test('what is typed becomes the terms of a rule, with nothing that was not said', () => {
  for (const [typed, expected] of TERMS) {
    const isMissing = typed.kind === 'missing'
    const common = { readingType: 'heartRate', severity: 'warning' }
    const measured = isMissing ? {} : { field: 'value', unit: '/min', maxAge: 'P1D' }
    assert.deepEqual(read(heartRate, '/min', typed), { terms: { ...common, ...measured, ...expected } })
  }
})

test('what is wrong stands at its field', () => {
  for (const [typed, expected] of MISTAKES)
    assert.deepEqual(read(heartRate, '/min', typed), { mistakes: expected })
  assert.deepEqual(read(glucose, '', { bound: '8' }), { mistakes: { unit: 'Choose the unit.' } })
})

test('no reading can be beyond the end of what is possible, so no bound stands there', () => {
  const limitOf = (side: 'above' | 'below', bound: string) => {
    const found = read(heartRate, '/min', { side, bound })
    return 'mistakes' in found ? found.mistakes.bound : undefined
  }
  assert.match(limitOf('above', '100000') ?? '', /^It must be at least \d+ and less than \d+ \/min\.$/)
  assert.match(limitOf('below', '0') ?? '', /^It must be more than \d+ and at most \d+ \/min\.$/)
})

test('a number with a unit of its own keeps it, and each pressure has its own rule', () => {
  const of = (field: string) => {
    const found = read(pressure, 'mm[Hg]', { field, kind: 'threshold', bound: '100' })
    return 'terms' in found ? [found.terms.field, found.terms.unit] : found
  }
  assert.deepEqual(
    [of('systolic'), of('pulse')],
    [
      ['systolic', 'mm[Hg]'],
      ['pulse', '/min'],
    ],
  )
})

test('a rule that is set is typed as it was, and read again says the same', () => {
  const stored = {
    patientUid: 'patient-1',
    ruleId: '0b5f8f5e-6f43-4c0c-9d7e-2f6f3d1c8a94',
    readingType: 'heartRate',
    field: 'value',
    unit: '/min',
    severity: 'urgent',
    threshold: null,
    sustained: null,
    change: null,
    missing: null,
    maxAge: 'P1D',
    label: null,
    setBy: 'dr-willow-sample',
    doctorId: 'dr-willow-sample',
    setAt: '2026-11-17T08:15:30.125460Z',
  } as const
  const again = (rule: Parameters<typeof typedRule>[0]) => {
    const found = readRuleForm(heartRate, typedRule(rule, heartRate))
    return 'terms' in found ? found.terms : found
  }
  const { sustained, clear, maxAge } = Object(
    again({
      ...stored,
      sustained: { above: 130, count: 3, of: 4 },
      clear: { below: 120, count: 2 },
      maxAge: 'PT90M',
    }),
  )
  assert.deepEqual(
    { sustained, clear, maxAge },
    {
      sustained: { above: 130, count: 3, of: 4 },
      clear: { below: 120, count: 2 },
      maxAge: 'PT90M',
    },
  )
  // The bound of the rule itself need not be typed; another one that ends it at the bound is kept as such.
  assert.deepEqual(
    Object(again({ ...stored, threshold: { below: 50 }, clear: { atLeast: 50, count: 1 } })).clear,
    {
      count: 1,
    },
  )
  assert.deepEqual(
    Object(again({ ...stored, threshold: { above: 130 }, clear: { atMost: 120, count: 1 } })).clear,
    {
      atMost: 120,
      count: 1,
    },
  )
  const missing = again({
    ...stored,
    field: null,
    unit: null,
    clear: null,
    maxAge: null,
    missing: { for: 'P2D' },
  })
  assert.deepEqual(missing, { readingType: 'heartRate', severity: 'urgent', missing: { for: 'P2D' } })
})

test('what the service finds wrong has a field too', () => {
  for (const [pointer, place] of [
    ['/threshold/above', 'bound'],
    ['/sustained/below', 'bound'],
    ['/sustained/of', 'of'],
    ['/clear/atMost', 'clearBound'],
    ['/clear/count', 'clearCount'],
    ['/change/within', 'within'],
    ['/missing/for', 'missingFor'],
    ['/label', 'label'],
    ['/patientUid', undefined],
  ] as const)
    assert.equal(placeOfPointer(pointer), place)
})
