// Simulated patients: invented people whose ids say so. Who they are follows from the seed and their number alone.
import { createRandom, type Random } from './random.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

// The order is part of what a seed means: a new one goes to the end.
const STREAMS = [
  'profile',
  'illness',
  'wristband',
  'cuff',
  'glucometer',
  'scale',
  'thermometer',
  'diary',
  'departures',
  'answers',
  'corrections',
] as const
export type Stream = (typeof STREAMS)[number]

export type SimulatedPatient = ReturnType<typeof simulatedPatient>

export function simulatedPatient(seed: number, number: number) {
  const randomFor = (stream: Stream, period = 0): Random =>
    createRandom(seed, number, STREAMS.indexOf(stream), period)
  const random = randomFor('profile')
  const systolic = random.between(105, 150)
  return {
    patientUid: `simulated-${seed}-${String(number).padStart(4, '0')}`,
    number,
    wakesAt: random.between(5.5, 8),
    sleepsAt: random.between(21.5, 23.5),
    exercisesAt: random.between(9, 19),
    restingHeartRate: random.between(54, 80),
    systolic,
    diastolic: systolic * random.between(0.6, 0.68),
    /** Before breakfast, in mmol/L; about one in three has diabetes. */
    fastingGlucose: random.chance(1 / 3) ? random.between(6.5, 9) : random.between(4.4, 5.6),
    weightKg: random.between(48, 110),
    /** Which units their devices were bought with. */
    glucoseUnit: random.pick(['mmol/L', 'mg/dL'] as const),
    weightUnit: random.pick(['kg', '[lb_av]'] as const),
    temperatureUnit: random.pick(['Cel', '[degF]'] as const),
    /** A new sequence for a stream on a day (or in a week), so that no day depends on which others are simulated. */
    randomFor,
  }
}

/** How ill a patient is on a day, from 0 to 1: some weeks have a fever of a few days that rises and falls. */
export function illnessOf({ randomFor }: SimulatedPatient, day: number): number {
  const random = randomFor('illness', Math.floor(day / 7))
  if (!random.chance(0.1)) return 0
  const worstDay = random.between(1.5, 5.5)
  const days = random.between(1.5, 3)
  return Math.max(0, 1 - Math.abs((day % 7) - worstDay) / days)
}
