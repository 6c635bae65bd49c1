// An invented practice: what 230 patients measure in ten weeks, by a seed. Nobody in it is real. Some have a course that a doctor must
// not miss.
import type { Queue, Reason } from '../../../src/modules/care/status/reason.ts'

const H = 3_600_000
export const D = 24 * H
export const START = Date.UTC(2026, 9, 19) // a Monday
/** Days of readings before the doctor begins, and days after. */
export const WARM = 28
export const RUN = 42
/** The Monday on which the courses begin, after three weeks of looks. */
export const ONSET = WARM + 21
const EVENING = 20 * H

/**
 * A course that must not be missed: `within` days of its beginning the patient is in one of the queues with an unseen reason that
 * shows it; `withGaps` days where patients measure as people do. One patient for each of `means`.
 */
export type Course = {
  said: string
  isSensor?: true
  means: number[]
  begins: number
  within: number
  withGaps?: number
  queues: Queue[]
  shows: (reason: Reason, mean: number) => boolean
}
const isRise = ({ code, field, value = 0 }: Reason, mean: number) =>
  code === 'value' || (code === 'mean' && field?.name === 'systolic' && value >= mean + 4)
const isLow =
  (share: number) =>
  ({ part, value = 0 }: Reason) =>
    part === 'below' && value >= share
const is = (code: Reason['code']) => (reason: Reason) => reason.code === code

export const COURSES = new Map<string, Course>(
  Object.entries({
    rise: {
      said: 'The mean rises by 20 mmHg within ten days, from 131 to 166',
      means: [131, 136, 142, 150, 158, 166],
      begins: 0,
      within: 14,
      queues: ['thisWeek', 'actNow'],
      shows: isRise,
    },
    riseHeld: {
      said: 'The same, from 138 to 150, seen before with a date in 28 days',
      means: [138, 142, 146, 150],
      begins: 0,
      within: 14,
      queues: ['thisWeek', 'actNow'],
      shows: isRise,
    },
    single: {
      said: 'A single 224/126, two days after a seen 186/112',
      means: [125, 130, 135, 140],
      begins: 1 + 20 / 24,
      within: 1,
      queues: ['actNow'],
      shows: is('value'),
    },
    offline: {
      said: 'A 224/126 that arrives four days late (counted from its arrival)',
      means: [125, 130, 135, 140],
      begins: 4 + 9 / 24,
      within: 1,
      queues: ['thisWeek', 'actNow'],
      shows: is('value'),
    },
    severe: {
      said: 'A severe symptom, two days after a seen one',
      means: [120, 125, 130, 135],
      begins: 1 + 20 / 24,
      within: 1,
      queues: ['actNow'],
      shows: is('severe'),
    },
    stops: {
      said: 'Blood pressure stops (expected every 3 days)',
      means: [120, 130, 140, 150],
      begins: 0,
      within: 4,
      queues: ['silent', 'thisWeek', 'actNow'],
      shows: is('silent'),
    },
    sensorStops: {
      said: 'A sensor stops (expected every day)',
      isSensor: true,
      means: [150, 170],
      begins: 0,
      within: 2,
      queues: ['silent', 'thisWeek', 'actNow'],
      shows: is('silent'),
    },
    lows: {
      said: 'Lows rise from 3 to 12 %',
      isSensor: true,
      means: [140, 150, 160, 170],
      begins: 0,
      within: 4,
      withGaps: 10,
      queues: ['thisWeek', 'actNow'],
      shows: isLow(0.04),
    },
    lowsHeld: {
      said: 'Lows rise from 6 to 15 %, seen before with a date in 28 days',
      isSensor: true,
      means: [140, 160],
      begins: 0,
      within: 7,
      withGaps: 10,
      queues: ['thisWeek', 'actNow'],
      shows: isLow(0.065),
    },
  } satisfies Record<string, Course>),
)

/** `values`: systolic and diastolic, or glucose; none of a symptom, which has a severity. */
export type Sent = { at: number; arrives: number; values: number[]; severity?: string }
export type Person = { isSensor: boolean; course?: string; mean: number; sent: Sent[] }

export type Chance = { uniform: () => number; normal: () => number }
export function chanceOf(seed: number): Chance {
  let state = seed
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return { uniform, normal }
}

/** 200 with blood pressure and 30 with a sensor; with `hasCourses` those of the courses too. */
export function practiceOf(
  chance: Chance,
  { hasGaps, hasCourses }: { hasGaps: boolean; hasCourses: boolean },
) {
  const people = Array.from({ length: 230 }, (_, i) => personOf(chance, { isSensor: i >= 200, hasGaps }))
  if (!hasCourses) return people
  const ofCourses = [...COURSES].flatMap(([course, { means, isSensor = false }]) =>
    means.map((mean) => personOf(chance, { isSensor, hasGaps, course, mean })),
  )
  return [...people, ...ofCourses]
}

type Drawn = { isSensor: boolean; hasGaps: boolean; course?: string; mean?: number }
function personOf(chance: Chance, { isSensor, hasGaps, course = '', mean }: Drawn): Person {
  const { uniform, normal } = chance
  const systolic = mean ?? 131 + 12 * normal()
  const { share, lastDay } = habitOf(hasGaps, course ? 0.7 * uniform() : uniform())
  const stops = course.toLowerCase().endsWith('stops') ? ONSET : lastDay
  const bloodPressure = bloodPressureOf(systolic, chance)
  const glucose = glucoseOf(mean, chance)
  const sent: Sent[] = []
  for (let day = 0; day < WARM + RUN; day++) {
    const begin = START + day * D
    const since = day - ONSET
    const isMeasured = uniform() < share && day < stops
    if (isMeasured && isSensor) sent.push(...glucose(begin, lowsOn(course, since)))
    if (isMeasured && !isSensor) {
      const shift = course.startsWith('rise') ? Math.max(0, Math.min(20, 2 * since + 2)) : 0
      for (const { at, values } of bloodPressure(begin, shift)) {
        const late = hasGaps && uniform() < 0.03 ? uniform() * 4 * D : 0
        sent.push({ at, arrives: at + late, values })
      }
    }
    if (uniform() < 1 / 30) {
      const drawn = uniform()
      const severity = drawn < 0.6 ? 'MILD' : drawn < 0.9 ? 'MODERATE' : 'SEVERE'
      const at = begin + uniform() * D
      sent.push({ at, arrives: at, values: [], severity })
    }
    sent.push(...ofCourse(course, since, begin))
  }
  return { isSensor, mean: systolic, sent, ...(course && { course }) }
}

/** How people measure: most nearly each day, some each second or fourth, and a few stop after five days. */
function habitOf(hasGaps: boolean, drawn: number) {
  if (!hasGaps) return { share: 1, lastDay: Infinity }
  if (drawn >= 0.95) return { share: 1, lastDay: 5 }
  return { share: drawn < 0.65 ? 0.9 : drawn < 0.85 ? 0.5 : 0.25, lastDay: Infinity }
}

function lowsOn(course: string, since: number) {
  if (course === 'lows') return since < 0 ? 0.03 : 0.12
  if (course === 'lowsHeld') return since < 0 ? 0.06 : 0.15
  return undefined
}

function ofCourse(course: string, since: number, begin: number): Sent[] {
  const once = (values: number[], severity?: string): Sent[] => {
    const at = begin + EVENING
    return [{ at, arrives: at, values, ...(severity && { severity }) }]
  }
  if (course === 'single' && since === -1) return once([186, 112])
  if (course === 'single' && since === 1) return once([224, 126])
  if (course === 'severe' && (since === -1 || since === 1)) return once([], 'SEVERE')
  const at = begin + 9 * H
  return course === 'offline' && since === 0 ? [{ at, arrives: at + 4 * D, values: [224, 126] }] : []
}

/** Two values a day, within a person ± 9. */
function bloodPressureOf(systolic: number, { uniform, normal }: Chance) {
  const diastolic = 80 + 0.4 * (systolic - 131) + 6 * normal()
  return (begin: number, shift: number) =>
    [7, 20].map((hour) => {
      const drawn = normal()
      const high = Math.round(systolic + shift + 9 * drawn)
      const low = Math.round(diastolic + 0.4 * shift + 6 * (0.6 * drawn + 0.8 * normal()))
      return { at: begin + (hour + uniform()) * H, values: [high, Math.min(high - 10, low)] }
    })
}

/** A value each five minutes; with `lows` this share of them is 62. */
function glucoseOf(mean: number | undefined, { uniform, normal }: Chance) {
  const usual = mean ?? Math.max(110, 160 + 28 * normal())
  const spread = Math.max(0.25, 0.36 + 0.05 * normal())
  const sigma = Math.sqrt(Math.log(1 + spread * spread))
  let drift = 0
  return (begin: number, lows?: number): Sent[] => {
    const dayMean = usual + 15 * normal()
    return Array.from({ length: 288 }, (_, i) => {
      drift = 0.97 * drift + Math.sqrt(1 - 0.97 ** 2) * normal()
      const value = Math.round(
        Math.max(39, Math.min(401, dayMean * Math.exp(sigma * drift - (sigma * sigma) / 2))),
      )
      const at = begin + i * 300_000
      return {
        at,
        arrives: at,
        values: [lows === undefined ? value : uniform() < lows ? 62 : Math.max(75, value)],
      }
    })
  }
}
