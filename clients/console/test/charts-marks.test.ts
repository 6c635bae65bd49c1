// What the charts draw: how much is asked for, units, gaps, pairs, symptoms, and what it amounts to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../../src/modules/casesheet/catalogue/catalogue.ts'
import { conversionBetween, convert } from '../../../src/modules/casesheet/catalogue/units.ts'
import type { ReadingTypeEntry, StoredReading } from '../../typescript/src/contract.ts'
import { converted } from '../src/format/units.ts'
import { bucketFor, estimateCount, roomOf, withMargin } from '../src/screens/charts/level-of-detail.ts'
import { gapsBetween, marksOf, nearestMark } from '../src/screens/charts/marks.ts'
import { columnsOf, heightOf, lonelyIndexes } from '../src/screens/charts/plot-data.ts'
import { inOrder, type Series, timedReading, withChange } from '../src/screens/charts/series.ts'
import { countedOnce, emptyBuckets, summarise } from '../src/screens/charts/summary.ts'
import { symptomRows } from '../src/screens/charts/symptoms.ts'
import { drawnFields, shapeOf } from '../src/screens/charts/type-shape.ts'
import { mergeBuckets } from '../src/statistics/load-statistics.ts'
import './words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-11-01T00:00:00Z')
const ALL = { fromMs: 0, toMs: 4e12 }

let made = 0
function reading(atMs: number, fields: Record<string, unknown>, readingType = 'bloodGlucose'): StoredReading {
  const instant = new Date(atMs).toISOString()
  return {
    patientUid: 'p',
    readingType,
    timestamp: atMs,
    readingId: String(made++).padStart(8, '0'),
    measuredAt: instant,
    receivedAt: instant,
    ...fields,
  }
}
const seriesOf = (...readings: StoredReading[]): Series => ({
  kind: 'readings',
  covers: ALL,
  readings: readings.map(timedReading),
})

/** An entry as `readings/types` has it, as far as charts look at it. */
function entryOf(readingType: string): ReadingTypeEntry {
  const { units, quantities } = CATALOGUE[readingType] ?? assert.fail(readingType)
  const numbers = Object.entries(quantities).map(([field, { unit }]) => ({
    field,
    ranges: (unit ? [unit] : units).map((name) => ({ unit: name })),
  }))
  return { readingType, units: [...units], numbers } as unknown as ReadingTypeEntry
}
const GLUCOSE = shapeOf('bloodGlucose', entryOf('bloodGlucose'))
const PRESSURE = shapeOf('bloodPressure', entryOf('bloodPressure'))

test('no more points are drawn than there is room for, whatever the range', () => {
  const lengths = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY }
  const rooms = [320, 768, 1_440].map(roomOf)
  assert.deepEqual(rooms, [120, 240, 400])
  for (const room of rooms) {
    for (let span = MINUTE; span < 9 * 365 * DAY; span *= 1.3) {
      const view = { fromMs: START, toMs: START + span }
      const bucket = bucketFor(view, room)
      const points = span / lengths[bucket]
      assert.ok(points <= room, `${points} of ${bucket} in ${room}`)
      assert.ok(bucket === 'hour' || points >= room / 24, `${points} of ${bucket} in ${room}`)
      // Buckets that are cut off at the ends are out of sight.
      assert.ok(START - withMargin(view, bucket).fromMs >= lengths[bucket])
    }
  }
  assert.equal(bucketFor({ fromMs: START, toMs: START + 366 * DAY }, 400), 'day')
  assert.equal(bucketFor({ fromMs: START, toMs: START + 366 * DAY }, 120), 'week')
})

test('readings in a part of a bucket are estimated by that part', () => {
  const buckets = [
    { startMs: 0, endMs: 100, count: 10 },
    { startMs: 100, endMs: 200, count: 40 },
  ]
  assert.equal(estimateCount(buckets, { fromMs: 50, toMs: 125 }), 15)
  assert.equal(estimateCount(buckets, { fromMs: 200, toMs: 300 }), 0)
})

test('units are converted exactly as the service does', () => {
  for (const { units } of Object.values(CATALOGUE)) {
    for (const from of units) {
      for (const to of units) {
        for (const value of [0, 0.1, 5.5, 36.6, 98.6, 120, 700]) {
          const expected = convert(value, conversionBetween(from, to))
          const actual = converted(value, from, to)
          assert.ok(Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected)), `${from} ${to}`)
        }
      }
    }
  }
  assert.equal(converted(90, 'mg/dL', 'mmol/L').toFixed(4), '4.9957')
  assert.equal(converted(37, 'Cel', '[degF]').toFixed(6), '98.600000')
})

test('a mark of a reading says where it comes from, if that is known', () => {
  const source = { kind: 'device', device: { name: 'Sensor 3', serial: '7' } }
  const series = seriesOf(
    reading(START, { value: 6, unit: 'mmol/L', source }),
    reading(START + 5 * MINUTE, { value: 6, unit: 'mmol/L' }),
  )
  const sources = marksOf(series, GLUCOSE, 'mmol/L').map((mark) => mark.source)
  assert.deepEqual(sources, ['Sensor 3, serial 7', undefined])
})

test('glucose of both units is drawn in one, and what was stored is kept', () => {
  const series = seriesOf(
    reading(START, { value: 6, unit: 'mmol/L' }),
    reading(START + 5 * MINUTE, { value: 110, unit: 'mg/dL' }),
    // Before units were required: the first is meant.
    reading(START + 10 * MINUTE, { value: 7 }),
    reading(START + 15 * MINUTE, { value: 7, unit: 'furlong' }),
    reading(START + 20 * MINUTE, { value: null, unit: 'mmol/L' }),
  )
  const inMmol = marksOf(series, GLUCOSE, 'mmol/L')
  assert.deepEqual(
    inMmol.map(({ values }) => values['value']?.mean.toFixed(3)),
    ['6.000', '6.106', '7.000'],
  )
  assert.deepEqual(
    inMmol.map(({ stored }) => stored),
    [undefined, { value: 110, unit: 'mg/dL' }, undefined],
  )
  const inMg = marksOf(series, GLUCOSE, 'mg/dL')
  assert.deepEqual(
    inMg.map(({ values }) => values['value']?.mean.toFixed(1)),
    ['108.1', '110.0', '126.1'],
  )
  assert.deepEqual([...summarise(inMg).convertedFrom], [['mmol/L', 2]])
})

test('a gap is what is longer than usual for these readings', () => {
  const every = (stepMs: number, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => from + index * stepMs)
  const gapsOf = (times: number[]) => gapsBetween(times).flatMap((isGap, index) => (isGap ? index : []))
  // A sensor: every five minutes, then nothing for an hour.
  assert.deepEqual(gapsOf([...every(5 * MINUTE, 30), ...every(5 * MINUTE, 30, 205 * MINUTE)]), [29])
  // One missed value is no gap.
  assert.deepEqual(gapsOf([0, 5, 10, 20, 25, 30, 35]), [])
  // Three readings in each morning: the day between is usual, a week is not.
  const mornings = [0, 1, 2, 3, 4, 12, 13, 14].flatMap((day) => every(MINUTE, 3, day * DAY))
  assert.deepEqual(gapsOf(mornings), [14])
  assert.deepEqual(gapsOf([0]), [])
  assert.deepEqual(gapsOf([0, 1_000 * DAY]), [])
  assert.deepEqual(gapsOf([5, 5, 5, 5]), [])
})

const bucket = (day: number, count: number, mean: number, spread = 1): Series & object =>
  ({
    startMs: START + day * DAY,
    endMs: START + (day + 1) * DAY,
    count,
    fields: count ? { value: { count, mean, min: mean - spread, max: mean + spread } } : {},
  }) as never
const statistics = (...buckets: object[]): Series =>
  ({ kind: 'statistics', covers: ALL, bucket: 'day', buckets, units: { value: 'mmol/L' } }) as never

test('an empty bucket interrupts the line, and a day alone between two gaps is a dot', () => {
  const series = statistics(
    bucket(0, 288, 6),
    bucket(1, 288, 7),
    bucket(2, 0, 0),
    bucket(3, 200, 8),
    bucket(4, 0, 0),
    bucket(5, 288, 6),
    bucket(6, 288, 6),
  )
  const sensor = shapeOf('interstitialGlucose', entryOf('interstitialGlucose'))
  const marks = marksOf(series, sensor, 'mmol/L')
  const [times, means] = columnsOf(marks, drawnFields(sensor))
  assert.deepEqual(means, [6, 7, null, 8, null, 6, 6])
  assert.deepEqual(lonelyIndexes(means ?? []), [3])
  assert.equal(times?.[0], (START + DAY / 2) / 1_000)
  assert.equal(emptyBuckets(series, ALL, START + 30 * DAY), 2)
  assert.equal(emptyBuckets(series, ALL, START + 3 * DAY), 1)
})

test('only readings of a sensor are joined by a line; fingersticks and what is measured now and then are dots', () => {
  const every = (stepMs: number, readingType: string) =>
    seriesOf(
      ...[1, 2, 3, 4].map((n) => reading(START + n * stepMs, { value: 5, unit: 'mmol/L' }, readingType)),
    )
  const isJoined = (series: Series, readingType: string) =>
    !marksOf(series, shapeOf(readingType, entryOf(readingType)), 'mmol/L').some(
      ({ isBeforeGap }) => isBeforeGap,
    )
  assert.equal(isJoined(every(5 * MINUTE, 'interstitialGlucose'), 'interstitialGlucose'), true)
  assert.equal(isJoined(every(HOUR, 'interstitialGlucose'), 'interstitialGlucose'), true)
  assert.equal(isJoined(every(6 * HOUR, 'interstitialGlucose'), 'interstitialGlucose'), false)
  assert.equal(isJoined(every(6 * HOUR, 'bloodGlucose'), 'bloodGlucose'), false)
  // However quickly one follows another.
  assert.equal(isJoined(every(5 * MINUTE, 'bloodGlucose'), 'bloodGlucose'), false)
  assert.equal(isJoined(statistics(bucket(0, 288, 6), bucket(1, 288, 7)), 'interstitialGlucose'), true)
  assert.equal(isJoined(statistics(bucket(0, 8, 6), bucket(1, 8, 7)), 'interstitialGlucose'), false)
  assert.equal(isJoined(statistics(bucket(0, 288, 6), bucket(1, 288, 7)), 'bloodGlucose'), false)
})

test('a mean of days is that of their readings, in either unit', () => {
  const marks = marksOf(statistics(bucket(0, 1, 4), bucket(1, 3, 8)), GLUCOSE, 'mg/dL')
  const { readings, fields } = summarise(marks)
  assert.equal(readings, 4)
  assert.equal(fields['value']?.mean.toFixed(4), (7 * 18.0156).toFixed(4))
  assert.equal(fields['value']?.min.toFixed(4), (3 * 18.0156).toFixed(4))
  assert.equal(fields['value']?.max.toFixed(4), (9 * 18.0156).toFixed(4))
})

test('parts of a bucket become one again', () => {
  const part = (count: number, mean: number) => ({
    startMs: 0,
    endMs: 10,
    count,
    fields: count ? { value: { count, mean, min: mean - 1, max: mean + 1 } } : {},
  })
  const [whole, ...others] = mergeBuckets([part(1, 10), part(0, 0), part(3, 20)])
  assert.deepEqual(others, [])
  assert.deepEqual(whole, {
    startMs: 0,
    endMs: 10,
    count: 4,
    fields: { value: { count: 4, mean: 17.5, min: 9, max: 21 } },
  })
})

test('blood pressure is a pair, and its pulse keeps its own unit', () => {
  assert.deepEqual(drawnFields(PRESSURE), ['systolic', 'diastolic'])
  const [mark] = marksOf(
    seriesOf(reading(START, { systolic: 128, diastolic: 82, pulse: 70 }, 'bloodPressure')),
    PRESSURE,
    'mm[Hg]',
  )
  assert.deepEqual(
    Object.entries(mark?.values ?? {}).map(([field, { mean }]) => `${field} ${mean}`),
    ['systolic 128', 'diastolic 82', 'pulse 70'],
  )
  assert.equal(PRESSURE.quantities.find(({ field }) => field === 'pulse')?.unit, '/min')
  assert.deepEqual(
    columnsOf(mark ? [mark] : [], drawnFields(PRESSURE)).map(([first]) => first),
    [START / 1_000, 128, 82],
  )
})

test('a type that is not in the catalogue is drawn by its numbers, with the unit that its readings name', () => {
  const series = seriesOf(
    reading(START, { kg: 1, level: 5, unit: 'cups', note: 'x' }, 'acme.cup'),
    reading(START + 1, { kg: 2, unit: 'cups' }, 'acme.cup'),
  )
  const shape = shapeOf('acme.cup', undefined, { series, field: 'level' })
  assert.deepEqual(
    shape.quantities.map(({ field, unit }) => [field, unit]),
    [
      ['level', 'cups'],
      ['kg', 'cups'],
    ],
  )
  assert.deepEqual(drawnFields(shape), ['level'])
  assert.equal(marksOf(series, shape, undefined).length, 2)
  assert.deepEqual(shapeOf('acme.none', undefined, { series: seriesOf() }).quantities, [])
})

test('symptoms are rows by name, those noted most often first, with their severity', () => {
  const noted = (atMs: number, ...symptoms: [string, string][]) =>
    reading(atMs, { symptoms: symptoms.map(([symptom, severity]) => ({ symptom, severity })) }, 'symptom')
  const series = seriesOf(
    noted(START, ['Nausea', 'SEVERE'], ['Headache', 'MILD']),
    noted(START + HOUR, ['headache ', 'VERY_SEVERE']),
    reading(START + 2 * HOUR, { symptoms: 'none' }, 'symptom'),
    noted(START + DAY, ['Cough', 'MILD']),
  )
  const rows = symptomRows(series, { fromMs: START, toMs: START + DAY })
  assert.deepEqual(
    rows.map(({ name, marks }) => [name, ...marks.map(({ severity, label }) => `${severity}: ${label}`)]),
    [
      ['Headache', 'mild: mild', 'other: very severe'],
      ['Nausea', 'severe: severe'],
    ],
  )
})

test('the pointer finds the mark next to it, or none where nothing is near', () => {
  const marks = marksOf(
    seriesOf(...[0, 10, 20].map((at) => reading(START + at * MINUTE, { value: 5, unit: 'mmol/L' }))),
    GLUCOSE,
    'mmol/L',
  )
  assert.equal(nearestMark(marks, START + 9 * MINUTE, 2 * MINUTE)?.atMs, START + 10 * MINUTE)
  assert.equal(nearestMark(marks, START + 5 * MINUTE, 2 * MINUTE), undefined)
  assert.equal(nearestMark(marks, START - DAY, MINUTE), undefined)
  assert.equal(nearestMark(marks, START + DAY, DAY)?.atMs, START + 20 * MINUTE)
  assert.equal(nearestMark([], START, DAY), undefined)
  // Anywhere in a bucket is on it.
  const days = marksOf(statistics(bucket(0, 5, 6)), GLUCOSE, 'mmol/L')
  assert.equal(nearestMark(days, START + MINUTE, MINUTE)?.count, 5)
})

test('a reading that arrives takes its place in time, once, and a withdrawn one goes', () => {
  const [first, second] = [reading(START, { value: 1 }), reading(START + 10, { value: 2 })]
  const late = reading(START + 5, { value: 3 })
  const readings = inOrder([second, first].map(timedReading))
  const with3 = withChange(withChange(readings, late, true), late, true)
  assert.deepEqual(
    with3.map((timed) => timed.reading['value']),
    [1, 3, 2],
  )
  assert.equal(withChange(with3, late, false).length, 2)
})

test('the height has room for all that is drawn, begins at a round number and not below zero', () => {
  const height = (...values: number[]) =>
    heightOf(
      marksOf(
        seriesOf(...values.map((value, index) => reading(START + index, { value, unit: 'mmol/L' }))),
        GLUCOSE,
        'mmol/L',
      ),
      ['value'],
    )
  assert.deepEqual(height(4.2, 11.3), [4, 12])
  assert.deepEqual(height(0.1, 0.4), [0, 0.5])
  const [least = 0, most = 0] = height(5, 5) ?? []
  assert.ok(least < 5 && most > 5)
  assert.equal(height(), undefined)
})

test('what was sent twice counts once in what a chart amounts to, as in the report of the same days', () => {
  const once = { value: 100, unit: 'mg/dL' }
  const sent = seriesOf(
    reading(START, once),
    // In seconds, by another version of the app, and in the other unit.
    { ...reading(START, once), timestamp: START / 1_000 },
    reading(START + 400, { value: 100 / 18.0156, unit: 'mmol/L' }),
    // Another second, and another value in the same one.
    reading(START + 1_000, once),
    reading(START, { value: 101, unit: 'mg/dL' }),
  )
  const marks = marksOf(sent, GLUCOSE, 'mg/dL')
  assert.equal(marks.length, 5)
  assert.equal(summarise(countedOnce(marks, drawnFields(GLUCOSE))).readings, 3)
  const pairs = [120, 120, 121].map((systolic) =>
    reading(START, { systolic, diastolic: 80 }, 'bloodPressure'),
  )
  const ofPairs = marksOf(seriesOf(...pairs), PRESSURE, undefined)
  assert.equal(countedOnce(ofPairs, drawnFields(PRESSURE)).length, 2)
})
