// A month of readings of further invented patients of a doctor, for `rounds dev --demo`. Each has one story that the doctor's
// list should tell, whatever the hour and the seed: blood pressure that has just risen, a low in one night, a goal that is
// missed, a fortnight that was worse than the one before, silence, a rise that the doctor knows of; and three are in target.
import type { Reading } from '../../clients/typescript/src/client.ts'
import type { DemoPatient, Extra } from './demo-patient.ts'
import { sourceOf } from './devices.ts'
import { glucoseOfDay, lowAtNight, sensorReadings } from './glucose-sensor.ts'
import { DAY_MS, type SimulatedPatient, simulatedPatient } from './patient.ts'

/** Thirty days are shown, and some zones are a day ahead. */
const DAYS = 31
/** No value of a sensor is beyond the outer bounds of the consensus, 3.0 and 13.9 mmol/L, but for the one low. */
const SENSOR = { min: 3.2, max: 13.6 }
const LOW_NIGHT = { daysAgo: 2, from: 3, to: 3.3, lowest: 2.4 }
/** Far enough that the lowest value of the cuff becomes a high one. */
const RISE = { systolic: 46, diastolic: 24 }

export function patientsOfDoctor(seed: number): DemoPatient[] {
  const patient = (number: number) => ({
    // The children have the numbers two and three.
    ...simulatedPatient(seed, number + 2),
    patientUid: `patient-${number}`,
    // So that the highest value of the cuff is below 135/85.
    systolic: 112,
    diastolic: 70,
    glucoseUnit: 'mmol/L' as const,
  })
  return [
    withCuff(patient(2), {
      change: risenWhen((daysAgo) => daysAgo <= 2),
      extras: [measuredJustNow(patient(2))],
    }),
    withSensor({ ...patient(3), glucoseUnit: 'mg/dL' }, (daysAgo) => ({
      basal: 5.6,
      rises: [1, 3],
      isLow: daysAgo === LOW_NIGHT.daysAgo,
    })),
    withSensor(patient(4), () => ({ basal: 9, rises: [4, 4.6] })),
    withSensor(patient(5), (daysAgo) =>
      daysAgo < 14 ? { basal: 7.2, rises: [4.5, 5.5] } : { basal: 6, rises: [1, 3] },
    ),
    withCuff(patient(6), { silentMs: 6 * DAY_MS }),
    withCuff(patient(7)),
    withCuff(patient(8), { extras: [scaleOf(patient(8))] }),
    withSensor(patient(9), () => ({ basal: 6, rises: [2, 5] })),
    withCuff(patient(10), { change: risenWhen((daysAgo) => daysAgo >= 5 && daysAgo <= 7) }),
  ]
}

type Rest = Pick<DemoPatient, 'change' | 'silentMs'> & { extras?: Extra[] }

function withCuff(patient: SimulatedPatient, { extras = [], ...rest }: Rest = {}): DemoPatient {
  return { patient, days: DAYS, has: (readingType) => readingType === 'bloodPressure', extras, ...rest }
}

const risenWhen =
  (isRisen: (daysAgo: number) => boolean) =>
  (reading: Reading, daysAgo: number): Reading =>
    isRisen(daysAgo)
      ? {
          ...reading,
          systolic: Number(reading['systolic']) + RISE.systolic,
          diastolic: Number(reading['diastolic']) + RISE.diastolic,
        }
      : reading

function withSensor(
  patient: SimulatedPatient,
  glucose: (daysAgo: number) => { basal: number; rises: [number, number]; isLow?: boolean },
): DemoPatient {
  const sensor: Extra = ({ daysAgo, random, at }) => {
    const { isLow = false, ...curve } = glucose(daysAgo)
    const usualAt = glucoseOfDay(random, curve)
    const valueAt = (hour: number) => {
      const usual = Math.min(SENSOR.max, Math.max(SENSOR.min, usualAt(hour)))
      return isLow ? usual - lowAtNight(LOW_NIGHT, hour, usual) : usual
    }
    return sensorReadings(patient, { at, perHour: 4, valueAt })
  }
  return { patient, days: DAYS, has: () => false, extras: [sensor] }
}

/** Half an hour ago, whatever the hour. */
function measuredJustNow(patient: SimulatedPatient): Extra {
  return ({ at, hoursAgo }) =>
    Array.from({ length: 96 }, (_, quarter) => quarter / 4)
      .filter((hour) => hoursAgo(hour) >= 0.5 && hoursAgo(hour) < 0.75)
      .map((hour) => ({
        patientUid: patient.patientUid,
        readingType: 'bloodPressure',
        systolic: 168,
        diastolic: 101,
        unit: 'mm[Hg]',
        source: sourceOf('cuff', patient),
        timestamp: at(hour),
      }))
}

/** Every morning, within a kilogram. */
function scaleOf(patient: SimulatedPatient): Extra {
  return ({ random, at }) => [
    {
      patientUid: patient.patientUid,
      readingType: 'bodyWeight',
      value: Math.round(random.around(81, 0.25) * 10) / 10,
      unit: 'kg',
      source: sourceOf('scale', patient),
      timestamp: at(7.2) / 1_000,
    },
  ]
}
