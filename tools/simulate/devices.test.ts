import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assert as always, constantFrom, integer, property } from 'fast-check'
import type { Reading } from '../../clients/typescript/src/client.ts'
import { CHECKED_TYPES, checkReadings } from '../../src/modules/casesheet/reading.ts'
import { measuredAtMs, readingsOfDay } from './devices.ts'
import { DAY_MS, HOUR_MS, illnessOf, simulatedPatient } from './patient.ts'

const JANUARY = Date.parse('2026-01-01') / DAY_MS
const seeds = integer({ min: 0, max: 2 ** 32 - 1 })
const numbers = integer({ min: 1, max: 1_000_000 })
const dates = integer({ min: 1_200, max: 40_000 })

const daysFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)
const readingsOf = (seed: number, number: number, count: number) => {
  const patient = simulatedPatient(seed, number)
  return daysFrom(JANUARY, count).flatMap((day) => readingsOfDay(patient, day))
}
const hourOf = (reading: Reading) => (measuredAtMs(reading) % DAY_MS) / HOUR_MS
const ofType = (readings: Reading[], type: string) =>
  readings.filter(({ readingType }) => readingType === type)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('the same seed, patient and date give the very same readings, whatever was generated before', () => {
  always(
    property(seeds, numbers, dates, (seed, number, day) => {
      const once = readingsOfDay(simulatedPatient(seed, number), day)
      const patient = simulatedPatient(seed, number)
      readingsOfDay(patient, day + 1)
      assert.deepEqual(readingsOfDay(patient, day), once)
    }),
  )
})

test('a seed means the same readings in every version', () => {
  const text = JSON.stringify(readingsOf(7, 1, 30))
  assert.equal(
    createHash('sha256').update(text).digest('hex'),
    'c175120f5aaf71021b727cccc037999324f81bfda0bbb93de51ce2ee28ed9299',
  )
})

test('another seed, patient or date gives other readings', () => {
  const valuesOf = (seed: number, number: number, day: number) =>
    JSON.stringify(readingsOfDay(simulatedPatient(seed, number), day).map(({ value }) => value))
  const all = [valuesOf(7, 1, 20_454), valuesOf(8, 1, 20_454), valuesOf(7, 2, 20_454), valuesOf(7, 1, 20_455)]
  assert.equal(new Set(all).size, 4)
})

test('readings are of their day, in order, as the service accepts them, and no two share type and timestamp', () => {
  always(
    property(seeds, numbers, dates, (seed, number, day) => {
      const readings = readingsOfDay(simulatedPatient(seed, number), day)
      if (readings.length > 0) assert.equal(checkReadings(readings), undefined)
      const times = readings.map(measuredAtMs)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
      assert.ok(times.every((time) => Math.floor(time / DAY_MS) === day))
      assert.equal(
        new Set(readings.map(({ readingType, timestamp }) => `${readingType} ${timestamp}`)).size,
        times.length,
      )
    }),
  )
})

/** What a healthy or feverish adult may show, by unit. */
const PLAUSIBLE: Record<string, Record<string, [number, number]>> = {
  'heartRate value': { '/min': [30, 180] },
  'bloodPressure systolic': { 'mm[Hg]': [80, 180] },
  'bloodPressure diastolic': { 'mm[Hg]': [45, 120] },
  'bloodPressure pulse': { 'mm[Hg]': [35, 120] },
  'bloodGlucose value': { 'mmol/L': [3, 16], 'mg/dL': [54, 288] },
  'bodyWeight value': { kg: [40, 120], '[lb_av]': [90, 265] },
  'bodyTemperature value': { Cel: [35.5, 40.5], '[degF]': [95.9, 104.9] },
}

test('every value is plausible, in a unit of the catalogue', () => {
  always(
    property(seeds, numbers, dates, (seed, number, day) => {
      for (const reading of readingsOfDay(simulatedPatient(seed, number), day)) {
        if (reading.readingType === 'symptom') continue
        for (const field of ['value', 'systolic', 'diastolic', 'pulse']) {
          const value = reading[field]
          if (value === undefined) continue
          const [least, most] = PLAUSIBLE[`${reading.readingType} ${field}`]?.[String(reading['unit'])] ?? []
          assert.ok(Number(value) >= Number(least) && Number(value) <= Number(most), JSON.stringify(reading))
        }
        if (reading.readingType === 'bloodPressure')
          assert.ok(Number(reading['diastolic']) < Number(reading['systolic']))
      }
    }),
    { numRuns: 500 },
  )
})

test('a month holds every kind of reading, and both units where there are two', () => {
  const readings = daysFrom(1, 20).flatMap((number) => readingsOf(7, number, 30))
  const kinds = new Set(readings.map(({ readingType, unit = '' }) => `${readingType} ${String(unit)}`.trim()))
  assert.deepEqual([...kinds].toSorted(), [
    'bloodGlucose mg/dL',
    'bloodGlucose mmol/L',
    'bloodPressure mm[Hg]',
    'bodyTemperature Cel',
    'bodyTemperature [degF]',
    'bodyWeight [lb_av]',
    'bodyWeight kg',
    'heartRate /min',
    'symptom',
  ])
  assert.ok(ofType(readings, 'bodyWeight').every(({ timestamp }) => timestamp < 100_000_000_000))
  // So the test above, of what the service accepts, is about the catalogue's limits.
  assert.ok(readings.every(({ readingType }) => CHECKED_TYPES.has(readingType)))
})

test('each reading says which device took it, the same one every day, and the diary that it was typed in', () => {
  const readings = [1, 2].flatMap((number) => readingsOf(7, number, 10))
  const sources = new Set(
    readings.map(({ patientUid, readingType, source }) => JSON.stringify([patientUid, readingType, source])),
  )
  const kindsOf = (type: string) => new Set(ofType(readings, type).map(({ source }) => source?.kind))
  assert.deepEqual([...kindsOf('symptom')], ['manual'])
  assert.deepEqual([...kindsOf('bloodPressure')], ['device'])
  const types = new Set(readings.map(({ patientUid, readingType }) => `${patientUid} ${readingType}`))
  assert.equal(sources.size, types.size)
  const serials = new Set(ofType(readings, 'heartRate').map(({ source }) => source?.device?.serial))
  assert.deepEqual([...serials], ['WR-0001', 'WR-0002'])
})

test('the rhythm of the day shows: hearts are slower at night, and glucose is lower before breakfast', () => {
  always(
    property(seeds, constantFrom(1, 2, 3), (seed, number) => {
      const readings = readingsOf(seed, number, 14)
      const valuesAt = (type: string, from: number, to: number) =>
        ofType(readings, type)
          .filter((reading) => hourOf(reading) >= from && hourOf(reading) < to)
          .map(({ value }) => Number(value))
      assert.ok(mean(valuesAt('heartRate', 1, 5)) + 8 < mean(valuesAt('heartRate', 10, 20)))
      assert.ok(mean(valuesAt('bloodGlucose', 5, 9)) < mean(valuesAt('bloodGlucose', 9, 22)))
    }),
  )
})

test('on some days the wristband is silent for hours', () => {
  const hours = daysFrom(JANUARY, 60).map((day) =>
    [0, ...ofType(readingsOfDay(simulatedPatient(7, 1), day), 'heartRate').map(hourOf), 24].reduce(
      ({ longest, last }, hour) => ({ longest: Math.max(longest, hour - last), last: hour }),
      { longest: 0, last: 0 },
    ),
  )
  const silent = hours.filter(({ longest }) => longest > 2).length
  assert.ok(silent >= 2 && silent <= 20, `${silent} of 60 days`)
})

test('a fever shows in the temperature, and in the diary', () => {
  const patient = simulatedPatient(7, 1)
  const worst =
    daysFrom(JANUARY, 365).toSorted((a, b) => illnessOf(patient, b) - illnessOf(patient, a))[0] ?? 0
  const readings = readingsOfDay(patient, worst)
  const fahrenheit = patient.temperatureUnit === '[degF]'
  assert.ok(
    ofType(readings, 'bodyTemperature').every(({ value }) => Number(value) > (fahrenheit ? 100 : 37.8)),
  )
  assert.ok(ofType(readings, 'bodyTemperature').length > 1)
})
