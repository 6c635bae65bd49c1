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
import { placeText, rangesText, rangesTextIn, setText } from '../src/care/target-text.ts'
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
  assert.equal(setText(first ? [first, later] : [], options), 'set by Dr Willow Sample yesterday')
})
