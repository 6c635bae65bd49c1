// The sentences of the list, read as a doctor reads them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Due } from './list-statement.ts'
import type { ListedType } from './listed-patient.ts'
import { wordsFor } from './patient-words.ts'

const now = Date.parse('2026-11-17T12:00:00Z')
const at = '2026-11-17T06:40:00.000Z'
type Target = ListedType['targets'][number]

const target = (field: string, bounds: Partial<Target>, unit: string): Target => ({
  field,
  low: null,
  high: null,
  below: null,
  unit,
  label: null,
  preset: null,
  setBy: 'dr-willow',
  setAt: '2026-10-03T09:00:00.000Z',
  ...bounds,
})

type Case = { targets: Target[]; values?: Record<string, number>; unit?: string; share?: [number, number] }

const typeOf = (readingType: string, due: Due[], { targets, values, unit, share = [10, 5] }: Case) => {
  const [judged, inTarget] = share
  return {
    readingType,
    unit: unit ?? targets[0]?.unit ?? '',
    newest: values ? { at, values, sides: {} } : null,
    targets,
    share: { judged, inTarget, before: { judged: 0, inTarget: 0 } },
    bands: null,
    farthest: values ? { at, values, side: 'above' as const } : null,
    days: [],
    due,
  }
}

const words = (
  status: Parameters<typeof wordsFor>[0]['status'],
  types: ReturnType<typeof typeOf>[],
  more = {},
) => {
  const { reason, rule } = wordsFor({
    status,
    types,
    alert: null,
    lastReadingAt: at,
    lastReview: null,
    isLimited: false,
    timeZone: 'UTC',
    english: 'en-GB',
    now,
    subject: 'doctor',
    silentAfter: 3,
    worseBy: 10,
    ...more,
  })
  return [reason, rule?.text ?? null]
}

const newest = (readingType: string, of: Case) => words('attention', [typeOf(readingType, ['attention'], of)])

const MM = 'mm[Hg]'
const SET = 'set by dr-willow on 3 October 2026'

test('the fields of a target are named, each in its unit', () => {
  const pulse = target('pulse', { high: 100 }, '/min')
  const values = { systolic: 120, diastolic: 80, pulse: 150 }
  assert.deepEqual(
    newest('bloodPressure', { targets: [target('systolic', { below: 135 }, MM), pulse], values }),
    [
      'Blood pressure 120/80 mmHg, pulse 150/min at 06:40 today, above the target.',
      `The newest reading is outside the target systolic below 135 mmHg, pulse up to 100/min, ${SET}.`,
    ],
  )
  const diastolic = target('diastolic', { below: 85 }, MM)
  assert.deepEqual(
    newest('bloodPressure', { targets: [diastolic], values: { systolic: 120, diastolic: 90 } }),
    [
      'Blood pressure 120/90 mmHg at 06:40 today, above the target.',
      `The newest reading is outside the target diastolic below 85 mmHg, ${SET}.`,
    ],
  )
  const deep = target('deep', { low: 60 }, 'min')
  assert.deepEqual(newest('sleep', { targets: [deep], values: { value: 432, deep: 10 } }), [
    'Sleep 432 min, deep 10 min at 06:40 today, below the target.',
    `The newest reading is outside the target deep from 60 min, ${SET}.`,
  ])
})

test('two people who set targets of one type are both named', () => {
  const targets = [
    target('systolic', { below: 135 }, MM),
    target('diastolic', { below: 85, setBy: 'mia', setAt: '2026-11-01T09:00:00.000Z' }, MM),
  ]
  const [, rule] = newest('bloodPressure', { targets, values: { systolic: 140, diastolic: 70 } })
  assert.equal(
    rule,
    `The newest reading is outside the targets systolic below 135 mmHg (${SET}) and diastolic below 85 mmHg (set by mia on 1 November 2026).`,
  )
})

test('units and digits are those that people read', () => {
  const reasonOf = (readingType: string, unit: string, value: number, bounds: Partial<Target>) =>
    newest(readingType, { targets: [target('value', bounds, unit)], values: { value } })[0]
  const above = 'at 06:40 today, above the target.'
  assert.equal(reasonOf('fev1', 'L', 2.84, { high: 2.8 }), `FEV1 2.84 L ${above}`)
  assert.equal(reasonOf('painScore', '{score}', 8, { high: 4 }), `Pain score 8 ${above}`)
  assert.equal(reasonOf('stepCount', '{steps}', 12_000, { high: 9_000 }), `Steps 12000 ${above}`)
  assert.equal(reasonOf('bodyMassIndex', 'kg/m2', 31.2, { high: 30 }), `Body mass index 31.2 kg/m² ${above}`)
  assert.equal(
    reasonOf('oxygenSaturation', '%', 88, { low: 92 }),
    'Oxygen saturation 88 % at 06:40 today, below the target.',
  )
  const outer = target('value', { low: 3.9, high: 10, preset: 'sensor-glucose' }, 'mmol/L')
  assert.equal(
    newest('interstitialGlucose', { targets: [outer], values: { value: 2.96 } })[0],
    'Sensor glucose 2.96 mmol/L at 06:40 today, below 3.0 mmol/L.',
  )
})

test('silence is about readings, and not about what they measure', () => {
  const of = (readingType: string) =>
    words('silent', [
      typeOf(readingType, ['silent'], { targets: [target('value', { high: 4 }, '{score}')] }),
    ])[0]
  assert.equal(of('painScore'), 'No reading of pain score so far.')
  assert.equal(of('heartRate'), 'No reading of heart rate so far.')
})

test('a share is never rounded up, and 57 of 100 are 57 %', () => {
  const targets = [target('value', { high: 10 }, 'mmol/L')]
  for (const [judged, inTarget, shown] of [
    [100, 57, '57 %'],
    [100, 29, '29 %'],
    [1_000, 699, '69 %'],
    [3, 2, '66 %'],
  ] as const)
    assert.equal(
      words('inTarget', [typeOf('bloodGlucose', [], { targets, share: [judged, inTarget] })])[0],
      `${shown} of blood glucose in target in 14 days.`,
    )
})

test('only what has a target is said to be in target', () => {
  const judged = typeOf('bloodPressure', [], {
    targets: [target('systolic', { below: 135 }, MM)],
    share: [4, 4],
  })
  const other = { ...typeOf('heartRate', [], { targets: [], values: { value: 180 } }), share: null }
  assert.equal(
    words('inTarget', [judged, { ...other, share: null as never }])[0],
    'All readings of blood pressure in 14 days are in target.',
  )
})

test('a review is named by its time, also where nothing of 14 days is judged', () => {
  const lastReview = { at: '2026-11-08T10:12:00.000Z', note: null }
  const of = (share: [number, number]) =>
    words(
      'reviewed',
      [typeOf('bloodPressure', [], { targets: [target('systolic', { below: 135 }, MM)], share })],
      {
        lastReview,
      },
    )[0]
  assert.equal(of([4, 1]), 'You looked at 10:12 on 8 November; 25 % of blood pressure in target in 14 days.')
  assert.equal(of([0, 0]), 'You looked at 10:12 on 8 November at readings outside target.')
})

test('times and dates are written as in the reader’s English', () => {
  const targets = [target('systolic', { below: 135 }, MM)]
  const of = (english: string, lastReviewAt: string) => [
    words('reviewed', [typeOf('bloodPressure', [], { targets, share: [4, 1] })], {
      lastReview: { at: lastReviewAt, note: null },
      english,
    })[0]?.split(';')[0],
    words('attention', [typeOf('bloodPressure', ['attention'], { targets, values: { systolic: 150 } })], {
      english,
    })[1]
      ?.split(', ')
      .slice(1)
      .join(', '),
  ]
  const SPACE = /[\u00a0\u202f]/g
  const plain = (texts: (string | undefined)[]) => texts.map((text) => text?.replaceAll(SPACE, ' '))
  assert.deepEqual(plain(of('en-us', '2026-11-08T22:12:00.000Z')), [
    'You looked at 10:12 PM on November 8',
    'set by dr-willow on October 3, 2026.',
  ])
  assert.deepEqual(
    plain(of('en-us', '2025-11-08T22:12:00.000Z'))[0],
    'You looked at 10:12 PM on November 8, 2025',
  )
  assert.deepEqual(plain(of('en-GB', '2025-11-08T22:12:00.000Z')), [
    'You looked at 22:12 on 8 November 2025',
    `${SET}.`,
  ])
})

test('only after a review is it said that a reading came since', () => {
  const outside = typeOf('bodyWeight', ['outside'], {
    targets: [target('value', { high: 83 }, 'kg')],
    values: { value: 90 },
  })
  assert.equal(
    words('review', [outside])[1],
    `A reading of the last 14 days is outside the target up to 83 kg, ${SET}.`,
  )
  const lastReview = { at: '2026-11-08T10:12:00.000Z', note: null }
  assert.equal(
    words('review', [outside], { lastReview })[1],
    `Since your last review, a reading of the last 14 days was received that is outside the target up to 83 kg, ${SET}; the reason names the farthest of the 14 days.`,
  )
})

test('who shares only some types is not said to have measured nothing', () => {
  const none = { lastReadingAt: null }
  assert.equal(words('noTarget', [], none)[0], 'No target is set, and nothing was measured in 30 days.')
  assert.equal(
    words('noTarget', [], { ...none, isLimited: true })[0],
    'No target is set, so nothing is judged.',
  )
})

test('an alert that waits for a doctor is named first, with whose rule it is', () => {
  const alert = {
    alert_id: '5d0a3f7e-1c52-4e19-a4d7-9e8f2c6b5a10',
    reading_type: 'interstitialGlucose',
    why: 'Sensor glucose was 2.8 mmol/L, below 3 mmol/L.',
    opened_at: at,
    set_by: 'doctor',
    set_at: '2026-10-03T09:00:00Z',
  }
  const outside = typeOf('bloodPressure', ['attention'], { targets: [], values: { systolic: 190 } })
  const [reason, rule] = words('attention', [outside], { alert })
  assert.match(
    reason ?? '',
    /^Alert at .*: Sensor glucose was 2.8 mmol\/L, below 3 mmol\/L\. Also outside target: blood pressure\.$/,
  )
  assert.equal(
    rule,
    'An alert is open by a rule set by you on 3 October 2026, and no doctor has acknowledged it.',
  )
})
