// A doctor looks after an invented practice for six weeks, each weekday at 08:30 from the top of the list: is the list doable, and is
// nobody missed? PRACTICE_SEEDS: so many practices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  Alert,
  Evidence,
  Facts,
  Field,
  Look,
  Sums,
  Symptom,
} from '../../../src/modules/care/status/facts.ts'
import { listOrder, QUEUES, type Queue, type Status } from '../../../src/modules/care/status/reason.ts'
import { statusOf } from '../../../src/modules/care/status/status-of.ts'
import {
  type Chance,
  COURSES,
  chanceOf,
  D,
  ONSET,
  type Person,
  practiceOf,
  RUN,
  START,
  WARM,
} from './practice-patients.ts'

const HALF_PAST_EIGHT = 8.5 * 3_600_000
const SEEDS = Array.from({ length: Number(process.env['PRACTICE_SEEDS'] ?? 1) }, (_, i) => i + 1)
const MINUTES = { actNow: 6, thisWeek: 2.5, silent: 2 }
const MOST_LOOKS = { actNow: Infinity, thisWeek: 25, silent: 10 }
/** From the third week on: on any day, on any day, and the mean of weekdays. */
const BOUNDS = { thisWeek: 30, actNow: 8, minutes: 60 }
const ACTS_ABOVE = [180, 110]
const GOALS = { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25, farAbove: 0.05 }
const ME = { name: 'Dr A', is: 'me' as const, manages: true }
const NONE = {
  values: 0,
  days: 0,
  sum: 0,
  total: 0,
  inRange: 0,
  below: 0,
  farBelow: 0,
  above: 0,
  farAbove: 0,
}

for (const hasGaps of [false, true]) {
  const name = hasGaps ? 'patients who measure as people do' : 'patients who measure twice a day'
  for (const seed of SEEDS) {
    test(`the list of ${name} is doable (seed ${seed})`, (t) => {
      const { mornings } = sixWeeks(seed, { hasGaps, hasCourses: false })
      const late = mornings.slice(14)
      const minutes = late.filter(({ isWeekday }) => isWeekday).map((each) => each.minutes)
      t.diagnostic(
        `${QUEUES.map((queue) => `${queue} ${span(late.map((each) => each[queue]))}`).join(', ')}, minutes ${span(minutes)}`,
      )
      for (const queue of ['actNow', 'thisWeek'] as const)
        assert.ok(Math.max(...late.map((each) => each[queue])) <= BOUNDS[queue], queue)
      assert.ok(mean(minutes) <= BOUNDS.minutes)
    })

    test(`nobody of ${name} is missed (seed ${seed})`, (t) => {
      const { patients } = sixWeeks(seed, { hasGaps, hasCourses: true })
      for (const [course, { said, within, withGaps = within }] of COURSES) {
        const found = patients
          .filter((each) => each.course === course)
          .map(({ foundAfter = Infinity }) => foundAfter)
        t.diagnostic(`${said}: after ${span(found)} days`)
        assert.ok(Math.max(...found) <= (hasGaps ? withGaps : within), `${said}: ${found.join()}`)
      }
    })
  }
}

/** What the service knows of a patient. */
type Patient = Person & {
  arrivals: Map<number, Person['sent']>
  days: [Map<number, Sums>, Map<number, Sums>]
  beyond: [Field['beyond'], Field['beyond']]
  newest?: Evidence
  recent: Person['sent']
  symptoms: Symptom[]
  alerts: Alert[]
  looks: Look[]
  foundAfter?: number
}
type Listed = { patient: Patient; status: Status }
type Morning = Record<Queue | 'minutes', number> & { isWeekday: boolean }

function sixWeeks(seed: number, how: { hasGaps: boolean; hasCourses: boolean }) {
  const chance = chanceOf(seed)
  const patients = practiceOf(chance, how).map(
    (person): Patient => ({
      ...person,
      arrivals: Map.groupBy(person.sent, ({ arrives }) => Math.ceil((arrives - START - HALF_PAST_EIGHT) / D)),
      days: [new Map(), new Map()],
      beyond: [[], []],
      recent: [],
      symptoms: [],
      alerts: [],
      looks: [],
    }),
  )
  const mornings: Morning[] = []
  for (let morning = 0; morning < WARM + RUN; morning++) {
    const now = START + morning * D + HALF_PAST_EIGHT
    for (const patient of patients) takeIn(patient, morning, now)
    if (how.hasCourses) for (const patient of patients) warn(patient, morning)
    if (morning < WARM) continue
    const list = patients.map((patient) => ({ patient, status: statusOf(factsOf(patient, now), now) }))
    list.sort((a, b) => listOrder(a.status, b.status))
    for (const each of list) noteFound(each, now)
    const weekday = new Date(now).getUTCDay()
    const isWeekday = weekday > 0 && weekday < 6
    const lengths = countsOf(list)
    mornings.push({
      ...lengths,
      isWeekday,
      minutes: isWeekday ? lookAtAll(list, { morning, now, chance }) : 0,
    })
  }
  return { mornings, patients }
}

/** What the followers do with what has arrived. Positions are counted by mornings. */
function takeIn(patient: Patient, morning: number, now: number) {
  for (const sent of patient.arrivals.get(morning) ?? []) {
    const { at, arrives, values, severity } = sent
    const shown = values.join('/') || 'a symptom'
    const evidence = {
      readingId: `${shown} ${at}`,
      shown,
      measuredAt: at,
      receivedAt: arrives,
      position: morning,
    }
    if (severity) {
      patient.symptoms.push({ ...evidence, severity })
      continue
    }
    for (const [i, value] of values.entries()) addValue(patient, i, { ...evidence, value })
    if (!patient.newest || at > patient.newest.measuredAt) patient.newest = evidence
    patient.recent.push(sent)
  }
  patient.recent = patient.recent.filter(({ at }) => now - at <= 2 * D).sort((a, b) => a.at - b.at)
}

function addValue({ isSensor, days, beyond }: Patient, i: number, reading: Field['beyond'][number]) {
  const { value, measuredAt } = reading
  const ofField = days[i] ?? new Map()
  const day = Math.floor(measuredAt / D)
  const sums: Sums = ofField.get(day) ?? { ...NONE, days: 1 }
  ofField.set(day, sums)
  const size = isSensor ? 5 / 60 : 1
  const [low, high] = isSensor ? [70, 180] : [-Infinity, i ? 85 : 135]
  sums.values++
  sums.sum += value
  sums.total += size
  sums[value < low ? 'below' : value > high ? 'above' : 'inRange'] += size
  if (value < 54) sums.farBelow += size
  if (value > 250) sums.farAbove += size
  if (!isSensor && value > (ACTS_ABOVE[i] ?? Infinity)) beyond[i]?.push(reading)
}

/** A warning for all, "above 160 twice within 2 days": so doctors look at patients for other reasons too, while a mean creeps up. */
function warn(patient: Patient, morning: number) {
  const systolics = patient.isSensor ? [] : patient.recent.map(({ values: [systolic = 0] }) => systolic)
  const worst = Math.max(...systolics)
  const first = patient.recent.find(({ values: [systolic = 0] }) => systolic > 160)
  const isHigh = systolics.filter((each) => each > 160).length >= 2 && (systolics.at(-1) ?? 0) > 160
  const acknowledged = patient.alerts[0]?.acknowledged
  patient.alerts = []
  if (!first || !isHigh) return
  const times = { measuredAt: first.at, receivedAt: first.arrives, position: morning }
  const alert = { alertId: 'high', label: 'above 160 twice', kind: 'value' as const, isUrgent: false }
  const { at } = first
  const known = acknowledged && { acknowledged }
  patient.alerts = [
    { readingId: `${at}`, shown: `${worst}`, ...times, ...alert, beyond: worst / 160, ...known },
  ]
}

/** What the list's statement gives. */
function factsOf(patient: Patient, now: number): Facts {
  const { isSensor, days, beyond, newest, symptoms, alerts, looks } = patient
  const today = Math.floor(now / D)
  const isRecent = ({ receivedAt }: Evidence) => now - receivedAt <= 14 * D
  const fieldOf = (
    i: 0 | 1,
    field: Pick<Field, 'name' | 'low' | 'high' | 'farLow' | 'farHigh' | 'goals'>,
  ) => {
    const sums = (from: number, to: number) => sumOf(days[i], today - from, today - to)
    return {
      ...field,
      actBelow: null,
      actAbove: isSensor ? null : (ACTS_ABOVE[i] ?? null),
      sums: { week: sums(7, 0), fortnight: sums(14, 0), before: sums(28, 15) },
      beyond: beyond[i].filter(isRecent),
    }
  }
  const target = {
    readingType: isSensor ? 'sensor glucose' : 'blood pressure',
    author: ME,
    isForAll: true,
    setAt: START,
    isSensor,
    needsGoals: isSensor,
    expectEvery: isSensor ? D : 3 * D,
    ...(newest && { newest }),
    fields: isSensor
      ? [fieldOf(0, { name: 'value', low: 70, high: 180, farLow: 54, farHigh: 250, goals: GOALS })]
      : [fieldOf(0, { name: 'systolic', high: 135 }), fieldOf(1, { name: 'diastolic', high: 85 })],
  }
  return {
    targets: [target],
    untargeted: [],
    symptoms: symptoms.filter(isRecent),
    alerts,
    strange: [],
    looks,
  }
}

function sumOf(days: Map<number, Sums>, from: number, to: number) {
  const total: Sums = { ...NONE }
  for (let day = from; day <= to; day++)
    for (const key of Object.keys(NONE) as (keyof Sums)[]) total[key] += days.get(day)?.[key] ?? 0
  return total
}

function noteFound({ patient, status }: Listed, now: number) {
  const course = COURSES.get(patient.course ?? '')
  if (!course || patient.foundAfter !== undefined) return
  const days = (now - START) / D - ONSET - course.begins
  const isShown = status.reasons.some((reason) => !reason.isSeen && course.shows(reason, patient.mean))
  if (days > 0 && isShown && course.queues.includes(status.queue)) patient.foundAfter = days
}

/** A morning of the doctor; minutes. After some looks a date is given. */
function lookAtAll(
  list: Listed[],
  { morning, now, chance }: { morning: number; now: number; chance: Chance },
) {
  const looked = { actNow: 0, thisWeek: 0, silent: 0 }
  let minutes = 0
  for (const [n, each] of list.entries()) {
    const { queue } = each.status
    const at = now + n * 1_000
    const drawn = chance.uniform()
    if (each.patient.course?.endsWith('Held') && morning === ONSET - 3) look(each, morning, at, 28)
    else if (
      (queue === 'actNow' || queue === 'thisWeek' || queue === 'silent') &&
      looked[queue]++ < MOST_LOOKS[queue]
    ) {
      look(each, morning, at, queue === 'actNow' && drawn < 0.3 ? 3 : drawn < 0.05 ? 14 : undefined)
      minutes += MINUTES[queue]
    }
  }
  return minutes
}

function look(
  { patient, status }: Listed,
  ...[morning, at, inDays]: [morning: number, at: number, inDays?: number]
) {
  const date = inDays && { lookAgainAt: at + inDays * D }
  patient.looks.push({ by: ME, at, seenUpTo: morning, saw: status.saw, ...date })
  for (const alert of patient.alerts) alert.acknowledged = { at, beyond: alert.beyond }
}

const countsOf = (list: Listed[]) =>
  Object.fromEntries(
    QUEUES.map((queue) => [queue, list.filter(({ status }) => status.queue === queue).length]),
  ) as Record<Queue, number>
const mean = (all: number[]) => all.reduce((sum, each) => sum + each, 0) / all.length
const span = (all: number[]) =>
  `${mean(all).toFixed(1)} (${Math.min(...all).toFixed(1)}–${Math.max(...all).toFixed(1)})`
