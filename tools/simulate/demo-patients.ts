// A month of readings of further invented patients of a doctor, for `rounds dev --demo`. Each has one story that the doctor's
// list should tell, whatever the hour and the seed, so that each of its queues has somebody: 224/126, severe chest pain, a quarter of
// all values low, a fortnight that was worse than the one before, a wrong clock, silence, a rise and high glucose that the doctor
// knows of, two for whom there is no reason, and one of whom too little is known.
import type { Reading } from '../../clients/typescript/src/client.ts'
import type { DemoPatient, Extra } from './demo-patient.ts'
import { sourceOf } from './devices.ts'
import { glucoseOfDay, sensorReadings } from './glucose-sensor.ts'
import { DAY_MS, type SimulatedPatient, simulatedPatient } from './patient.ts'

/** The list sums up 29 days, and some zones are a day ahead. */
const DAYS = 31
/** No value of a sensor is beyond the outer bounds of the consensus, 3.0 and 13.9 mmol/L. */
const SENSOR = { min: 3.2, max: 13.6 }
/** In these hours of each night, a quarter of the day, glucose is below 3.9 mmol/L, and never below 3.0. */
const LOW_HOURS = { from: 0.5, to: 6.5, around: 3.5 }
/** Far enough that the mean is high, and no value beyond 180/110. */
const RISE = { systolic: 34, diastolic: 20 }
/** So that the simulator's cuff never shows 135/85. */
const GOOD_PRESSURE = { systolic: 112, diastolic: 70 }

export function patientsOfDoctor(seed: number): DemoPatient[] {
  const patient = (number: number) => ({
    // The children have the numbers two and three.
    ...simulatedPatient(seed, number + 2),
    patientUid: `patient-${number}`,
    ...GOOD_PRESSURE,
    glucoseUnit: 'mmol/L' as const,
  })
  const crisis = { readingType: 'bloodPressure', systolic: 224, diastolic: 126, unit: 'mm[Hg]' }
  const chestPain = { symptom: 'crushing chest pain', severity: 'SEVERE' }
  return [
    withCuff(patient(2), { extras: [justNow(patient(2), 'cuff', crisis)] }),
    withSensor({ ...patient(3), glucoseUnit: 'mg/dL' }, () => ({ basal: 5.6, rises: [1, 3], isLow: true })),
    withSensor(patient(4), () => ({ basal: 9, rises: [4, 4.6] })),
    withSensor(patient(5), (daysAgo) =>
      daysAgo <= 14 ? { basal: 7.2, rises: [4.5, 5.3] } : { basal: 6, rises: [1, 3] },
    ),
    withCuff(patient(6), { silentMs: 6 * DAY_MS }),
    withCuff(patient(7)),
    withCuff(patient(8), {
      extras: [
        scaleOf(patient(8)),
        justNow(patient(8), 'diary', { readingType: 'symptom', symptoms: [chestPain] }),
      ],
    }),
    withSensor(patient(9), () => ({ basal: 6, rises: [2, 5] })),
    withCuff(patient(10), { change: risen }),
    { ...withSensor(patient(11), () => ({ basal: 6, rises: [2, 5] })), silentMs: 3 * DAY_MS },
    withCuff(patient(12)),
    { ...withCuff(patient(13)), days: 2 },
  ]
}

type Rest = Pick<DemoPatient, 'change' | 'silentMs'> & { extras?: Extra[] }

function withCuff(patient: SimulatedPatient, { extras = [], ...rest }: Rest = {}): DemoPatient {
  return { patient, days: DAYS, has: (readingType) => readingType === 'bloodPressure', extras, ...rest }
}

const risen = (reading: Reading): Reading => ({
  ...reading,
  systolic: Number(reading['systolic']) + RISE.systolic,
  diastolic: Number(reading['diastolic']) + RISE.diastolic,
})

function withSensor(
  patient: SimulatedPatient,
  glucose: (daysAgo: number) => { basal: number; rises: [number, number]; isLow?: boolean },
): DemoPatient {
  const sensor: Extra = ({ daysAgo, random, at }) => {
    const { isLow = false, ...curve } = glucose(daysAgo)
    const usualAt = glucoseOfDay(random, curve)
    const valueAt = (hour: number) => {
      const usual = isLow && hour >= LOW_HOURS.from && hour < LOW_HOURS.to ? LOW_HOURS.around : usualAt(hour)
      return Math.min(SENSOR.max, Math.max(SENSOR.min, usual))
    }
    return sensorReadings(patient, { at, perHour: 4, valueAt })
  }
  return { patient, days: DAYS, has: () => false, extras: [sensor] }
}

/** Half an hour ago, whatever the hour. */
function justNow(patient: SimulatedPatient, device: string, fields: Record<string, unknown>): Extra {
  return ({ at, hoursAgo }) =>
    Array.from({ length: 96 }, (_, quarter) => quarter / 4)
      .filter((hour) => hoursAgo(hour) >= 0.5 && hoursAgo(hour) < 0.75)
      .map(
        (hour) =>
          ({
            patientUid: patient.patientUid,
            ...fields,
            source: sourceOf(device, patient),
            timestamp: at(hour),
          }) as Reading,
      )
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
