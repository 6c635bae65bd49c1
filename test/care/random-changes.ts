// Changes of everything on which summaries depend, in an order that a seed repeats: readings of several types and units, also odd ones, late ones
// and ones ahead of the clock; corrections, targets and grants; doctors who ask in several time zones; and a clock that moves on.
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Random } from '../../tools/simulate/random.ts'
import { giveText, REVOKE } from '../support/grants-by-hand.ts'
import { endOfDay } from './summaries-by-hand.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
export const DOCTORS = ['doctor-a', 'doctor-b', 'doctor-c'] as const
export const PATIENTS = Array.from({ length: 12 }, (_, nth) => `patient-${nth}`) as [string, ...string[]]
/** In some of them days begin at one o'clock now and then, or midnight comes twice. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Apia',
  'America/Havana',
  'Africa/Cairo',
  'Atlantic/Azores',
] as const
/** Hours before clocks are put forward or back in one of these zones. */
export const STARTS = [
  '2026-10-23T20:00:00Z',
  '2026-10-28T12:00:00Z',
  '2026-10-31T01:00:00Z',
  '2027-03-12T23:00:00Z',
  '2027-03-26T20:00:00Z',
  '2027-04-28T20:00:00Z',
] as const

/** Among others the bounds of targets, and what becomes them in another unit. */
const NUMBERS: Record<string, readonly [number, ...number[]]> = {
  'mmol/L': [2.9, 3, 3.9, 5.5, 9.9, 10, 10.1, 13.9, 14, 23],
  'mg/dL': [53, 54, 69, 70, 71, 180, 181, 250, 251, 400],
  Cel: [35.9, 36.6, 37.5, 38, 38.1, 40.2],
  '[degF]': [96.6, 98.6, 99.5, 100.4, 100.5, 104],
  kg: [70, 71.4, 75, 75.1],
  g: [70_010, 75_020, 75_140, 3_480],
  '[lb_av]': [150, 160.5, 165.3, 165.4],
}
const ODD = [
  null,
  'high',
  '',
  '12',
  true,
  [6],
  { value: 6 },
  0,
  -5,
  1e21,
  1e-7,
  1e99,
  -1e99,
  1e100,
  1.7e308,
  5e-324,
  0.1 + 0.2,
] as const
const SOURCES = [undefined, { kind: 'device' }, { kind: 'manual' }, { kind: ['device'] }, 'device'] as const

type Details = Record<string, unknown>
const ofUnits =
  (...units: [string, ...string[]]) =>
  (random: Random): Details => {
    const unit = random.pick(units)
    const number = random.chance(0.5)
      ? random.pick(NUMBERS[unit] ?? [1])
      : Math.round(random.between(0, 60) * 10) / 10
    return { value: number, ...(random.chance(0.9) ? { unit } : {}) }
  }
const pick = (...values: [unknown, ...unknown[]]) => ({ pick: (random: Random) => random.pick(values) })

const KINDS: Record<string, (random: Random) => Details> = {
  interstitialGlucose: ofUnits('mmol/L', 'mg/dL'),
  bloodGlucose: ofUnits('mmol/L', 'mg/dL'),
  bodyTemperature: ofUnits('Cel', '[degF]'),
  bodyWeight: ofUnits('kg', 'g', '[lb_av]'),
  bloodPressure: (random) => ({
    systolic: pick(118, 129, 130, 134, 135, 178).pick(random),
    diastolic: pick(70, 79, 80, 84, 85, 112).pick(random),
    ...(random.chance(0.5) ? { pulse: pick(50, 72, 120).pick(random) } : {}),
  }),
  sleep: (random) => ({
    value: pick(300, 420, 480).pick(random),
    deep: pick(0, 60, 90).pick(random),
    rem: 70,
  }),
  heartRate: (random) => ({ value: Math.round(random.between(40, 180)) }),
  symptom: () => ({ text: 'cough' }),
  'acme.step': () => ({ value: 1 }),
  aardvark: () => ({ note: 'sorts before all' }),
  zebra: () => ({ note: 'sorts after all' }),
}
const TYPES = Object.keys(KINDS) as [string, ...string[]]

function detailsOf(random: Random, type: string): Details {
  const details = KINDS[type]?.(random) ?? {}
  const fields = Object.keys(details) as [string, ...string[]]
  if (random.chance(0.12)) details[random.pick(fields)] = random.pick(ODD)
  if (random.chance(0.05)) delete details[random.pick(fields)]
  if (random.chance(0.03)) details['unit'] = random.pick(['furlong', null, 5, 'mg/dl'])
  const source = random.pick(SOURCES)
  return source === undefined ? details : { ...details, source }
}

/** Now, late or ahead; often at a quarter of an hour or where a local day begins, and sometimes to the microsecond. */
function timeOf(random: Random, now: number, zone: string): string {
  let at = now - random.between(0, 1) ** 3 * 20 * DAY
  if (random.chance(0.15)) at = now - random.between(20, 60) * DAY
  if (random.chance(0.12)) at = now + random.pick([4, 5, 6, 30, 600, 3_000]) * MINUTE * random.between(0.5, 1)
  if (random.chance(0.05)) at = now + 5 * MINUTE - random.pick([0, 1])
  if (random.chance(0.3)) at = Math.round(at / (15 * MINUTE)) * 15 * MINUTE
  if (random.chance(0.15)) at = endOfDay(at * 1_000, zone) / 1_000 - random.pick([0, 0, 1, 2 * HOUR])
  const micros = random.chance(0.3) ? String(Math.floor(random.between(0, 1_000))).padStart(3, '0') : '000'
  return new Date(Math.floor(at)).toISOString().replace('Z', `${micros}Z`)
}

const ADD = `
  insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  select patient_uid, measured_at, reading_id, reading_type, 1, details, 'test'
  from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::text[], $5::json[]) as new (patient_uid, measured_at, reading_id, reading_type, details)
  on conflict do nothing`

/** Withdraws some readings of a patient, or restores what was withdrawn. */
const CORRECT = `
  update casesheet.readings
  set withdrawn_by = case when withdrawn_by is null then 'test' end
  where (patient_uid, measured_at, reading_id) in (
    select patient_uid, measured_at, reading_id
    from casesheet.readings
    where patient_uid = $1
      and measured_at > $2::timestamptz - interval '40 days'
    order by reading_id
    offset $3::integer
    limit $4::integer
  )`

const SET = `
  insert into casesheet.targets (patient_uid, reading_type, field, low, high, below, unit, preset, changed_by, allowed_as)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 'test', 'patient')
  on conflict (patient_uid, reading_type, field) do update
  set state = 'set', low = excluded.low, high = excluded.high, below = excluded.below, unit = excluded.unit, preset = excluded.preset`

const REMOVE = `
  update casesheet.targets
  set state = 'removed'
  where patient_uid = $1
    and reading_type = $2
    and state = 'set'`

type Range = [
  type: string,
  field: string,
  low: number | null,
  high: number | null,
  below: number | null,
  unit: string,
  preset: string | null,
]
const TARGETS: readonly [Range[], ...Range[][]] = [
  [['interstitialGlucose', 'value', 3.9, 10, null, 'mmol/L', 'sensor-glucose']],
  [['interstitialGlucose', 'value', 70, 180, null, 'mg/dL', 'sensor-glucose']],
  [['interstitialGlucose', 'value', 3.9, null, 10, 'mmol/L', null]],
  [['bloodGlucose', 'value', 70, 180, null, 'mg/dL', null]],
  [['bloodGlucose', 'value', 0, null, null, 'mmol/L', null]],
  [
    ['bloodPressure', 'systolic', null, null, 135, 'mm[Hg]', 'home-blood-pressure-esh'],
    ['bloodPressure', 'diastolic', null, null, 85, 'mm[Hg]', 'home-blood-pressure-esh'],
  ],
  [['bloodPressure', 'systolic', 100, 130, null, 'mm[Hg]', null]],
  [['bloodPressure', 'pulse', 55, 100, null, '/min', null]],
  [['bodyTemperature', 'value', null, 38, null, 'Cel', null]],
  [['bodyTemperature', 'value', 97, 100.4, null, '[degF]', null]],
  [['bodyWeight', 'value', null, 75, null, 'kg', null]],
  [['bodyWeight', 'value', 3_500, null, 75_100, 'g', null]],
  [['bodyWeight', 'value', null, null, 165.4, '[lb_av]', null]],
  [['sleep', 'value', 400, null, null, 'min', null]],
  [
    ['sleep', 'deep', 30, null, null, 'min', null],
    ['sleep', 'rem', null, 60, null, 'min', null],
  ],
  [['heartRate', 'value', 50, 120, null, '/min', null]],
]

type Statement = [text: string, values: unknown[]]
export type Change = { statements: Statement[]; count: number }

/** Some statements of a transaction, and how many rows they concern. */
export function randomChange(random: Random, now: number): Change {
  const patient = random.pick(PATIENTS)
  const chosen = random.between(0, 1)
  if (chosen < 0.55) {
    const isOneType = random.chance(0.5)
    const [type, zone] = [random.pick(TYPES), random.pick(ZONES)]
    const readings = Array.from({ length: Math.ceil(random.between(0, 1) ** 4 * 30) || 1 }, () => {
      const ofType = isOneType ? type : random.pick(TYPES)
      return [
        patient,
        timeOf(random, now, zone),
        randomUUID(),
        ofType,
        JSON.stringify(detailsOf(random, ofType)),
      ]
    })
    const column = (nth: number) => readings.map((reading) => reading[nth])
    return { statements: [[ADD, [0, 1, 2, 3, 4].map(column)]], count: readings.length }
  }
  if (chosen < 0.75) {
    const count = Math.ceil(random.between(0, 3))
    const values = [patient, new Date(now).toISOString(), Math.floor(random.between(0, 60)), count]
    return { statements: [[CORRECT, values]], count }
  }
  if (chosen < 0.88) {
    const ranges = random.pick(TARGETS)
    if (random.chance(0.35)) return { statements: [[REMOVE, [patient, ranges[0]?.[0]]]], count: 1 }
    return { statements: ranges.map((range) => [SET, [patient, ...range]]), count: ranges.length }
  }
  const doctorId = random.pick(DOCTORS)
  if (random.chance(0.3)) return { statements: [[REVOKE, [patient, doctorId, 'test']]], count: 1 }
  const limits = random.chance(0.4) ? { readingTypes: random.shuffled(TYPES).slice(0, 2) } : {}
  return { statements: [giveText({ patientUid: patient, doctorId, ...limits })], count: 1 }
}

export async function apply(client: Client, { statements }: Change) {
  for (const [text, values] of statements) await client.query(text, values)
}

/** How far the clock moves on: mostly a little, sometimes up to where a local day ends, and now and then by days. */
export function moveClock(random: Random, now: number): number {
  const chosen = random.between(0, 1)
  if (chosen < 0.4) return now + Math.floor(random.between(0, 20 * MINUTE))
  if (chosen < 0.6) return now + Math.floor(random.between(0, 5 * HOUR))
  if (chosen < 0.8) return endOfDay(now * 1_000, random.pick(ZONES)) / 1_000 - random.pick([0, 1, 60_000])
  return now + Math.floor(random.between(0, random.chance(0.1) ? 33 * DAY : 2 * DAY))
}
