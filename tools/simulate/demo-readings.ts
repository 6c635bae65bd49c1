// Three months of readings of three invented patients, for `rounds dev --demo`: an adult with a cuff, a glucometer and a scale, a
// child with a glucose sensor, and a child with asthma. They follow from the seed and the time alone. Beside what the simulator's
// devices take there is one of each thing that a screen has to show: days without readings, very unusual values, a type
// that ended weeks ago, a reading of a year ahead, and one that was entered in error. And there is what a report should
// find: the adult's blood pressure has been rising in the mornings, one child's glucose was low in one night, and nothing has come
// from the other child for six days. The further patients of a doctor are in demo-patients.ts.
import type { Reading } from '../../clients/typescript/src/client.ts'
import type { DemoPatient, Extra } from './demo-patient.ts'
import { patientsOfDoctor } from './demo-patients.ts'
import { measuredAtMs, readingsOfDay, sourceOf } from './devices.ts'
import { glucoseOfDay, lowAtNight, sensorReadings } from './glucose-sensor.ts'
import { DAY_MS, HOUR_MS, simulatedPatient } from './patient.ts'
import { createRandom } from './random.ts'

const DAYS = 92
const MINUTE_MS = 60_000

type Demo = {
  /** In order of time, up to now, but for one that is dated a year ahead. */
  readings: Reading[]
  /** One of them, to be withdrawn. */
  mistaken: Reading
}

/** `localMs`: how far local time is ahead of UTC, so that people sleep at night. */
export function demoReadings({ seed, now, localMs }: { seed: number; now: number; localMs: number }): Demo {
  const today = Math.floor((now + localMs) / DAY_MS)
  const patients = [adult(seed), childWithSensor(seed), childWithAsthma(seed), ...patientsOfDoctor(seed)]
  const taken = patients.flatMap(({ patient, days = DAYS, silentMs = 0, ...devices }) =>
    Array.from({ length: days }, (_, index) => days - 1 - index)
      .filter((daysAgo) => !devices.silentDaysAgo?.includes(daysAgo))
      .flatMap((daysAgo) => {
        const day = today - daysAgo
        const random = createRandom(seed, patient.number, EXTRAS, day)
        const at = (hour: number) => day * DAY_MS + Math.round(hour * 60) * MINUTE_MS
        const hoursAgo = (hour: number) => (now + localMs - at(hour)) / HOUR_MS
        const ofDevices = readingsOfDay(patient, day)
          .filter(({ readingType }) => devices.has(readingType))
          .map((reading) => devices.change?.(reading, daysAgo) ?? reading)
          .map((reading) => withoutAlarm(reading, daysAgo))
        return [...ofDevices, ...devices.extras.flatMap((extra) => extra({ daysAgo, random, at, hoursAgo }))]
      })
      .filter((reading) => measuredAtMs(reading) <= now + localMs - silentMs),
  )
  const mistaken = shifted(
    { ...WEIGHT, value: 157.6, unit: 'kg', timestamp: ((today - 6) * DAY_MS + 7.2 * HOUR_MS) / 1_000 },
    localMs,
  )
  const ahead = { ...WRONG_CLOCK, timestamp: roundedTo(MINUTE_MS, now + 365 * DAY_MS) }
  const readings = taken
    .map((reading) => shifted(forScreens(reading), localMs))
    .concat(mistaken, ahead)
    .toSorted((a, b) => measuredAtMs(a) - measuredAtMs(b))
  return { readings, mistaken }
}

/** Not one of the simulator's streams. */
const EXTRAS = 100

const ADULT = 'patient-1'
const CHILD_WITH_SENSOR = 'child-1'
const CHILD_WITH_ASTHMA = 'child-2'
const WEIGHT = { patientUid: ADULT, readingType: 'bodyWeight', source: { kind: 'manual' as const } }
/** Of one whose blood pressure is good. */
const WRONG_CLOCK = {
  patientUid: 'patient-7',
  readingType: 'bloodPressure',
  systolic: 124,
  diastolic: 78,
  unit: 'mm[Hg]',
  source: { kind: 'device' as const, device: { name: 'Demo cuff, its clock wrong' } },
}
/** In these days no random entry of a diary is a reason to look. Severe ones are at no time: all of them arrive now, and nobody has looked. */
const QUIET_DAYS = 15
/** For how many days the adult's blood pressure has been rising in the mornings, and how far by now. */
const RISING = { days: 24, systolic: 22, diastolic: 11 }
/** For how many days the glucose sensor has sent a value every five minutes; every fifteen before. */
const DENSE_DAYS = 28
/** When the child's glucose was low: how many days ago, and the hours of the night. */
const LOW_DAYS_AGO = 5
const LOW_NIGHT = { from: 2.75, to: 3.4, lowest: 2.1 }
const SILENT_MS = 6 * DAY_MS

function adult(seed: number): DemoPatient {
  const patient = {
    ...simulatedPatient(seed, 1),
    patientUid: ADULT,
    wakesAt: 6.5,
    sleepsAt: 22.5,
    restingHeartRate: 66,
    weightKg: 71.5,
    systolic: 132,
    diastolic: 84,
    fastingGlucose: 6.6,
    ...UNITS,
  }
  const oximeter: Extra = ({ daysAgo, random, at }) => {
    // It broke five weeks ago.
    if (daysAgo < 35) return []
    const value = daysAgo === 60 ? 68 : Math.round(random.around(97, 0.7))
    const fields = { readingType: 'oxygenSaturation', value: Math.min(100, value), unit: '%' }
    return [{ patientUid: ADULT, ...fields, source: sourceOf('oximeter', patient), timestamp: at(7.5) }]
  }
  const steps: Extra = ({ random, at }) => {
    const value = Math.round(random.around(6_200, 1_500))
    const fields = { readingType: 'stepCount', value, unit: '{steps}' }
    return [{ patientUid: ADULT, ...fields, source: sourceOf('wristband', patient), timestamp: at(21.9) }]
  }
  const lowFingerstick: Extra = ({ daysAgo, at }) => {
    if (daysAgo !== 12) return []
    const fields = { readingType: 'bloodGlucose', value: 2.1, unit: 'mmol/L' }
    return [{ patientUid: ADULT, ...fields, source: sourceOf('glucometer', patient), timestamp: at(3.2) }]
  }
  const dizzy: Extra = ({ daysAgo, at }) => {
    if (daysAgo !== 2) return []
    const fields = { readingType: 'symptom', symptoms: [{ symptom: 'dizziness', severity: 'MODERATE' }] }
    return [{ patientUid: ADULT, ...fields, source: sourceOf('diary', patient), timestamp: at(19.6) }]
  }
  return {
    patient,
    has: () => true,
    silentDaysAgo: [38, 39, 40, 41],
    extras: [oximeter, steps, lowFingerstick, dizzy],
    change: risingInTheMornings,
  }
}

function withoutAlarm(reading: Reading, daysAgo: number): Reading {
  if (reading.readingType !== 'symptom') return reading
  const symptoms = reading['symptoms'] as { symptom: string; severity: string }[]
  const calmed = ({ severity }: (typeof symptoms)[number]) =>
    severity === 'MILD' || daysAgo <= QUIET_DAYS ? 'MILD' : 'MODERATE'
  return { ...reading, symptoms: symptoms.map((each) => ({ ...each, severity: calmed(each) })) }
}

function risingInTheMornings(reading: Reading, daysAgo: number): Reading {
  const isMorning = (reading.timestamp % DAY_MS) / HOUR_MS < 12
  if (reading.readingType !== 'bloodPressure' || !isMorning || daysAgo >= RISING.days) return reading
  const share = 1 - daysAgo / RISING.days
  return {
    ...reading,
    systolic: Number(reading['systolic']) + Math.round(RISING.systolic * share),
    diastolic: Number(reading['diastolic']) + Math.round(RISING.diastolic * share),
  }
}

function childWithSensor(seed: number): DemoPatient {
  const patient = {
    ...simulatedPatient(seed, 2),
    patientUid: CHILD_WITH_SENSOR,
    wakesAt: 6.8,
    sleepsAt: 21.5,
    restingHeartRate: 80,
    weightKg: 31,
    ...UNITS,
  }
  /** A new sensor every ten days warms up for hours. */
  const sensor: Extra = ({ daysAgo, random, at, hoursAgo }) => {
    const usualAt = glucoseOfDay(random, { basal: 5.9, rises: [1.5, 5.5] })
    return sensorReadings(patient, {
      at,
      perHour: daysAgo < DENSE_DAYS ? 12 : 4,
      isOff: (hour) => daysAgo % 10 === 4 && hour >= 9 && hour < 11.5,
      valueAt(hour) {
        const usual = usualAt(hour)
        // An insulin was late: just now it climbs.
        const isLate = hoursAgo(hour) >= 0 && hoursAgo(hour) < 3.5
        if (isLate) return 23.6 - 4.7 * hoursAgo(hour)
        return daysAgo === LOW_DAYS_AGO ? usual - lowAtNight(LOW_NIGHT, hour, usual) : usual
      },
    })
  }
  return {
    patient,
    has: isOfChild,
    silentDaysAgo: [20, 21],
    extras: [sensor],
  }
}

function childWithAsthma(seed: number): DemoPatient {
  const patient = {
    ...simulatedPatient(seed, 3),
    patientUid: CHILD_WITH_ASTHMA,
    wakesAt: 7,
    sleepsAt: 21.5,
    restingHeartRate: 84,
    weightKg: 24,
    ...UNITS,
  }
  const peakFlow: Extra = ({ daysAgo, random, at }) => {
    // A week of it was bad; one morning was very bad.
    const isBad = daysAgo >= 50 && daysAgo < 57
    return [7.5, 19.5].map((hour) => {
      const typical = (isBad ? 130 : 205) + (hour > 12 ? 12 : 0)
      const value = daysAgo === 53 && hour < 12 ? 58 : Math.round(random.around(typical, 8))
      const fields = { readingType: 'peakExpiratoryFlow', value, unit: 'L/min' }
      return {
        patientUid: CHILD_WITH_ASTHMA,
        ...fields,
        source: sourceOf('peak flow meter', patient),
        timestamp: at(hour),
      }
    })
  }
  return {
    patient,
    has: isOfChild,
    silentDaysAgo: [30],
    silentMs: SILENT_MS,
    extras: [peakFlow],
  }
}

const UNITS = { glucoseUnit: 'mmol/L', weightUnit: 'kg', temperatureUnit: 'Cel' } as const

const isOfChild = (readingType: string) => !['bloodPressure', 'bloodGlucose'].includes(readingType)

const roundedTo = (step: number, value: number) => Math.round(value / step) * step

/** From local time, in which days are simulated, to UTC. */
function shifted(reading: Reading, localMs: number): Reading {
  const unitMs = reading.readingType === 'bodyWeight' ? 1_000 : 1
  return { ...reading, timestamp: Math.round(reading.timestamp - localMs / unitMs) }
}

/** Shorter words than the simulator's, and no Devanagari of its diaries, which not every machine has a font for. */
function forScreens(reading: Reading): Reading {
  const text = JSON.stringify(reading).replaceAll('सिरदर्द', 'back pain').replace('"Simulated ', '"Demo ')
  return JSON.parse(text) as Reading
}
