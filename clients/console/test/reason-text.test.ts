// The words of every reason of a doctor's list, and of what nobody judged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { besideOf, lineOf, type Reason, restOf, textOf } from '../src/care/reason-text.ts'
import './words.ts'

const options = { zone: 'UTC', now: Date.parse('2026-11-19T12:00:00Z'), doctorId: 'me' }
const SAMPLE = { kind: 'doctor', doctorId: 'sample', name: 'Dr Sample' } as const
const OWN = { ...SAMPLE, doctorId: 'me' }
const BY = { isSeen: false, author: SAMPLE, beyond: 1.2, readingType: 'bloodPressure', field: 'systolic' }
const TODAY = { measuredAt: '2026-11-19T07:40:00Z', receivedAt: '2026-11-19T07:40:02Z' }
const LATE = { measuredAt: '2026-11-14T08:12:00Z', receivedAt: '2026-11-19T11:00:00Z' }
const READING = { readingId: '5d0e7c1b-93a4-4f62-8b1d-6c2f0a9e4b37', alerts: [], isLate: false, ...TODAY }
const PRESSURE = { systolic: 224, diastolic: 126 }
const ACT = {
  code: 'value',
  ...BY,
  ...READING,
  value: 224,
  unit: 'mm[Hg]',
  limit: 180,
  shown: PRESSURE,
} as const
const SEVERE = {
  code: 'severe',
  isSeen: false,
  severity: 'SEVERE',
  ...READING,
  shown: { symptom: 'chest pain' },
} as const
const ALERT = {
  code: 'alert',
  isSeen: false,
  isLate: false,
  alertId: READING.readingId,
  label: 'Pulse above 130',
  severity: 'urgent',
  kind: 'value',
  readingType: 'heartRate',
  value: 150,
  unit: '/min',
  limit: 130,
  endedAt: null,
  ...TODAY,
} as const
const GLUCOSE = { ...BY, readingType: 'interstitialGlucose', field: 'value' }
const GOAL = {
  code: 'goal',
  ...GLUCOSE,
  part: 'below',
  bound: 70,
  unit: 'mg/dL',
  value: 0.062,
  limit: 0.04,
  days: 14,
} as const
const MEAN = { code: 'mean', ...BY, value: 142, unit: 'mm[Hg]', limit: 135, days: 7 } as const
const SILENT = {
  code: 'silent',
  ...BY,
  readingType: 'bodyWeight',
  since: '2026-11-14T08:00:00Z',
  expectEvery: 'P3D',
} as const

const CASES: [reason: Reason, words: string][] = [
  [SEVERE, 'Severe at 07:40 AM: chest pain. Not seen yet.'],
  [{ ...SEVERE, severity: 'CRITICAL', isSeen: true }, 'Critical at 07:40 AM: chest pain. Seen.'],
  [
    { ...SEVERE, measuredAt: '2026-11-15T07:40:00Z', receivedAt: '2026-11-15T07:40:00Z', isLate: true },
    'Severe Nov 15 07:40 AM, older than 72 hours: chest pain. Not seen yet.',
  ],
  [{ ...SEVERE, code: 'moderate', severity: 'MODERATE' }, 'Moderate at 07:40 AM: chest pain. Not seen yet.'],
  [ACT, '224/126 mmHg at 07:40 AM, above 180, the act limit of Dr Sample. Not seen yet.'],
  [
    {
      ...ACT,
      author: OWN,
      field: 'diastolic',
      value: 126,
      limit: 110,
      alerts: [{ alertId: '', label: 'High' }],
    },
    '224/126 mmHg at 07:40 AM, diastolic above 110, your act limit. Alert “High”. Not seen yet.',
  ],
  [
    { ...ACT, author: { kind: 'practice', name: 'Sample Practice' }, ...LATE },
    '224/126 mmHg measured Nov 14 08:12 AM, arrived 11:00 AM, above 180, the act limit of Sample Practice. Not seen yet.',
  ],
  [
    { ...ACT, ...GLUCOSE, value: 2.8, limit: 3, unit: 'mmol/L', shown: { value: 2.8 } },
    'Sensor glucose 2.8 mmol/L at 07:40 AM, below 3, the act limit of Dr Sample. Not seen yet.',
  ],
  [
    { ...ACT, ...GLUCOSE, value: null, outOfRange: 'low', limit: 54, unit: 'mg/dL', shown: {} },
    'Sensor glucose “LOW” at 07:40 AM, below 54, the act limit of Dr Sample. Not seen yet.',
  ],
  [ALERT, 'Urgent alert “Pulse above 130”: 150 /min at 07:40 AM, limit 130. Not seen yet.'],
  [
    { ...ACT, alerts: [{ alertId: '', label: 'Systolic was 224 mmHg, above 180 mmHg.' }] },
    '224/126 mmHg at 07:40 AM, above 180, the act limit of Dr Sample. Alert “Systolic was 224 mmHg, above 180 mmHg”. Not seen yet.',
  ],
  [
    { ...ALERT, endedAt: '2026-11-19T08:10:00Z' },
    'Urgent alert “Pulse above 130”: 150 /min at 07:40 AM, limit 130, ended 08:10 AM. Not seen yet.',
  ],
  [
    {
      ...ALERT,
      kind: 'change',
      severity: 'warning',
      label: '2 kg in 3 days',
      value: 2.6,
      unit: 'kg',
      limit: 2,
    },
    'Warning alert “2 kg in 3 days”: +2.6 kg at 07:40 AM, limit 2. Not seen yet.',
  ],
  [
    { ...ALERT, kind: 'missing', label: 'No pulse', value: null, limit: null },
    'Urgent alert “No pulse”. Not seen yet.',
  ],
  [GOAL, 'Sensor glucose: 6.2 % below 70 mg/dL, goal at most 4 %, the goal of Dr Sample. Not seen yet.'],
  [
    { ...GOAL, part: 'inRange', bound: null, value: 0.62, limit: 0.7, author: OWN },
    'Sensor glucose: 62 % in range, goal at least 70 %, your goal. Not seen yet.',
  ],
  [
    { ...GOAL, part: 'farAbove', bound: 250, value: 0.0504, limit: 0.05 },
    'Sensor glucose: 5.04 % above 250 mg/dL, goal at most 5 %, the goal of Dr Sample. Not seen yet.',
  ],
  [
    { ...ACT, field: 'pulse', value: 131, unit: '/min', limit: 120, shown: { ...PRESSURE, pulse: 131 } },
    'Blood pressure, pulse 131 /min at 07:40 AM, above 120, the act limit of Dr Sample. Not seen yet.',
  ],
  [
    { ...MEAN, readingType: 'bodyWeight', field: 'value', value: 82.4, limit: 80, unit: 'kg' },
    'Mean of 7 days: body weight 82.4 kg, limit 80 of Dr Sample. Not seen yet.',
  ],
  [
    { ...GOAL, readingType: 'bloodPressure', field: 'systolic', part: 'inRange', bound: null },
    'Systolic: 6.2 % in range, goal at least 4 %, the goal of Dr Sample. Not seen yet.',
  ],
  [MEAN, 'Mean of 7 days: systolic 142 mmHg, limit 135 of Dr Sample. Not seen yet.'],
  [
    { ...MEAN, field: 'diastolic', value: 89.3782, limit: 85 },
    'Mean of 7 days: diastolic 89.4 mmHg, limit 85 of Dr Sample. Not seen yet.',
  ],
  [
    { ...MEAN, ...GLUCOSE, value: 7.2461, limit: 7.2, unit: 'mmol/L' },
    'Mean of 7 days: sensor glucose 7.25 mmol/L, limit 7.2 of Dr Sample. Not seen yet.',
  ],
  [{ ...MEAN, author: OWN, isSeen: true }, 'Mean of 7 days: systolic 142 mmHg, limit 135, yours. Seen.'],
  [
    { code: 'fall', ...GLUCOSE, value: 0.72, limit: 0.84 },
    'Sensor glucose: 72 % in range, 84 % the two weeks before, the target of Dr Sample. Not seen yet.',
  ],
  [SILENT, 'No body weight for 5 days, expected every 3 days, the target of Dr Sample. Not seen yet.'],
  [
    { ...SILENT, since: '2026-11-18T10:00:00Z', expectEvery: 'P1D' },
    'No body weight for 26 hours, expected every day, the target of Dr Sample. Not seen yet.',
  ],
  [
    { code: 'lookAgain', isSeen: false, since: '2026-11-19T06:00:00Z' },
    'Look again: due today 06:00 AM. Not seen yet.',
  ],
  [{ code: 'lookAgain', isSeen: true, since: '2026-11-22T06:00:00Z' }, 'Look again: Nov 22 06:00 AM.'],
  [
    { code: 'sharingEnds', isSeen: false, since: '2026-11-25T00:00:00Z' },
    'Sharing ends Nov 25 12:00 AM. Not seen yet.',
  ],
  [
    {
      code: 'clock',
      isSeen: false,
      readingType: 'heartRate',
      ...READING,
      shown: {},
      measuredAt: '2027-11-19T07:40:00Z',
    },
    'Impossible time, heart rate: measured Nov 19, 2027 07:40 AM, arrived 07:40 AM. Not seen yet.',
  ],
]

for (const [reason, words] of CASES)
  test(words, () => assert.equal(textOf(reason, options) + restOf(reason, options), words))

test('a line names whose limit it is, where it is not that of the reader', () => {
  const mean = 'Mean of 7 days: systolic 142 mmHg, limit 135'
  assert.equal(lineOf(MEAN, options), `${mean} (Dr Sample)`)
  assert.equal(lineOf({ ...MEAN, author: OWN }, options), mean)
  const practice = { kind: 'practice', name: 'Sample Practice' } as const
  assert.equal(lineOf({ ...MEAN, author: practice }, options), `${mean} (Sample Practice)`)
  assert.equal(lineOf(ALERT, options), textOf(ALERT, options))
})

test('what nobody judged, and mild symptoms, stand beside', () => {
  const notJudged = [
    { why: 'noTarget' },
    { why: 'noTarget', readingType: 'heartRate' },
    { why: 'noTarget', readingType: 'bodyTemperature' },
    { why: 'tooFew', readingType: 'bodyWeight', have: 8, need: 6 },
    { why: 'tooFew', readingType: 'bloodGlucose', have: 9, need: 14 },
    { why: 'tooFew', readingType: 'oxygenSaturation', have: 0, need: 1 },
    { why: 'tooFew', readingType: 'interstitialGlucose', have: 100.4, need: 235.2 },
    { why: 'noGoals', readingType: 'bloodGlucose' },
    { why: 'noActLimits', readingType: 'bloodPressure' },
  ] as const
  const tired = { symptom: 'tired', severity: 'MILD', measuredAt: TODAY.measuredAt }
  const symptoms = [tired, { ...tired, measuredAt: LATE.measuredAt }]
  assert.deepEqual(besideOf({ symptoms, notJudged: [...notJudged] }), [
    'Mild: tired',
    'Not judged: no target',
    'Not judged: body weight, 8 of 6 values on 3 days needed',
    'Not judged: blood glucose, 9 of 14 values needed',
    'Not judged: oxygen saturation, no value in 14 days',
    'Not judged: sensor glucose, 100.4 of 235.2 hours needed',
    'Not judged: blood glucose, no goals',
    'Blood pressure: no act limits',
    'Not judged: heart rate and body temperature, no target',
  ])
})
