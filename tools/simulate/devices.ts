// What a patient's devices and diary take on one day. A day's readings follow from the seed, the patient and the date
// alone: not from other days, nor from how many patients are simulated, nor from what goes wrong on the way.
// No two readings of a patient agree in type and timestamp.
import type {
  CatalogueReading,
  Reading,
  ReadingSource,
  Without,
} from '../../clients/typescript/src/client.ts'
import { DAY_MS, HOUR_MS, illnessOf, type SimulatedPatient, type Stream } from './patient.ts'
import type { Random } from './random.ts'

/** What a device knows: fields of the catalogue's types, all but whose they are and when. */
type Fields = FieldsOf<CatalogueReading>
type FieldsOf<Type> = Type extends unknown ? Without<Type, 'patientUid' | 'timestamp'> : never
/** Reads at an hour of the day, in local time, which here is UTC. */
type Read = (hour: number, fields: Fields) => Reading
type Today = { day: number; illness: number; random: Random; read: Read }

const DEVICES: [Stream, (patient: SimulatedPatient, today: Today) => Reading[]][] = [
  ['wristband', heartRates],
  ['cuff', bloodPressures],
  ['glucometer', bloodGlucoses],
  ['scale', bodyWeights],
  ['thermometer', bodyTemperatures],
  ['diary', symptoms],
]

/** In order of time. A day is a number of days since 1970. */
export function readingsOfDay(patient: SimulatedPatient, day: number): Reading[] {
  const illness = illnessOf(patient, day)
  const { patientUid } = patient
  return DEVICES.flatMap(([device, take]) => {
    const read: Read = (hour, fields) => {
      const timestamp = Math.round(day * DAY_MS + hour * HOUR_MS)
      return { patientUid, ...fields, source: sourceOf(device, patient), timestamp }
    }
    return take(patient, { day, illness, random: patient.randomFor(device, day), read })
  }).toSorted((a, b) => measuredAtMs(a) - measuredAtMs(b))
}

/** A device that there is not, with a serial number for each patient. The diary is typed into an app. */
export function sourceOf(device: string, { number }: Pick<SimulatedPatient, 'number'>): ReadingSource {
  if (device === 'diary') return { kind: 'manual', app: { name: 'Simulated diary' } }
  const serial = `${device.slice(0, 2).toUpperCase()}-${String(number).padStart(4, '0')}`
  return { kind: 'device', device: { name: `Simulated ${device}`, manufacturer: 'Example Devices', serial } }
}

/** The instant of a reading of ours: the scale speaks seconds, all others milliseconds. */
export function measuredAtMs({ readingType, timestamp }: { readingType: string; timestamp: number }): number {
  return readingType === 'bodyWeight' ? timestamp * 1_000 : timestamp
}

function heartRates(patient: SimulatedPatient, { illness, random, read }: Today): Reading[] {
  // On some days it was not charged: it is silent for hours, at times until midnight.
  const emptyFrom = random.chance(0.12) ? random.between(0, 20) : 24
  const emptyUntil = emptyFrom + random.between(2, 14)
  const isExercising = random.chance(0.4)
  return Array.from({ length: 48 }, (_, half) => half / 2 + random.between(0, 0.2)).flatMap((hour) => {
    const isAwake = hour >= patient.wakesAt && hour < patient.sleepsAt
    const isBusy = isExercising && hour >= patient.exercisesAt && hour < patient.exercisesAt + 1
    const usual = patient.restingHeartRate + (isAwake ? 10 : -4) + 4 * Math.cos(((hour - 16) / 12) * Math.PI)
    const value = Math.round(random.around(usual + (isBusy ? 45 : 0) + 15 * illness, isAwake ? 5 : 2.5))
    if (hour >= emptyFrom && hour < emptyUntil) return []
    return read(hour, { readingType: 'heartRate', value, unit: '/min' })
  })
}

function bloodPressures(patient: SimulatedPatient, { illness, random, read }: Today): Reading[] {
  return [patient.wakesAt + 0.5, patient.sleepsAt - 2].flatMap((usualHour, index) => {
    const systolic = Math.round(random.around(patient.systolic + (index === 0 ? 5 : -3), 5))
    const diastolic = Math.round(random.around(patient.diastolic + (index === 0 ? 3 : -2), 3))
    const pulse = Math.round(random.around(patient.restingHeartRate + 4 + 12 * illness, 4))
    const hour = usualHour + random.between(0, 0.75)
    if (random.chance(0.1)) return []
    return read(hour, { readingType: 'bloodPressure', systolic, diastolic, pulse, unit: 'mm[Hg]' })
  })
}

function bloodGlucoses(patient: SimulatedPatient, { random, read }: Today): Reading[] {
  const { fastingGlucose, glucoseUnit } = patient
  // Before breakfast, then about two hours after each of three meals.
  return [patient.wakesAt + 0.25, 9.5, 14.5, 20.5].flatMap((usualHour, meal) => {
    const afterMeal = meal === 0 ? 0 : fastingGlucose * random.between(0.15, 0.6)
    const millimoles = random.around(fastingGlucose + afterMeal, 0.3)
    const value = glucoseUnit === 'mg/dL' ? Math.round(millimoles * 18.0156) : toTenths(millimoles)
    const hour = usualHour + random.between(0, 0.5)
    if (random.chance(0.08)) return []
    return read(hour, { readingType: 'bloodGlucose', value, unit: glucoseUnit })
  })
}

function bodyWeights(patient: SimulatedPatient, { day, random, read }: Today): Reading[] {
  const { weightKg, weightUnit, wakesAt } = patient
  const season = 1.5 * Math.sin((day / 180 + patient.number) * Math.PI)
  const kilograms = random.around(weightKg + season, 0.3)
  const value = toTenths(weightUnit === 'kg' ? kilograms : kilograms / 0.45359237)
  if (random.chance(0.25)) return []
  const reading = read(wakesAt + random.between(0.1, 0.4), {
    readingType: 'bodyWeight',
    value,
    unit: weightUnit,
  })
  return [{ ...reading, timestamp: Math.floor(reading.timestamp / 1_000) }]
}

function bodyTemperatures(patient: SimulatedPatient, { illness, random, read }: Today): Reading[] {
  const times = illness > 0 ? [8, 13, 19] : random.chance(0.3) ? [8] : []
  return times.map((usualHour) => {
    const hour = usualHour + random.between(0, 1)
    const rhythm = -0.3 * Math.cos(((hour - 4) / 12) * Math.PI)
    const celsius = random.around(36.7 + rhythm + 2.3 * illness, 0.12)
    const isCelsius = patient.temperatureUnit === 'Cel'
    const value = toTenths(isCelsius ? celsius : celsius * 1.8 + 32)
    return read(hour, { readingType: 'bodyTemperature', value, unit: patient.temperatureUnit })
  })
}

const COMPLAINTS = ['headache', 'tiredness', 'dizziness', 'joint pain', 'nausea', 'सिरदर्द'] as const
const FEVER_COMPLAINTS = ['chills', 'cough', 'sore throat', 'headache'] as const

function symptoms(patient: SimulatedPatient, { illness, random, read }: Today): Reading[] {
  if (!random.chance(0.35 + 0.6 * illness)) return []
  const complaints = illness > 0.3 ? FEVER_COMPLAINTS : COMPLAINTS
  const count = random.pick([1, 1, 2, 3])
  const list = random.shuffled(complaints).slice(0, count)
  const entry = list.map((symptom) => {
    const strength = random.between(0, 0.8) + illness * 0.4
    return { symptom, severity: strength < 0.45 ? 'MILD' : strength < 0.75 ? 'MODERATE' : 'SEVERE' }
  })
  return [read(patient.sleepsAt - random.between(0.5, 1.5), { readingType: 'symptom', symptoms: entry })]
}

function toTenths(value: number): number {
  return Math.round(value * 10) / 10
}
