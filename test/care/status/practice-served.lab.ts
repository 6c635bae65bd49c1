// The invented practice through the real service: what 230 patients and those with a course measure is stored day by day, the service makes
// what it judges by, and each weekday at 08:30 the doctor works through the list of the service. PRACTICE_SEED: which practice;
// PRACTICE_DAYS and PRACTICE_PEOPLE: less of it, of which nothing is asserted but that it runs.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { QUEUES, type Queue, type Reason } from '../../../src/modules/care/status/reason.ts'
import {
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
import { startWorld } from './stored-world.ts'

const SEED = Number(process.env['PRACTICE_SEED'] ?? 1)
const DAYS = Number(process.env['PRACTICE_DAYS'] ?? RUN)
const PEOPLE = Number(process.env['PRACTICE_PEOPLE'] ?? Infinity)
const HALF_PAST_EIGHT = 8.5 * 3_600_000
const DOCTOR = 'doctor-of-the-practice'
const MOST_LOOKS = { actNow: Infinity, thisWeek: 25, silent: 10 }
/** On any day from the third week on. */
const BOUNDS = { thisWeek: 30, actNow: 8 }
const GOALS = { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25, farAbove: 0.05 }
const TARGETS = [
  {
    type: 'bloodPressure',
    unit: 'mm[Hg]',
    expectEvery: 'P3D',
    fields: {
      systolic: { high: 135, actBelow: null, actAbove: 180 },
      diastolic: { high: 85, actBelow: null, actAbove: 110 },
    },
  },
  {
    type: 'interstitialGlucose',
    unit: 'mg/dL',
    expectEvery: 'P1D',
    fields: {
      value: { low: 70, high: 180, farLow: 54, farHigh: 250, actBelow: null, actAbove: null, goals: GOALS },
    },
  },
]

type Patient = Person & { patientUid: string; foundAfter?: number }
type Entry = {
  patientUid: string
  queue: Queue
  reasons: (Pick<Reason, 'code' | 'isSeen'> & { field?: string; value?: number; part?: Reason['part'] })[]
  look: { seenUpTo: string; saw: string[] }
}

test(`the list of the service is doable (seed ${SEED})`, async (t) => {
  const { mornings } = await workThrough({ hasCourses: false, say: (said) => t.diagnostic(said) })
  for (const queue of ['actNow', 'thisWeek'] as const)
    assert.ok(Math.max(0, ...mornings.slice(14).map((each) => each[queue])) <= BOUNDS[queue], queue)
})

test(`nobody in the list of the service is missed (seed ${SEED})`, async (t) => {
  const { patients } = await workThrough({ hasCourses: true, say: (said) => t.diagnostic(said) })
  for (const [course, { said, within, withGaps = within }] of COURSES) {
    const found = patients
      .filter((each) => each.course === course)
      .map(({ foundAfter = Infinity }) => foundAfter)
    t.diagnostic(`${said}: after ${found.map((days) => days.toFixed(1)).join(', ')} days`)
    // Courses begin on a Monday of the fourth week.
    if (DAYS === RUN) assert.ok(Math.max(0, ...found) <= withGaps, `${said}: ${found.join()}`)
  }
})

async function workThrough({ hasCourses, say }: { hasCourses: boolean; say: (said: string) => void }) {
  const chance = chanceOf(SEED)
  const patients = practiceOf(chance, { hasGaps: true, hasCourses })
    .slice(-PEOPLE)
    .map((person): Patient => ({ ...person, patientUid: `patient-${randomUUID()}` }))
  const byUid = new Map(patients.map((patient) => [patient.patientUid, patient]))
  // On another Monday, so that the clock of the service never goes back.
  const later = Math.ceil((Date.now() - START) / (7 * D)) * 7 * D
  const world = await startWorld(later + START + (WARM - 1) * D)
  try {
    for (const target of TARGETS)
      await world.target({
        ...target,
        author: { kind: 'doctor', id: DOCTOR },
        patientUid: null,
        setAt: later + START,
      })
    for (const { patientUid } of patients) await world.grant(patientUid, DOCTOR, { given: later + START })
    const stored = new Map(patients.map((patient) => [patient, 0]))
    /** What arrived until then; each in the order of its arrival. */
    async function store(until: number) {
      for (const patient of patients) {
        const all = patient.sent.toSorted((a, b) => a.arrives - b.arrives)
        const from = stored.get(patient) ?? 0
        const end = all.findIndex(({ arrives }) => arrives > until)
        const now = all.slice(from, end === -1 ? undefined : end)
        if (now.length === 0) continue
        await world.readings(
          patient.patientUid,
          now.map((sent) => readingOf(sent, later)),
        )
        stored.set(patient, from + now.length)
      }
    }
    const table: string[] = []
    const mornings: Record<Queue, number>[] = []
    for (let morning = WARM; morning < WARM + DAYS; morning++) {
      const now = START + morning * D + HALF_PAST_EIGHT
      world.setClock(later + now)
      await store(now)
      await world.made()
      const list = await world.list<Entry>(DOCTOR)
      assert.equal(list.length, patients.length)
      for (const entry of list) noteFound(entry, byUid.get(entry.patientUid), now)
      const counts = Object.fromEntries(
        QUEUES.map((queue) => [queue, list.filter((each) => each.queue === queue).length]),
      ) as Record<Queue, number>
      table.push(`${morning - WARM + 1} | ${QUEUES.map((queue) => counts[queue]).join(' | ')}`)
      mornings.push(counts)
      const weekday = new Date(now).getUTCDay()
      if (weekday > 0 && weekday < 6) await lookAtAll(list, { morning, now })
    }
    say(`day | ${QUEUES.join(' | ')}\n${table.join('\n')}`)
    return { patients, mornings }

    /** From the top of the list. After some looks a date is given. */
    async function lookAtAll(list: Entry[], { morning, now }: { morning: number; now: number }) {
      const looked = { actNow: 0, thisWeek: 0, silent: 0 }
      for (const [n, { patientUid, queue, look }] of list.entries()) {
        const drawn = chance.uniform()
        const isHeld = byUid.get(patientUid)?.course?.endsWith('Held') && morning === ONSET - 3
        const isDue =
          (queue === 'actNow' || queue === 'thisWeek' || queue === 'silent') &&
          looked[queue]++ < MOST_LOOKS[queue]
        if (!isHeld && !isDue) continue
        const days = isHeld ? 28 : queue === 'actNow' && drawn < 0.3 ? 3 : drawn < 0.05 ? 14 : undefined
        const at = later + now + n * 1_000
        await world.look(patientUid, DOCTOR, { ...look, at, ...(days && { lookAgainAt: at + days * D }) })
      }
    }
  } finally {
    await world.close()
  }
}

function readingOf({ at, arrives, values, severity }: Person['sent'][number], later: number) {
  const [first, second] = values
  const times = { id: randomUUID(), measuredAt: later + at, receivedAt: later + arrives }
  if (severity)
    return { ...times, type: 'symptom', details: { symptoms: [{ symptom: 'an invented one', severity }] } }
  if (second === undefined)
    return { ...times, type: 'interstitialGlucose', details: { value: first, unit: 'mg/dL' } }
  return {
    ...times,
    type: 'bloodPressure',
    details: { systolic: first, diastolic: second, unit: 'mm[Hg]' },
  }
}

function noteFound({ queue, reasons }: Entry, patient: Patient | undefined, now: number) {
  const course = COURSES.get(patient?.course ?? '')
  if (!patient || !course || patient.foundAfter !== undefined) return
  const days = (now - START) / D - ONSET - course.begins
  const isShown = reasons.some(({ field, ...reason }) => {
    const named = field === undefined ? {} : { field: { name: field } as Reason['field'] }
    return !reason.isSeen && course.shows({ ...reason, ...named } as Reason, patient.mean)
  })
  if (days > 0 && isShown && course.queues.includes(queue)) patient.foundAfter = days
}
