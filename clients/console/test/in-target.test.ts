// Whether a reading is in target: the rule of the console, and that of the service over the same cases; and what is said of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createRoundsClient, type Reading, type Target } from '../../typescript/src/client.ts'
import { boundsIn, judgedFields, placeOf, rangesOf } from '../src/care/in-target.ts'
import {
  placeText,
  rangesText,
  rangesTextIn,
  setText,
  setTextOnPaper,
  whoseText,
} from '../src/care/target-text.ts'
import { targetWord } from '../src/screens/charts/judged.ts'
import { shapeOf } from '../src/screens/charts/type-shape.ts'
import { limitsTexts } from '../src/screens/plan/limits-text.ts'
import { entryOf } from './catalogue.ts'
import { TARGET_CASES } from './target-cases.ts'
import './words.ts'

const PRESSURE = entryOf('bloodPressure')
const pressureRanges = (fields: Target['fields']) => rangesOf({ fields, unit: 'mm[Hg]' }, PRESSURE)
const value = (unit: string, bounds: { low?: number; high?: number }) =>
  rangesOf({ fields: { value: bounds }, unit }, undefined)

test('a value is compared in the unit of the target, rounded only where it was converted', () => {
  for (const [readingType, sent, unit, bounds, targetUnit, place] of TARGET_CASES) {
    const range = value(targetUnit, bounds)[0] ?? assert.fail()
    assert.equal(placeOf(sent, unit, range), place, `${readingType} ${sent} ${unit}`)
  }
})

test('the service counts the same values in, above and below target', async () => {
  const server = await startRounds()
  const [from, to] = [Date.now() - 3_600_000, Date.now()]
  for (const [index, [readingType, sent, unit, bounds, targetUnit, place]] of TARGET_CASES.entries()) {
    const patientUid = `case-${index}`
    const token = await server.token({ patientUid })
    const rounds = createRoundsClient({ url: server.url, token })
    await rounds.addReadings([
      { patientUid, readingType, value: sent, unit, timestamp: from + 1_000 } as Reading,
    ])
    await rounds.targets.set({ patientUid, readingType, fields: { value: bounds }, unit: targetUnit })
    const { data } = await rounds.reports.timeInTarget({ patientUid, readingType, from, to })
    const { readings } = data.fields['value'] ?? assert.fail()
    assert.deepEqual(
      readings,
      { below: 0, in: 0, above: 0, [place]: 1 },
      `${readingType} ${sent} ${unit} against ${JSON.stringify(bounds)} ${targetUnit}`,
    )
  }
})

test('a reading is judged field by field, and what has no number or no range is not', () => {
  const judged = (reading: object, fields: Target['fields']) =>
    judgedFields({ readingType: 'bloodPressure', ...reading }, PRESSURE, pressureRanges(fields))
  const words = (reading: object, fields: Target['fields'], whose?: string) => {
    const found = judged(reading, fields)
    return found && placeText(found, whose)
  }
  const upTo = { systolic: { high: 135 }, diastolic: { high: 85 } }
  assert.equal(words({ systolic: 135, diastolic: 85 }, upTo), 'in target')
  assert.equal(words({ systolic: 136, diastolic: 84 }, upTo), '▲ systolic above target')
  assert.equal(words({ systolic: 150, diastolic: 95 }, upTo), '▲ above target')
  assert.equal(
    words({ systolic: 150, diastolic: 95 }, upTo, 'the target of Dr Sample'),
    '▲ above the target of Dr Sample',
  )
  const pulse = { pulse: { low: 50, high: 90 } }
  // What is shown in large is the pressure; a pulse has a unit of its own.
  assert.equal(words({ systolic: 140, diastolic: 50, pulse: 44 }, pulse), '▼ pulse below target')
  assert.equal(pressureRanges(pulse)[0]?.unit, '/min')
  assert.equal(words({ systolic: 140, diastolic: 50 }, pulse), undefined)
  assert.equal(words({ systolic: 140, diastolic: 50, unit: 'kPa' }, upTo), undefined)
  // An act limit is no range.
  assert.equal(words({ systolic: 240, diastolic: 50 }, { systolic: { actAbove: 180 } }), undefined)
  assert.deepEqual(
    judged({ systolic: 162, diastolic: 84 }, upTo)?.map(({ beyond }) => beyond),
    [0.2, 0],
  )
})

test('a target is said as people say it, in the unit of the readings and as it was set', () => {
  const glucose = value('mg/dL', { low: 70, high: 180 })
  assert.equal(rangesTextIn(glucose, 'mmol/L'), '3.9–10 mmol/L (70–180 mg/dL)')
  assert.equal(rangesTextIn(glucose, 'mg/dL'), '70–180 mg/dL')
  assert.deepEqual(boundsIn(glucose[0] ?? assert.fail(), 'mmol/L').high, 10)
  const upTo = { systolic: { high: 135 }, diastolic: { high: 85 } }
  assert.equal(
    rangesText(pressureRanges({ pulse: { low: 50 }, ...upTo })),
    'at most 135/85 mmHg, pulse at least 50 /min',
  )
  assert.equal(
    rangesText(pressureRanges({ ...upTo, systolic: { low: 110, high: 130 } })),
    'systolic 110–130 mmHg, diastolic at most 85 mmHg',
  )
  assert.equal(rangesText(value('min', { low: 420, high: 540 })), '7 h 0 min to 9 h 0 min')
  const limits = (fields: Target['fields'], expectEvery: string | null) =>
    limitsTexts({ fields, unit: 'mm[Hg]', expectEvery }, PRESSURE)
  assert.deepEqual(
    limits({ systolic: { high: 135, actBelow: 90, actAbove: 180 }, diastolic: { actBelow: null } }, 'P5D'),
    [
      'Needs somebody now: systolic below 90 or above 180 mmHg; none on purpose: diastolic below; not said: diastolic above',
      'A value is expected every 5 days: too rare to be judged',
    ],
  )
  assert.deepEqual(limits({ systolic: { high: 135 } }, null), [
    'Needs somebody now: not said',
    'No value is expected',
  ])
  const goals = { low: 70, farLow: 54, goals: { inRange: 0.7, below: 0.07, farBelow: 0.01 } }
  assert.equal(
    limitsTexts({ fields: { value: goals }, unit: 'mg/dL', expectEvery: 'P1D' }, entryOf('bloodGlucose'))[1],
    'Goals: at least 70% in range, at most 7% below 70, at most 1% below 54 mg/dL',
  )
})

test('the author of a target is named, to doctors not the account of a patient', () => {
  const set = (author: Target['author'], setBy: string) => ({
    author,
    setBy,
    patientUid: 'patient-1',
    setAt: '2026-11-16T12:00:00Z',
  })
  const own = set({ kind: 'patient', name: 'patient-1' }, 'ada-example')
  const doctors = set({ kind: 'doctor', doctorId: 'dr-1', name: 'Dr Willow Sample' }, 'willow')
  const nameOfDoctor = () => ({ name: 'Dr of the directory' })
  const patient = { subject: 'ada-example', patientUids: ['patient-1'], nameOfDoctor }
  const doctor = { subject: 'willow', doctorId: 'dr-1', patientUids: [], nameOfDoctor }
  assert.deepEqual(
    [own, doctors].flatMap((target) => [patient, doctor].map((reader) => whoseText(target, reader))),
    ['your target', 'the target of the patient or a carer', 'the target of Dr Willow Sample', 'your target'],
  )
  const nameless = set({ kind: 'doctor', doctorId: 'dr-1', name: 'dr-1' }, 'willow')
  assert.equal(whoseText(nameless, patient), 'the target of Dr of the directory')
  const when = { zone: 'Europe/Berlin', now: Date.parse('2026-11-17T12:00:00Z') }
  assert.equal(setText(doctors, { ...patient, ...when }), 'set by Dr Willow Sample yesterday')
  assert.match(
    setTextOnPaper(own, { ...patient, ...when }),
    /^set by ada-example on (16 November|November 16,) 2026$/,
  )
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
  const against = (unit: string, bounds: { low: number; high: number }) => ({
    targets: value(unit, bounds),
    whose: 'your target',
    shape: shapeOf('interstitialGlucose', entryOf('interstitialGlucose')),
    unit,
  })
  const inMmol = against('mmol/L', { low: 3.9, high: 10 })
  // 70 and 180 mg/dL, which are in this target; then 69 and 182.
  assert.equal(targetWord(of({ value: [3.885_521, 9.991_341] }), inMmol), 'in your target')
  assert.equal(
    targetWord(of({ value: [3.830_014, 10.102_356] }), inMmol),
    '▲ in part above your target, ▼ in part below your target',
  )
  // What a conversion to mmol/L and back leaves of 56 and 80 mg/dL.
  const inMg = against('mg/dL', { low: 56, high: 80 })
  const converted = of({ value: [55.999_999_999_999_99, 80.000_000_000_000_01] })
  assert.equal(targetWord(converted, inMg), 'in your target')
  const ofPulse = {
    ...inMg,
    targets: pressureRanges({ pulse: { high: 90 } }),
    shape: shapeOf('bloodPressure', PRESSURE),
    unit: 'mm[Hg]',
  }
  const measured = { systolic: [180, 190], diastolic: [100, 110] } satisfies Record<string, [number, number]>
  assert.equal(targetWord(of(measured), ofPulse), undefined)
  assert.equal(targetWord(of({ ...measured, pulse: [80, 96] }), ofPulse), '▲ in part above your target')
})
