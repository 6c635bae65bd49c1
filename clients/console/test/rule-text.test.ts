// Rules of alerts in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundOf, clearText, lateText, type RuleInWords, ruleText } from '../src/care/rule-text.ts'
import { isoDurationText, lengthText } from '../src/format/iso-duration.ts'

const glucose = { readingType: 'interstitialGlucose', field: 'value', unit: 'mmol/L' }
const systolic = { readingType: 'bloodPressure', field: 'systolic', unit: 'mm[Hg]' }
const weight = { readingType: 'bodyWeight', field: 'value', unit: 'kg' }

const CASES: [rule: RuleInWords, words: string, ends: string][] = [
  [
    { ...glucose, threshold: { above: 13.9 }, clear: { atMost: 13.9, count: 1 } },
    'sensor glucose above 13.9 mmol/L',
    'a reading of at most 13.9 mmol/L',
  ],
  [
    { ...glucose, threshold: { below: 3 }, clear: { above: 3.9, count: 2 } },
    'sensor glucose below 3 mmol/L',
    '2 readings in a row above 3.9 mmol/L',
  ],
  [
    { ...glucose, threshold: { below: 3 }, clear: { atLeast: 3, count: 1 } },
    'sensor glucose below 3 mmol/L',
    'a reading of at least 3 mmol/L',
  ],
  [
    { ...systolic, sustained: { above: 150, count: 3, of: 4 }, clear: { below: 140, count: 3 } },
    '3 of the last 4 readings of systolic blood pressure above 150 mmHg',
    '3 readings in a row below 140 mmHg',
  ],
  [
    { ...systolic, threshold: { above: 150 }, clear: { atMost: 140, count: 1 } },
    'systolic blood pressure above 150 mmHg',
    'a reading of at most 140 mmHg',
  ],
  [
    { ...glucose, sustained: { above: 13.9, for: 'PT2H' }, threshold: null, clear: { below: 12, count: 2 } },
    'sensor glucose above 13.9 mmol/L for 2 hours',
    '2 readings in a row below 12 mmol/L',
  ],
  [
    { ...systolic, sustained: { above: 150, count: 3, of: 4 } },
    '3 of the last 4 readings of systolic blood pressure above 150 mmHg',
    '3 readings in a row of at most 150 mmHg',
  ],
  [
    { ...weight, change: { by: 2, within: 'P3D' }, clear: { count: 1 } },
    'body weight up by 2 kg or more within 3 days',
    'a reading without such a change',
  ],
  [
    { ...weight, change: { by: -1.5, within: 'P7D' }, clear: { count: 2 } },
    'body weight down by 1.5 kg or more within 7 days',
    '2 readings in a row without such a change',
  ],
  [
    { readingType: 'bodyWeight', field: null, unit: null, missing: { for: 'P2D' } },
    'no reading of body weight for 2 days',
    'the next reading',
  ],
  [
    { readingType: 'sleep', field: 'deep', unit: 'min', threshold: { below: 30 } },
    'sleep, deep sleep below 30 min',
    'a reading of at least 30 min',
  ],
]

for (const [rule, words, ends] of CASES)
  test(`${words}; it ends with ${ends}`, () => {
    assert.equal(ruleText(rule), words)
    assert.equal(clearText(rule), ends)
  })

test('a rule about a value has a bound to draw, one about a change or missing readings has none', () => {
  assert.deepEqual(
    CASES.map(([rule]) => boundOf(rule)?.value),
    [13.9, 3, 3, 150, 150, 13.9, 150, undefined, undefined, undefined, 30],
  )
  assert.equal(boundOf({ ...glucose, threshold: { below: 3 } })?.side, 'below')
})

test('durations are said in days, hours and minutes', () => {
  for (const [duration, words] of [
    ['P1D', '1 day'],
    ['PT5M', '5 minutes'],
    ['PT1H30M', '1 hour 30 minutes'],
    ['P2DT12H', '2 days 12 hours'],
    ['sometime', 'sometime'],
  ] as const)
    assert.equal(isoDurationText(duration), words)
})

test('what happens with late readings is said in a sentence, and lengths as exactly as a reader needs', () => {
  assert.equal(lateText({ maxAge: 'P1D' }), '')
  assert.equal(
    lateText({ maxAge: 'PT2H' }),
    'Readings that arrive more than 2 hours late are recorded quietly.',
  )
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
