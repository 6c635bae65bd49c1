// The readings of `rounds dev --demo`: what a screen has to show is among them, and the service accepts each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reading } from '../../clients/typescript/src/client.ts'
import { checkReadings } from '../../src/modules/casesheet/reading.ts'
import { demoReadings } from './demo-readings.ts'
import { measuredAtMs } from './devices.ts'
import { DAY_MS, HOUR_MS } from './patient.ts'

const now = Date.parse('2026-11-15T16:40:00Z')
const { readings, mistaken } = demoReadings({ seed: 16, now, localMs: HOUR_MS })
const of = (patientUid: string, readingType: string) =>
  readings.filter((reading) => reading.patientUid === patientUid && reading.readingType === readingType)
const daysAgo = (reading: Reading) => (now - measuredAtMs(reading)) / DAY_MS
const newest = (list: Reading[]) => list.toSorted((a, b) => measuredAtMs(a) - measuredAtMs(b)).at(-1)
const valueOf = (reading: Reading | undefined) => Number(reading?.['value'] ?? reading?.['systolic'])

test('the service accepts each of them, and no two are the same', () => {
  for (let from = 0; from < readings.length; from += 1_000)
    assert.equal(checkReadings(readings.slice(from, from + 1_000)), undefined)
  assert.equal(new Set(readings.map((reading) => JSON.stringify(reading))).size, readings.length)
})

test('the same time and seed give the very same readings, another seed others', () => {
  assert.deepEqual(demoReadings({ seed: 16, now, localMs: HOUR_MS }), { readings, mistaken })
  assert.notDeepEqual(demoReadings({ seed: 17, now, localMs: HOUR_MS }).readings, readings)
})

test('there are three months of several types for each patient', () => {
  const types = (uid: string) =>
    new Set(readings.filter((one) => one.patientUid === uid).map((one) => one.readingType))
  assert.ok(types('patient-1').size >= 8)
  for (const child of ['child-1', 'child-2']) assert.ok(types(child).size >= 5, child)
  assert.ok(of('child-1', 'interstitialGlucose').length > 12_000)
  assert.ok(readings.every((reading) => daysAgo(reading) < 93))
})

test('one is dated ahead of now, one type ended weeks ago, some values are very unusual, and days are missing', () => {
  assert.equal(readings.filter((reading) => daysAgo(reading) < 0).length, 1)
  const saturations = of('patient-1', 'oxygenSaturation')
  assert.ok(saturations.length > 40 && saturations.every((reading) => daysAgo(reading) > 34))
  assert.ok(saturations.some((reading) => valueOf(reading) < 70))
  assert.ok(valueOf(newest(of('child-1', 'interstitialGlucose'))) > 22.2)
  const pulses = of('patient-1', 'heartRate').map(daysAgo)
  assert.ok(pulses.some((days) => days > 42) && pulses.some((days) => days < 38))
  assert.ok(!pulses.some((days) => days > 38.5 && days < 41))
  assert.ok(readings.includes(mistaken) && valueOf(mistaken) > 150)
})

test('a report finds one low night, blood pressure that rises in the mornings, and a patient who is silent', () => {
  const hourOf = (reading: Reading) => ((measuredAtMs(reading) + HOUR_MS) % DAY_MS) / HOUR_MS
  const sensor = of('child-1', 'interstitialGlucose')
  const twoWeeks = sensor.filter((reading) => daysAgo(reading) < 14)
  assert.ok(twoWeeks.length > 0.95 * 14 * 288 && twoWeeks.length < 14 * 288, `${twoWeeks.length} of 4,032`)
  const low = sensor.filter((reading) => valueOf(reading) < 3.9)
  assert.ok(low.every((reading) => hourOf(reading) > 2.4 && hourOf(reading) < 3.8))
  assert.equal(new Set(low.map((reading) => Math.floor(daysAgo(reading)))).size, 1)
  const veryLow = low.filter((reading) => valueOf(reading) >= 2.1 && valueOf(reading) <= 2.6)
  assert.ok(veryLow.length >= 8, `${veryLow.length} times five minutes`)

  const systolic = (from: number, to: number, isMorning: boolean) => {
    const values = of('patient-1', 'bloodPressure')
      .filter((reading) => daysAgo(reading) >= from && daysAgo(reading) < to)
      .filter((reading) => hourOf(reading) < 12 === isMorning)
      .map((reading) => Number(reading['systolic']))
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  assert.ok(systolic(0, 7, true) > systolic(30, 60, true) + 12)
  assert.ok(systolic(7, 14, true) > systolic(14, 21, true))
  assert.ok(Math.abs(systolic(0, 7, false) - systolic(30, 60, false)) < 6)

  const silent = Math.min(...readings.filter(({ patientUid }) => patientUid === 'child-2').map(daysAgo))
  assert.ok(silent >= 6 && silent < 7, `${silent} days`)
})

// The list's own rules are tested in src/modules/care: this holds the stories to the published bounds, at any hour.
const HOURS = [0, 5, 11, 17, 23.75]
for (const hour of HOURS) {
  test(`at ${hour} o'clock each patient of the doctor has their own story`, () => {
    const at = Date.parse('2026-11-15T00:01:00Z') + hour * HOUR_MS
    const taken = Map.groupBy(
      demoReadings({ seed: 16, now: at, localMs: 0 }).readings,
      ({ patientUid }) => patientUid,
    )
    const story = (patientUid: string) => {
      const list = (taken.get(patientUid) ?? []).filter(
        (reading) =>
          reading.readingType !== 'bodyWeight' && valueOf(reading) > 0 && measuredAtMs(reading) <= at,
      )
      const days = (reading: Reading) => Math.floor(at / DAY_MS) - Math.floor(measuredAtMs(reading) / DAY_MS)
      const recent = list.filter((reading) => days(reading) <= 14)
      const before = list.filter((reading) => days(reading) > 14 && days(reading) <= 28)
      const last = newest(list)
      assert.ok(last)
      return {
        newest: valueOf(last),
        newestDaysAgo: Math.floor((at - measuredAtMs(last)) / DAY_MS),
        share: percentIn(recent),
        before: percentIn(before),
        low: (100 * recent.filter(isLow).length) / recent.length,
        isBeyond: recent.some(isBeyond),
        count: list.length,
      }
    }
    const crisis = story('patient-2')
    assert.deepEqual([crisis.newest, crisis.newestDaysAgo, crisis.before], [224, 0, 100])
    const lows = story('patient-3')
    assert.ok(lows.low > 23 && lows.low < 27 && lows.share > 72 && !lows.isBeyond, `${lows.low} % low`)
    const goal = story('patient-4')
    assert.ok(goal.share > 50 && goal.share < 67 && !goal.isBeyond, `${goal.share} %`)
    const worse = story('patient-5')
    assert.ok(worse.before - worse.share > 11 && worse.share > 76 && !worse.isBeyond, `${worse.share} %`)
    assert.deepEqual([story('patient-6').newestDaysAgo, story('patient-6').share], [6, 100])
    for (const uid of ['patient-7', 'patient-8', 'patient-12']) assert.equal(story(uid).share, 100, uid)
    const pains = (taken.get('patient-8') ?? []).filter(({ readingType }) => readingType === 'symptom')
    const others = [...taken.values()].flat().filter((reading) => !pains.includes(reading))
    assert.ok(!others.some((reading) => JSON.stringify(reading).includes('SEVERE')))
    assert.deepEqual(
      pains.map((reading) => [reading['symptoms'], Math.floor((at - measuredAtMs(reading)) / HOUR_MS)]),
      [[[{ symptom: 'crushing chest pain', severity: 'SEVERE' }], 0]],
    )
    const good = story('patient-9')
    assert.ok(good.share > 85 && !good.isBeyond && good.before - good.share < 7, `${good.share} %`)
    const known = story('patient-10')
    assert.ok(known.share < 10 && !known.isBeyond, `${known.share} %`)
    assert.equal(story('patient-11').newestDaysAgo, 3)
    const few = story('patient-13').count
    assert.ok(few > 0 && few < 6, `${few} values`)
  })
}

/** Of the consensus on time in range, and of the ESH. */
function isInTarget(reading: Reading): boolean {
  if (reading.readingType === 'bloodPressure')
    return Number(reading['systolic']) < 135 && Number(reading['diastolic']) < 85
  const factor = reading['unit'] === 'mg/dL' ? 18 : 1
  return valueOf(reading) >= 3.9 * factor && valueOf(reading) <= 10 * factor
}

const isLow = (reading: Reading) => valueOf(reading) < 3.9 * (reading['unit'] === 'mg/dL' ? 18 : 1)

/** Of the consensus, and of the severest grade of the ESH. */
function isBeyond(reading: Reading): boolean {
  if (reading.readingType === 'bloodPressure')
    return Number(reading['systolic']) > 180 || Number(reading['diastolic']) > 110
  const factor = reading['unit'] === 'mg/dL' ? 18 : 1
  return valueOf(reading) < 3 * factor || valueOf(reading) > 13.9 * factor
}

const percentIn = (list: Reading[]) => (100 * list.filter(isInTarget).length) / list.length

test('people sleep at night, by the clock of their own zone', () => {
  const early = (localMs: number) =>
    demoReadings({ seed: 16, now, localMs })
      .readings.filter(
        ({ patientUid, readingType }) => patientUid !== 'patient-8' && readingType === 'symptom',
      )
      .filter((reading) => new Date(measuredAtMs(reading) + localMs).getUTCHours() < 18)
  for (const localMs of [0, -8 * HOUR_MS, 9.5 * HOUR_MS]) assert.deepEqual(early(localMs), [])
})
