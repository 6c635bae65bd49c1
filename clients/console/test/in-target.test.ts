// Whether a reading is in target: the rule of the console, and that of the service over the same cases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import {
  createRoundsClient,
  type Reading,
  type StoredReading,
  type Target,
} from '../../typescript/src/client.ts'
import { boundsIn, judgedFields, placeOf } from '../src/care/in-target.ts'
import {
  othersText,
  placeText,
  rangesText,
  rangesTextIn,
  setText,
  setTextOnPaper,
} from '../src/care/target-text.ts'
import { targetWord } from '../src/screens/charts/judged.ts'
import { shapeOf } from '../src/screens/charts/type-shape.ts'
import { bandText } from '../src/screens/reports/report-text.ts'
import { entryOf } from './catalogue.ts'
import { TARGET_CASES } from './target-cases.ts'

const NONE = { low: null, high: null, below: null }

function target(field: string, bounds: Partial<Target>): Target {
  return {
    patientUid: 'patient-1',
    readingType: 'bloodPressure',
    field,
    ...NONE,
    unit: 'mm[Hg]',
    label: null,
    preset: null,
    setBy: 'ada-example',
    allowedAs: 'patient',
    doctorId: null,
    setAt: '2026-10-03T09:00:00Z',
    ...bounds,
  }
}

test('a value is compared in the unit of the target, rounded only where it was converted', () => {
  for (const [readingType, value, unit, bounds, targetUnit, place] of TARGET_CASES)
    assert.equal(
      placeOf(value, unit, { ...NONE, ...bounds, unit: targetUnit }),
      place,
      `${readingType} ${value} ${unit}`,
    )
})

test('the service counts the same values in, above and below target', async () => {
  const server = await startRounds()
  const [from, to] = [Date.now() - 3_600_000, Date.now()]
  for (const [index, [readingType, value, unit, bounds, targetUnit, place]] of TARGET_CASES.entries()) {
    const patientUid = `case-${index}`
    const token = await server.token({ patientUid })
    const rounds = createRoundsClient({ url: server.url, token })
    await rounds.addReadings([{ patientUid, readingType, value, unit, timestamp: from + 1_000 } as Reading])
    await rounds.targets.set({ patientUid, readingType, ...bounds, unit: targetUnit })
    const { data } = await rounds.reports.timeInTarget({ patientUid, readingType, from, to })
    const { readings } = data.fields['value'] ?? assert.fail()
    assert.deepEqual(
      readings,
      { below: 0, in: 0, above: 0, [place]: 1 },
      `${readingType} ${value} ${unit} against ${JSON.stringify(bounds)} ${targetUnit}`,
    )
  }
})

const COMMON = {
  patientUid: 'patient-1',
  timestamp: 1_762_000_000,
  readingId: '2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11',
  measuredAt: '2026-11-01T12:26:40.000Z',
  receivedAt: '2026-11-01T12:26:41.000Z',
}
const pressure = (fields: object) => ({ ...COMMON, readingType: 'bloodPressure', ...fields }) as StoredReading
const below = [target('systolic', { below: 135 }), target('diastolic', { below: 85 })]
const judged = (fields: object, targets: readonly Target[] = below) =>
  judgedFields(pressure(fields), entryOf('bloodPressure'), targets)

test('a reading is judged field by field, and not at all where one that has a target is missing', () => {
  const words = (fields: object, targets?: readonly Target[]) => {
    const found = judged(fields, targets)
    return found && placeText(found)
  }
  assert.equal(words({ systolic: 134, diastolic: 84 }), 'in target')
  assert.equal(words({ systolic: 135, diastolic: 84 }), '▲ systolic above target')
  assert.equal(words({ systolic: 150, diastolic: 95 }), '▲ above target')
  const both = [target('systolic', { low: 100, high: 130 }), target('diastolic', { low: 60, high: 80 })]
  assert.equal(words({ systolic: 90, diastolic: 50 }, both), '▼ below target')
  assert.equal(
    words({ systolic: 140, diastolic: 50 }, both),
    '▲ systolic above target, ▼ diastolic below target',
  )
  const pulse = [target('pulse', { low: 50, high: 90, unit: '/min' })]
  // What is shown in large is the pressure.
  assert.equal(words({ systolic: 140, diastolic: 50, pulse: 44 }, pulse), '▼ pulse below target')
  assert.equal(words({ systolic: 140, diastolic: 50 }, pulse), undefined)
  assert.equal(words({ systolic: 140, diastolic: 50, unit: 'kPa' }), undefined)
  assert.equal(words({ systolic: 140, diastolic: 50 }, []), undefined)
  assert.deepEqual(
    judged({ systolic: 162, diastolic: 84 })?.map(({ beyond }) => beyond),
    [0.2, 0],
  )
})

test('a target is said as people say it, in the unit of the readings and as it was set', () => {
  const glucose = target('value', { low: 70, high: 180, unit: 'mg/dL' })
  assert.equal(rangesText([glucose]), '70–180 mg/dL')
  assert.equal(rangesTextIn([glucose], 'mmol/L'), '3.9–10 mmol/L (70–180 mg/dL)')
  assert.equal(rangesTextIn([glucose], 'mg/dL'), '70–180 mg/dL')
  assert.deepEqual(boundsIn(glucose, 'mmol/L').high, 10)
  assert.equal(rangesText(below), 'below 135/85 mmHg')
  const pulse = target('pulse', { low: 50, unit: '/min' })
  assert.equal(rangesText([...below, pulse]), 'below 135/85 mmHg, pulse at least 50 /min')
  assert.equal(
    rangesText([target('systolic', { low: 110, high: 130 }), target('diastolic', { high: 85 })]),
    'systolic 110–130 mmHg, diastolic at most 85 mmHg',
  )
  assert.equal(rangesText([target('value', { low: 420, high: 540, unit: 'min' })]), '7 h 0 min to 9 h 0 min')
  assert.equal(
    rangesText([target('value', { low: 4, below: 10, unit: 'mmol/L' })]),
    'at least 4 and below 10 mmol/L',
  )
  assert.equal(
    rangesText([target('value', { low: 420, below: 540, unit: 'min' })]),
    'at least 7 h 0 min and below 9 h 0 min',
  )
  const options = {
    subject: 'robin-example',
    isOwn: true,
    nameOfDoctor: () => ({ name: 'Dr Willow Sample' }),
    zone: 'Europe/Berlin',
    now: Date.parse('2026-11-17T12:00:00Z'),
  }
  assert.match(setText(below, options), /^set by ada-example on (3 Oct|Oct 3)$/)
  assert.match(setText(below, { ...options, isOwn: false }), /^set by the patient or a carer on /)
  const [first] = below
  const later = { ...target('diastolic', {}), setAt: '2026-11-16T12:00:00Z', doctorId: 'dr-1', setBy: 'x' }
  const both = first ? [first, later] : []
  assert.equal(setText(both, options), 'set by Dr Willow Sample yesterday')
  assert.match(setTextOnPaper(both, options), /^set by Dr Willow Sample on (16 November|November 16,) 2026$/)
  assert.match(setTextOnPaper(below, { ...options }), /^set by ada-example on (3 October|October 3,) 2026$/)
  assert.equal(othersText(both, options), 'the target that Dr Willow Sample set yesterday')
  const asAda = { ...options, subject: 'ada-example' }
  assert.equal(othersText(below, asAda), undefined)
  assert.equal(setText(below, asAda).slice(0, 10), 'set by you')
})

test('a bucket is compared as it is displayed, with every number that has a target', () => {
  const of = (values: Record<string, [min: number, max: number]>) => ({
    atMs: 0,
    bucket: { startMs: 0, endMs: 1 },
    count: 2,
    isBeforeGap: false,
    values: Object.fromEntries(
      Object.entries(values).map(([field, [min, max]]) => [field, { count: 2, min, max, mean: min }]),
    ),
  })
  const sensor = shapeOf('interstitialGlucose', entryOf('interstitialGlucose'))
  const inMmol = {
    targets: [target('value', { low: 3.9, high: 10, unit: 'mmol/L' })],
    shape: sensor,
    unit: 'mmol/L',
  }
  // 70 and 180 mg/dL, which are in this target; then 69 and 182.
  assert.equal(targetWord(of({ value: [3.885_521, 9.991_341] }), inMmol), 'in target')
  assert.equal(
    targetWord(of({ value: [3.830_014, 10.102_356] }), inMmol),
    '▲ in part above target, ▼ in part below target',
  )
  // What a conversion to mmol/L and back leaves of 56 and 80 mg/dL.
  const inMg = {
    targets: [target('value', { low: 56, high: 80, unit: 'mg/dL' })],
    shape: sensor,
    unit: 'mg/dL',
  }
  assert.equal(targetWord(of({ value: [55.999_999_999_999_99, 80.000_000_000_000_01] }), inMg), 'in target')
  const shape = shapeOf('bloodPressure', entryOf('bloodPressure'))
  const ofPulse = { targets: [target('pulse', { high: 90, unit: '/min' })], shape, unit: 'mm[Hg]' }
  const pressures = { systolic: [180, 190], diastolic: [100, 110] } satisfies Record<string, [number, number]>
  assert.equal(targetWord(of(pressures), ofPulse), undefined)
  assert.equal(targetWord(of({ ...pressures, pulse: [80, 96] }), ofPulse), '▲ in part above target')
})

test('the bands of the glucose report say which of them has the upper bound of the target', () => {
  const textsOf = (isBelow: boolean) =>
    [
      { name: 'target' as const, from: 70, to: 180 },
      { name: 'high' as const, from: 180, to: 250 },
      { name: 'target' as const, from: null, to: 180 },
      { name: 'high' as const, from: 180, to: null },
    ].map((band) => bandText(band, 'mg/dL', isBelow))
  assert.deepEqual(textsOf(false), ['70–180 mg/dL', '181–250 mg/dL', 'up to 180 mg/dL', 'above 180 mg/dL'])
  assert.deepEqual(textsOf(true), ['70–179 mg/dL', '180–250 mg/dL', 'below 180 mg/dL', 'from 180 mg/dL'])
  assert.equal(bandText({ name: 'low', from: 54, to: 70 }, 'mg/dL', true), '54–69 mg/dL')
  assert.equal(bandText({ name: 'high', from: 10, to: 13.9 }, 'mmol/L', false), '10.1–13.9 mmol/L')
})
