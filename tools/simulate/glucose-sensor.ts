// An invented glucose sensor. Values are in mmol/L; a reading has the unit of the patient's device.
import type { Reading } from '../../clients/typescript/src/client.ts'
import { sourceOf } from './devices.ts'
import type { SimulatedPatient } from './patient.ts'
import type { Random } from './random.ts'

const MEALS = [7.3, 12.6, 18.4]

type Day = {
  at: (hour: number) => number
  perHour: number
  valueAt: (hour: number) => number
  /** Whether it warms up. */
  isOff?: (hour: number) => boolean
}

/** Of one day, from midnight to midnight. */
export function sensorReadings(patient: SimulatedPatient, { at, perHour, valueAt, isOff }: Day): Reading[] {
  const { patientUid, glucoseUnit: unit } = patient
  const source = sourceOf('sensor', patient)
  let previous: number | undefined
  return Array.from({ length: 24 * perHour }, (_, index) => index / perHour).flatMap((hour) => {
    const millimoles = Math.round(valueAt(hour) * 10) / 10
    const trend = trendFrom(previous, millimoles, 60 / perHour)
    previous = millimoles
    if (isOff?.(hour)) return []
    const value = unit === 'mg/dL' ? Math.round(millimoles * 18.0156) : millimoles
    const fields = { readingType: 'interstitialGlucose', value, unit, ...(trend ? { trend } : {}) }
    return [{ patientUid, ...fields, source, timestamp: at(hour) }]
  })
}

/** Up towards the morning and after meals, by so much, and back. */
export function glucoseOfDay(
  random: Random,
  { basal, rises }: { basal: number; rises: [min: number, max: number] },
): (hour: number) => number {
  const meals = MEALS.map((hour) => ({ hour, rise: random.between(...rises) }))
  const ofDay = random.around(0, 0.35)
  return (hour) => {
    const afterMeals = meals.reduce((sum, meal) => sum + meal.rise * afterMeal(hour - meal.hour), 0)
    const atDawn = 0.9 * Math.exp(-(((hour - 6.5) / 2) ** 2))
    return random.around(basal + ofDay + atDawn + afterMeals, 0.15)
  }
}

/** How far below the usual value it is in a low night: all of it within its hours, and half an hour down and up again. */
export function lowAtNight(
  { from, to, lowest }: { from: number; to: number; lowest: number },
  hour: number,
  usual: number,
): number {
  const middle = (from + to) / 2
  const beyond = Math.max(0, Math.abs(hour - middle) - (to - from) / 2)
  const depth = Math.max(0, 1 - beyond / 0.5)
  const wave = 0.5 * Math.abs(hour - middle)
  return depth * (usual - lowest - wave)
}

/** From 0 up to 1 within an hour, and back within three. */
function afterMeal(hours: number): number {
  if (hours <= 0 || hours >= 4) return 0
  return hours < 1 ? hours : (4 - hours) / 3
}

/** By more than 0.5 mmol/L in a quarter of an hour. */
function trendFrom(previous: number | undefined, value: number, minutes: number): string | undefined {
  if (previous === undefined) return undefined
  const change = ((value - previous) * 15) / minutes
  if (change > 0.5) return 'rising'
  return change < -0.5 ? 'falling' : 'steady'
}
