import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JudgedTarget, Judging, type TypedReading } from './judge-readings.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 19, 12)
const TODAY = Math.floor(NOON / DAY)

const PRESSURE: JudgedTarget = {
  targetId: 'pressure',
  unit: 'mm[Hg]',
  isSensor: false,
  ownUnits: { pulse: '/min' },
  fields: [
    { name: 'systolic', high: 135, actBelow: 90, actAbove: 180 },
    { name: 'diastolic', high: 85, actBelow: null, actAbove: 110 },
  ],
}

type Sent = Partial<TypedReading> & { details: TypedReading['details'] }
function judge(targets: JudgedTarget[], sent: Sent[]) {
  const judging = new Judging(targets)
  for (const [nth, reading] of sent.entries()) {
    const { measuredAt = NOON, receivedAt = measuredAt } = reading
    judging.take({ readingId: `reading-${nth}`, unit: null, ...reading, measuredAt, receivedAt })
  }
  return judging.finish()
}
const pressure = (systolic: number, diastolic: number, more: Partial<TypedReading> = {}): Sent => ({
  details: { systolic, diastolic },
  ...more,
})

test('each field of a target has its sums, on the UTC day of the reading', () => {
  const { days, dataDays } = judge(
    [PRESSURE],
    [pressure(140, 80), pressure(130, 90, { measuredAt: NOON - DAY })],
  )
  assert.deepEqual(
    days.map(({ targetId, day, fields }) => [
      targetId,
      day - TODAY,
      fields.map((sums) => [sums?.above, sums?.inRange]),
    ]),
    [
      [
        'pressure',
        0,
        [
          [1, 0],
          [0, 1],
        ],
      ],
      [
        'pressure',
        -1,
        [
          [0, 1],
          [1, 0],
        ],
      ],
    ],
  )
  assert.deepEqual(
    dataDays.map((day) => day - TODAY).sort((a, b) => a - b),
    [-1, 0],
  )
})

test('a reading of either number beyond its act limit is evidence, and none at a limit', () => {
  const { evidence } = judge(
    [PRESSURE],
    [pressure(180, 110), pressure(224, 70), pressure(120, 111), pressure(89, 50)],
  )
  assert.deepEqual(
    evidence.map(({ readingId, kind, field, value }) => [readingId, kind, field, value]),
    [
      ['reading-1', 'value', 'systolic', 224],
      ['reading-2', 'value', 'diastolic', 111],
      ['reading-3', 'value', 'systolic', 89],
    ],
  )
})

test('a reading with an impossible time counts at its arrival and is evidence, one from a fast clock when it arrived', () => {
  const { evidence, dataDays } = judge(
    [PRESSURE],
    [
      pressure(230, 130, { measuredAt: NOON + 30 * HOUR, receivedAt: NOON }),
      pressure(120, 70, { measuredAt: NOON + 13 * HOUR, receivedAt: NOON }),
    ],
  )
  assert.deepEqual(dataDays, [TODAY])
  assert.deepEqual(
    evidence.map(({ readingId, kind }) => `${readingId} ${kind}`).sort((a, b) => (a < b ? -1 : 1)),
    ['reading-0 clock', 'reading-0 value', 'reading-0 value'],
  )
})

test('symptoms are evidence unless they are mild, whatever word their severity is; one that was sent twice is one', () => {
  const symptom = (text: string, severity: string, receivedAt: number): Sent => ({
    details: {
      symptoms: [
        { symptom: 'cough', severity: 'MILD' },
        { symptom: text, severity },
      ],
    },
    measuredAt: NOON,
    receivedAt,
  })
  const { evidence } = judge(
    [],
    [
      symptom('tired', 'MILD', NOON),
      symptom('chest pain', 'SEVERE', NOON + 2),
      symptom('chest pain', 'SEVERE', NOON + 1),
      symptom('dizzy', 'CRITICAL', NOON),
    ],
  )
  assert.deepEqual(
    evidence.map(({ readingId, severity }) => [readingId, severity]),
    [
      ['reading-3', 'CRITICAL'],
      ['reading-2', 'SEVERE'],
    ],
  )
})

test('values are judged in the unit of the target', () => {
  const sugar: JudgedTarget = {
    targetId: 'sugar',
    unit: 'mg/dL',
    isSensor: true,
    ownUnits: {},
    fields: [{ name: 'value', low: 70, high: 180, farLow: 54, farHigh: 250 }],
  }
  const { days } = judge(
    [sugar],
    [
      { unit: 'mmol/L', details: { value: 10 } },
      { unit: 'mg/dL', details: { value: 181 }, measuredAt: NOON + 5 * 60_000 },
    ],
  )
  const [sums] = days[0]?.fields ?? []
  assert.deepEqual([sums?.values, sums?.lowest, sums?.highest], [2, 180, 181])
  assert.ok(sums && sums.inRange > 0.08 && sums.above > 0.3)
})

test('of much evidence the worst and the last to arrive are kept', () => {
  const many = Array.from({ length: 400 }, (_, nth) =>
    pressure(181 + ((nth * 7) % 60), 70, { measuredAt: NOON + nth * 60_000 }),
  )
  const { evidence } = judge([PRESSURE], many)
  assert.ok(evidence.length <= 50)
  assert.ok(evidence.some(({ value }) => value === 240))
  assert.ok(evidence.some(({ readingId }) => readingId === 'reading-399'))
})

test('days that are closed as the readings go on are those that were closed at the end, for each of many targets', () => {
  const targets = [130, 135, 140].map(
    (high): JudgedTarget => ({
      ...PRESSURE,
      targetId: `up to ${high}`,
      fields: [{ name: 'systolic', high }],
    }),
  )
  const sent = Array.from({ length: 200 }, (_, nth): TypedReading => {
    const measuredAt = NOON + nth * 3 * HOUR
    // Clocks that are ahead by up to a day: these count on the day before.
    const receivedAt = measuredAt - (nth % 4) * 8 * HOUR
    return { ...pressure(125 + (nth % 20), 80), readingId: `${nth}`, unit: null, measuredAt, receivedAt }
  })
  const [whole, closed] = [new Judging(targets), new Judging(targets)]
  for (const reading of sent) {
    whole.take(reading)
    closed.take(reading)
    closed.closeBefore(reading.measuredAt)
  }
  const daysOf = (judging: Judging) =>
    judging.finish().days.toSorted((a, b) => a.day - b.day || (a.targetId < b.targetId ? -1 : 1))
  const days = daysOf(whole)
  assert.equal(days.length, 3 * new Set(days.map(({ day }) => day)).size)
  assert.deepEqual(daysOf(closed), days)
})
