// Open alerts are a function of the readings, the rules, the grants and the clock, whatever came in which order: after every few changes, what
// the evaluation has stored is what the plain model says of all readings; and of each alert the events come in order, each once.
//   ALERTS_SEED=1 ALERTS_OPERATIONS=5000 npm run test:one alerts-model
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createRandom } from '../../tools/simulate/random.ts'
import { startEvaluating } from '../support/evaluated-alerts.ts'
import {
  type ModelAlert,
  type ModelReading,
  type ModelRule,
  type ModelTerms,
  openAlert,
} from './alerts-model.ts'

const SEED = Number(process.env['ALERTS_SEED'] ?? Date.now() % 1_000_000)
const OPERATIONS = Number(process.env['ALERTS_OPERATIONS'] ?? 600)
const PATIENTS = 20
const MOST_OF_SECOND = 2
const MINUTE = 60_000
const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE]
const START = Math.floor(Date.now() / DAY) * DAY - 60 * DAY
const IN_ORDER = /^opened( reopened)*( opened)?( (ended|reopened|opened))*$/

const beats = { unit: '/min' }
const RULES: readonly [readingType: string, field: string | null, terms: ModelTerms][] = [
  ['heartRate', 'value', { ...beats, value: { above: 130, times: 1 } }],
  ['heartRate', 'value', { ...beats, value: { above: 120, times: 1 }, clear: { below: 100 } }],
  ['heartRate', 'value', { ...beats, value: { above: 110, times: 3, within: 4 * HOUR } }],
  [
    'heartRate',
    'value',
    { ...beats, value: { below: 60, times: 2, within: 6 * HOUR }, clear: { above: 70 } },
  ],
  ['heartRate', 'value', { ...beats, change: { by: 40, within: 5 * HOUR } }],
  ['heartRate', 'value', { ...beats, change: { by: -40, within: 8 * HOUR } }],
  ['heartRate', null, { missing: { for: 6 * HOUR } }],
  ['symptom', null, { symptom: { severity: 'MODERATE' } }],
]
const duration = (ms: number) => `PT${ms / MINUTE}M`
const stored = ({ value, change, missing, ...others }: ModelTerms) => ({
  ...others,
  ...(value && { value: { ...value, ...(value.within && { within: duration(value.within) }) } }),
  ...(change && { change: { ...change, within: duration(change.within) } }),
  ...(missing && { missing: { for: duration(missing.for) } }),
})

const random = createRandom(SEED)
const whole = (min: number, max: number) => Math.floor(random.between(min, max + 1))

type Rule = Omit<ModelRule, 'begin'> & { doctorId: string; setAt: number }

const WHAT = [
  'add',
  'add',
  'add',
  'add',
  'add',
  'late',
  'withdraw',
  'withdraw',
  'withdraw',
  'set',
  'set',
  'remove',
  'share',
  'share',
  'revoke',
] as const

/** Where slices end, what comes from a clock that is ahead counts a little later. */
function newPatient(mayBeAhead: boolean) {
  const patientUid = `patient-${randomUUID()}`
  const readings: ModelReading[] = []
  const rules: Rule[] = []
  const grants = new Map<string, number>()
  const doctors = [0, 1].map((nth) => `${nth}-of-${patientUid}`)

  return {
    patientUid,
    expected: (now: number): ModelAlert[] =>
      rules
        .flatMap((rule) => {
          const givenAt = grants.get(rule.doctorId)
          return givenAt === undefined
            ? []
            : (openAlert({ ...rule, begin: Math.max(rule.setAt, givenAt) }, readings, now) ?? [])
        })
        .toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1)),

    async happens(
      stage: Awaited<ReturnType<typeof startEvaluating>>,
      now: number,
      wanted?: 'share' | 'set',
    ): Promise<string> {
      const doctorId = random.pick([doctors[0] ?? '', doctors[1] ?? ''])
      const what = wanted ?? random.pick(WHAT)
      if (what === 'add' || what === 'late') {
        const added = Array.from({ length: whole(1, 4) }, () =>
          newReading(now, { isLate: what === 'late', mayBeAhead }, readings),
        )
        readings.push(...added)
        await stage.write(patientUid, added)
        return `add ${JSON.stringify(added)}`
      }
      if (what === 'withdraw') {
        // Mostly of the last, on which most alerts depend.
        const from = random.chance(0.7) ? Math.max(0, readings.length - 12) : 0
        const reading = readings[whole(from, readings.length - 1)]
        if (!reading) return ''
        reading.isWithdrawn = !reading.isWithdrawn
        await stage.write(patientUid, [reading])
        return `withdraw or restore ${reading.id}`
      }
      if (what === 'set') {
        const [readingType, field, terms] = RULES[whole(0, RULES.length - 1)] ?? assert.fail()
        if (rules.some((rule) => rule.doctorId === doctorId && rule.terms === terms)) return ''
        const isForAll = random.chance(0.3)
        const rule = {
          patientUid: isForAll ? null : patientUid,
          doctorId,
          readingType,
          field,
          terms: stored(terms),
        }
        const ruleId = await stage.setRule(rule, now)
        rules.push({ ruleId, readingType, terms, isForAll, doctorId, setAt: now })
        return `set ${JSON.stringify(rules.at(-1))}`
      }
      if (what === 'remove') {
        const [rule] = rules.splice(whole(0, 20), 1)
        if (rule) await stage.removeRule(rule.ruleId)
        return `remove ${rule?.ruleId}`
      }
      if (what === 'share') {
        if (grants.has(doctorId)) return ''
        grants.set(doctorId, now)
        await stage.share(patientUid, doctorId, now)
        return `share ${doctorId}`
      }
      grants.delete(doctorId)
      await stage.revoke(patientUid, doctorId)
      return `revoke ${doctorId}`
    },
  }
}

function newReading(
  now: number,
  { isLate, mayBeAhead }: { isLate: boolean; mayBeAhead: boolean },
  readings: readonly ModelReading[],
): ModelReading {
  const other = readings[whole(0, readings.length - 1)]
  const times = { measuredAt: now - (isLate ? whole(0, 5 * DAY) : whole(0, 3 * HOUR)), receivedAt: now }
  if (mayBeAhead && random.chance(0.05)) times.measuredAt = now + whole(0, 30 * HOUR)
  if (random.chance(0.05)) times.measuredAt = Date.parse('1999-12-31')
  if (random.chance(0.2))
    return {
      id: randomUUID(),
      readingType: 'symptom',
      ...times,
      details: {
        symptoms: [{ symptom: 'tired', severity: random.pick(['MILD', 'MODERATE', 'SEVERE', 'AWFUL']) }],
      },
    }
  // The same again in the same second. Of a second no more is looked at than a slice holds.
  const second = other && Math.floor(other.measuredAt / 1_000)
  const ofSecond = readings.filter(({ measuredAt }) => Math.floor(measuredAt / 1_000) === second).length
  if (other?.readingType === 'heartRate' && ofSecond < MOST_OF_SECOND && random.chance(0.1))
    return {
      ...other,
      id: randomUUID(),
      measuredAt: Math.floor(other.measuredAt / 1_000) * 1_000 + whole(0, Math.min(999, now % 1_000)),
      receivedAt: now,
      isWithdrawn: false,
    }
  const details = random.chance(0.05)
    ? { outOfRange: random.pick(['low', 'high']) }
    : random.chance(0.05)
      ? {}
      : { value: 10 * whole(4, 17) }
  return { id: randomUUID(), readingType: 'heartRate', ...times, details }
}

for (const [name, sizes] of [
  ['', undefined],
  [', a few readings at a time', { first: MOST_OF_SECOND, further: 5 }],
] as const)
  test(`open alerts are what a plain model says${name} (ALERTS_SEED=${SEED})`, async (t) => {
    const stage = await startEvaluating()
    t.after(stage.end)
    const patients = Array.from({ length: PATIENTS }, () => newPatient(sizes === undefined))
    const happened = new Map<string, string[]>(patients.map(({ patientUid }) => [patientUid, []]))
    let now = START
    let open = 0
    for (const patient of patients) {
      await patient.happens(stage, now, 'share')
      await patient.happens(stage, now, 'set')
    }
    for (let count = 0; count < OPERATIONS / 2; count += PATIENTS) {
      now += whole(1, 5 * HOUR)
      for (const patient of patients)
        happened.get(patient.patientUid)?.push(`${now}: ${await patient.happens(stage, now)}`)
      await stage.evaluate(now, sizes)
      for (const { patientUid, expected } of patients) {
        const should = expected(now)
        const is = await stage.open(patientUid)
        open += is.length
        const shown = (alerts: readonly Omit<ModelAlert, 'isFresh'>[]) =>
          alerts.map(({ ruleId, since, value }) => ({ ruleId, since, value }))
        const history = () =>
          `${JSON.stringify({ should, is }, null, 1)} at ${now} after\n${happened.get(patientUid)?.join('\n')}`
        assert.deepEqual(shown(is), shown(should), history())
        for (const [nth, { isFresh }] of should.entries()) assert.ok(!(isFresh && is[nth]?.isLate), history())
      }
    }
    for (const { patientUid } of patients)
      for (const said of await stage.said(patientUid)) assert.match(said, IN_ORDER)
    // Between 28 and 116 of 600, since more is withdrawn: fewer would compare nothing with nothing.
    assert.ok(open > OPERATIONS / 60, `only ${open} were open`)
  })
