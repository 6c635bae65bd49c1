// Rules in words, and what is typed into their sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endText, type RuleInWords, ruleText } from '../src/care/rule-text.ts'
import { isoDurationText, lengthText } from '../src/format/iso-duration.ts'
import {
  emptyRule,
  placeOfPointer,
  readRuleForm,
  type TypedRule,
  typedRule,
} from '../src/screens/plan/read-rule-form.ts'
import { catalogue } from './catalogue.ts'
import './words.ts'

const systolic = { readingType: 'bloodPressure', field: 'systolic', unit: 'mm[Hg]' }
const weight = { readingType: 'bodyWeight', field: 'value', unit: 'kg' }

const CASES: [rule: RuleInWords, words: string, ends: string][] = [
  [
    { ...systolic, value: { above: 160 } },
    'systolic blood pressure above 160 mmHg',
    'It ends when the newest value is not above 160 mmHg.',
  ],
  [
    { ...systolic, value: { above: 160, times: 2, within: 'P2D' }, clear: { below: 150 } },
    'systolic blood pressure above 160 mmHg, 2 times within 2 days',
    'It ends with a value below 150 mmHg.',
  ],
  [
    { ...systolic, value: { below: 90, times: 3, within: 'P1D' } },
    'systolic blood pressure below 90 mmHg, 3 times within 1 day',
    'It ends when the newest value is not below 90 mmHg so often.',
  ],
  [
    { ...weight, change: { by: 2, within: 'P3D' } },
    'body weight rises by 2 kg within 3 days',
    'It ends when the newest value has not changed so much.',
  ],
  [
    { ...weight, change: { by: -1.5, within: 'P7D' } },
    'body weight falls by 1.5 kg within 7 days',
    'It ends when the newest value has not changed so much.',
  ],
  [
    { readingType: 'heartRate', field: null, unit: null, missing: { for: 'P2D' } },
    'no heart rate for 2 days',
    'It ends with the next reading.',
  ],
  [
    { readingType: 'symptom', symptom: { severity: 'SEVERE' } },
    'any symptom that is severe',
    'It ends 72 hours after the last one.',
  ],
  [
    { readingType: 'symptom', symptom: { severity: 'MODERATE' } },
    'any symptom that is moderate or worse',
    'It ends 72 hours after the last one.',
  ],
  [
    { readingType: 'symptom', symptom: { severity: 'MILD' } },
    'any symptom',
    'It ends 72 hours after the last one.',
  ],
]

for (const [rule, words, ends] of CASES)
  test(`${words}: ${ends}`, () => {
    assert.equal(ruleText(rule), words)
    assert.equal(endText(rule), ends)
  })

const entryOf = (type: string) => catalogue.get(type) ?? assert.fail()
const typedOf = (type: string, part: Partial<TypedRule>): TypedRule => ({
  ...emptyRule(entryOf(type), entryOf(type).units[0] ?? ''),
  severity: 'warning',
  ...part,
})

/** What is typed: what is set, or what is wrong. */
const TYPED: [name: string, typed: TypedRule, read: object][] = [
  [
    'a value twice',
    typedOf('bloodPressure', { bound: '160', times: '2', clear: '150', label: ' High  twice ' }),
    {
      readingType: 'bloodPressure',
      severity: 'warning',
      field: 'systolic',
      unit: 'mm[Hg]',
      value: { above: 160, times: 2, within: 'P2D' },
      clear: { below: 150 },
      label: 'High twice',
    },
  ],
  [
    'a fall',
    typedOf('bodyWeight', { kind: 'change', side: 'below', bound: '1,5', within: 'P3D' }),
    {
      readingType: 'bodyWeight',
      severity: 'warning',
      field: 'value',
      unit: 'kg',
      change: { by: -1.5, within: 'P3D' },
    },
  ],
  [
    'nothing arrives',
    typedOf('heartRate', { kind: 'missing', missingFor: 'P5D', severity: 'urgent' }),
    { readingType: 'heartRate', severity: 'urgent', missing: { for: 'P5D' } },
  ],
  [
    'a symptom',
    typedOf('heartRate', { kind: 'symptom', least: 'MODERATE' }),
    { readingType: 'symptom', severity: 'warning', symptom: { severity: 'MODERATE' } },
  ],
  [
    'no number, no urgency',
    typedOf('heartRate', { severity: undefined }),
    { bound: 'The number is missing.', severity: 'Choose how urgent it is.' },
  ],
  ['no unit', typedOf('bodyWeight', { unit: '', bound: '80' }), { unit: 'Choose the unit.' }],
  ['no number at all', typedOf('heartRate', { bound: 'high' }), { bound: 'This is not a number.' }],
  [
    'a rise by nothing',
    typedOf('bodyWeight', { kind: 'change', bound: '0' }),
    { bound: 'It must be more than 0.' },
  ],
  [
    'too often',
    typedOf('heartRate', { bound: '130', times: '21' }),
    { times: 'It must be a whole number from 1 to 20.' },
  ],
  [
    'an end beyond the bound',
    typedOf('heartRate', { bound: '130', clear: '140' }),
    { clear: 'It must be at most 130.' },
  ],
]

for (const [name, typed, expected] of TYPED)
  test(`the form of a rule reads ${name}`, () => {
    const read = readRuleForm(entryOf(typed.readingType), typed)
    assert.deepEqual('terms' in read ? read.terms : read.mistakes, expected)
    if (!('terms' in read)) return
    // As it is stored, it is typed in the same way again.
    const stored = { field: null, unit: null, label: null, ...read.terms } as Parameters<typeof typedRule>[0]
    const again = typedRule(stored, entryOf(typed.readingType))
    const reread = readRuleForm(entryOf(typed.readingType), { ...again, readingType: typed.readingType })
    assert.deepEqual('terms' in reread && reread.terms, read.terms)
  })

test('what the service finds wrong is said at its gap', () => {
  for (const [pointer, place] of [
    ['/value/above', 'bound'],
    ['/value/within', 'within'],
    ['/change/by', 'bound'],
    ['/missing/for', 'missingFor'],
    ['/clear/below', 'clear'],
    ['/patientUid', undefined],
  ] as const)
    assert.equal(placeOfPointer(pointer), place)
})

test('durations are said in days, hours and minutes, lengths as exactly as a reader needs', () => {
  for (const [duration, words] of [
    ['P1D', '1 day'],
    ['PT5M', '5 minutes'],
    ['PT1H30M', '1 hour 30 minutes'],
    ['P2DT12H', '2 days 12 hours'],
    ['sometime', 'sometime'],
  ] as const)
    assert.equal(isoDurationText(duration), words)
  const minute = 60_000
  for (const [minutes, words] of [
    [0.2, 'less than a minute'],
    [45, '45 min'],
    [125, '2 h 5 min'],
    [120, '2 h'],
    [1_440, '1 day'],
    [4_560, '3 days 4 h'],
  ] as const)
    assert.equal(lengthText(minutes * minute), words)
})
