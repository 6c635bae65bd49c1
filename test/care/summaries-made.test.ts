// Random changes by overlapping transactions, while the clock moves on and the keeper is replaced now and then: what was made is always what
// the plain functions make of all readings at once, and no position covers evidence that was not there when it was read.
// To run one again:  SUMMARIES_SEED=123 SUMMARY_CHANGES=300 node --test test/care/summaries-made.test.ts
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { DAY, HOUR, timeOf } from '../../src/modules/care/status/beyond.ts'
import { dropOld } from '../../src/modules/care/summaries/drop-old.ts'
import {
  type JudgedTarget,
  Judging,
  type TypedReading,
} from '../../src/modules/care/summaries/judge-readings.ts'
import { SummaryKeeper } from '../../src/modules/care/summaries/keep-summaries.ts'
import type { Unit } from '../../src/modules/casesheet/catalogue/units.ts'
import { createPatientDigests } from '../../src/modules/casesheet/patient-digest.ts'
import { erasePatient } from '../../src/modules/operators/erase-patient.ts'
import { createRandom, type Random } from '../../tools/simulate/random.ts'
import { openDb } from '../support/copying-follower.ts'
import { createDatabase, runSql } from '../support/harness.ts'
import { until } from '../support/until.ts'

const SEED = Number(process.env['SUMMARIES_SEED'] ?? Date.now() % 1_000_000)
const CHANGES = Number(process.env['SUMMARY_CHANGES'] ?? 240)
const CHANGES_A_ROUND = 60
const WRITERS = 3
const PATIENTS = ['patient-0', 'patient-1', 'patient-2', 'patient-3', 'patient-4'] as const
const DOCTORS = ['doctor-0', 'doctor-1'] as const

type Details = Record<string, unknown>
const KINDS: Record<string, (random: Random) => Details> = {
  bloodPressure: (random) => ({ systolic: Math.round(random.between(90, 187)), diastolic: 80 }),
  interstitialGlucose: (random) =>
    random.chance(0.5)
      ? { value: Math.round(random.between(50, 260)), unit: 'mg/dL' }
      : { value: Math.round(random.between(30, 150)) / 10, unit: 'mmol/L' },
  heartRate: (random) => ({ value: random.pick([50, 70.5, 'high', null]) }),
  symptom: (random) => ({
    symptoms: [{ symptom: 'cough', severity: random.pick(['MILD', 'MODERATE', 'SEVERE']) }],
  }),
  'acme.step': () => ({ value: 1 }),
  aardvark: () => ({}),
}
const TYPES = Object.keys(KINDS) as [string, ...string[]]
const OTHERS = new Set(['acme.step', 'aardvark'])
const FIELDS: Record<string, (random: Random) => [unit: string, fields: object]> = {
  bloodPressure: (random) => ['mm[Hg]', { systolic: { high: random.pick([130, 135]), actAbove: 180 } }],
  interstitialGlucose: (random) =>
    random.chance(0.5)
      ? ['mg/dL', { value: { low: 70, high: 180, farLow: 54, actAbove: 250 } }]
      : ['mmol/L', { value: { low: 3.9, high: 10, actBelow: 3 } }],
  heartRate: () => ['/min', { value: { low: 60 } }],
}

const { ownerUrl, serveUrl } = await createDatabase()
const digests = createPatientDigests(Buffer.alloc(32, 7))
let now = Math.floor(Date.now() / DAY) * DAY + 12 * HOUR
const failures: unknown[] = []
const db = openDb(serveUrl)
const startKeeper = () => new SummaryKeeper(db, { now: () => now, warn: (error) => failures.push(error) })
let keeper = startKeeper()
after(async () => {
  await keeper.stop()
  await db.end()
})

const ADD = `
  insert into casesheet.readings (patient_uid, reading_id, reading_type, measured_at, sent_timestamp, received_at, details)
  values ($1, $2, $3, to_timestamp($4), $4, to_timestamp($5), $6)`
const WITHDRAW = `
  update casesheet.readings
  set withdrawn_by = case when withdrawn_by is null then 'test' end
  where patient_uid = $1
    and reading_id in (select reading_id from casesheet.readings where patient_uid = $1 order by reading_id offset $2 limit 1)`
const SET = `
  insert into casesheet.targets (author_kind, author_id, patient_uid, reading_type, unit, fields, state, set_by)
  values ('doctor', $1, $2, $3, $4, $5, $6, 'test')
  on conflict on constraint targets_once do update
  set unit = excluded.unit, fields = excluded.fields, state = excluded.state`
const GIVE = `
  insert into casesheet.grants (patient_uid, doctor_id, permission, reading_types, state, list_key, changed_by)
  values ($1, $2, $3, $4, $5, 'x', 'test')
  on conflict (patient_uid, doctor_id) do update
  set permission = excluded.permission, reading_types = excluded.reading_types, state = excluded.state`

function randomChange(random: Random): [text: string, values: unknown[]][] {
  const [patient, doctor] = [random.pick(PATIENTS), random.pick(DOCTORS)]
  const chosen = random.between(0, 1)
  if (chosen < 0.6) {
    const type = random.pick(TYPES)
    const received = now - random.between(0, 1) ** 2 * 5 * DAY
    const isLate = random.chance(0.2)
    const measured = random.chance(0.1)
      ? random.pick([0, received + 30 * HOUR, received + 20 * HOUR])
      : received - random.between(0, 1) ** 4 * (isLate ? 60 : 10) * DAY
    const details = JSON.stringify(KINDS[type]?.(random) ?? {})
    const add = (): [string, unknown[]] => [
      ADD,
      [patient, randomUUID(), type, Math.floor(measured) / 1_000, received / 1_000, details],
    ]
    // Some are sent twice.
    return random.chance(0.2) ? [add(), add()] : [add()]
  }
  if (chosen < 0.75) return [[WITHDRAW, [patient, Math.floor(random.between(0, 40))]]]
  if (chosen < 0.88) {
    const type = random.pick(['bloodPressure', 'interstitialGlucose', 'heartRate'])
    const [unit, fields] = FIELDS[type]?.(random) ?? ['', {}]
    const state = random.chance(0.2) ? 'removed' : 'set'
    return [[SET, [doctor, random.chance(0.4) ? null : patient, type, unit, fields, state]]]
  }
  const types = random.chance(0.3) ? random.shuffled(TYPES).slice(0, 3) : null
  const terms = [random.chance(0.7) ? 'manage' : 'view', types, random.chance(0.25) ? 'revoked' : 'given']
  return [[GIVE, [patient, doctor, ...terms]]]
}

async function write(random: Random, count: number) {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  for (let nth = 0; nth < count; nth++) {
    await client.query('begin')
    try {
      for (const [text, values] of randomChange(random)) await client.query(text, values)
      await pause(random.between(0, 60))
      await client.query(random.chance(0.1) ? 'rollback' : 'commit')
    } catch {
      // Two of them wait for each other.
      await client.query('rollback')
    }
  }
  await client.end()
}

type Reading = TypedReading & { readingType: string }
type Grant = { doctor_id: string; permission: string; reading_types: string[] | null }
type Target = { author_id: string; target_id: string; reading_type: string; unit: Unit; fields: object }

async function fromScratch(patient: string) {
  const readings = await runSql<Reading>(
    ownerUrl,
    `select reading_type as "readingType", reading_id as "readingId", details, details ->> 'unit' as unit,
       (extract(epoch from measured_at) * 1000)::float8 as "measuredAt", (extract(epoch from received_at) * 1000)::float8 as "receivedAt"
     from casesheet.readings where patient_uid = $1 and withdrawn_at is null`,
    [patient],
  )
  const grants = await runSql<Grant>(
    ownerUrl,
    "select * from casesheet.grants where patient_uid = $1 and state = 'given'",
    [patient],
  )
  if (grants.length === 0) return []
  const targets = await runSql<Target & { patient_uid: string | null }>(
    ownerUrl,
    "select * from casesheet.targets where state = 'set'",
  )
  const judgedBy = (type: string): JudgedTarget[] =>
    targets
      .filter(
        ({ author_id: author, patient_uid: of, reading_type: judged }) =>
          judged === type &&
          grants.some(
            ({ doctor_id: doctor, permission, reading_types: types }) =>
              doctor === author &&
              (types === null || types.includes(type)) &&
              (of === patient || (of === null && permission === 'manage')),
          ),
      )
      .map(({ target_id: targetId, unit, fields }) => ({
        targetId,
        unit,
        isSensor: type === 'interstitialGlucose',
        ownUnits: {},
        fields: Object.entries(fields).map(([name, field]) => ({ name, ...field })),
      }))
  const today = Math.floor(now / DAY)
  const byType = Map.groupBy(readings, ({ readingType }) => (OTHERS.has(readingType) ? '' : readingType))
  return [...byType].flatMap(([type, ofType]) => {
    const judging = new Judging(judgedBy(type), { summed: (today - 29) * DAY, arrived: (today - 15) * DAY })
    for (const reading of ofType) judging.take(reading)
    const { days, evidence, dataDays } = judging.finish()
    const data = Array.from({ length: 30 }, (_, nth) => Number(dataDays.includes(today - 29 + nth))).join('')
    return [
      ...days.map(
        ({ targetId, day, fields }) =>
          `day ${targetId} ${new Date(day * DAY).toISOString().slice(0, 10)} ${rounded(fields[0]?.sum)} ${rounded(fields[0]?.total)} ${rounded(fields[0]?.below)}`,
      ),
      ...evidence.map(({ kind, targetId, readingId }) => `evidence ${kind} ${targetId} ${readingId}`),
      `newest ${type} ${Math.max(...ofType.map((each) => Math.floor(timeOf(each))))} ${data}`,
    ]
  })
}
const rounded = (value = 0) => Math.round(value * 1e4)

const MADE = `
  select concat_ws(' ', 'day', target_id, day, round(sum[1]::numeric * 10000), round(total[1]::numeric * 10000), round(below[1]::numeric * 10000)) as line
  from care.days where patient_uid = $1
  union all
  select concat_ws(' ', 'evidence', kind, coalesce(target_id::text, 'null'), reading_id) from care.evidence where patient_uid = $1
  union all
  select concat_ws(' ', 'newest', reading_type,
    floor(extract(epoch from case when measured_at - received_at > '24 hours' or measured_at < '2000-01-01Z' then received_at else least(measured_at, received_at) end) * 1000),
    data_days << ($2::date - counted_on))
  from care.newest where patient_uid = $1`

const isQuiet = async () =>
  (
    await runSql(
      ownerUrl,
      `select from casesheet.followers
       where name = 'care:list'
         and not exists (
           select from (
             select changed_xid from casesheet.readings union all select changed_xid from casesheet.targets union all select changed_xid from casesheet.grants
           ) as changes
           where not pg_visible_in_snapshot(changed_xid, done)
         )
         and not exists (select from care.marks)`,
    )
  ).length > 0

/** What a doctor has seen, and up to where. */
const seen = new Map<string, { upTo: number; lines: Set<string> }>()

async function check(patient: string, at: string) {
  const made = (await runSql<{ line: string }>(ownerUrl, MADE, [patient, new Date(now)])).map(
    ({ line }) => line,
  )
  assert.deepEqual(made.toSorted(), (await fromScratch(patient)).toSorted(), `${patient} ${at}`)
  const rows = await runSql<{ line: string; position: number }>(
    ownerUrl,
    "select concat_ws(' ', kind, target_id, field, reading_id) as line, position::float8 from care.evidence where patient_uid = $1",
    [patient],
  )
  const before = seen.get(patient) ?? { upTo: 0, lines: new Set<string>() }
  for (const { line, position } of rows)
    if (position <= before.upTo) assert.ok(before.lines.has(line), `${line} was never shown: ${at}`)
  const [row] = await runSql<{ judged: number }>(
    ownerUrl,
    'select judged::float8 from care.patients where patient_uid = $1',
    [patient],
  )
  if (!row) return
  seen.set(patient, { upTo: row.judged, lines: new Set([...before.lines, ...rows.map(({ line }) => line)]) })
  await runSql(
    ownerUrl,
    `insert into casesheet.looks (seen_up_to, review_id, patient_uid, doctor_id, looked_by, saw, acknowledged, date_says)
     values ($1, gen_random_uuid(), $2, 'doctor-0', 'test', '{}', '{}', 'keep')`,
    [row.judged, patient],
  )
}

test(`what is made is what all readings say, after ${CHANGES} changes (SUMMARIES_SEED=${SEED})`, async () => {
  const random = createRandom(SEED)
  for (let round = 0; round * CHANGES_A_ROUND < CHANGES; round++) {
    const writers = Array.from({ length: WRITERS }, (_, nth) =>
      write(createRandom(SEED, round * WRITERS + nth + 1), CHANGES_A_ROUND / WRITERS),
    )
    await pause(random.between(0, 600))
    await keeper.stop()
    keeper = startKeeper()
    await Promise.all(writers)
    await until(isQuiet, 60_000)
    await dropOld(db, now)
    const at = `after round ${round}, with SUMMARIES_SEED=${SEED}`
    for (const patient of PATIENTS) await check(patient, at)
    if (random.chance(0.5)) now += random.pick([HOUR, DAY, 3 * DAY])
    if (round % 3 !== 2) continue
    const patientUid = random.pick(PATIENTS)
    const erasure = { databaseUrl: ownerUrl, patientUid, erasedBy: 'test', digests, announcedForDays: 30 }
    await erasePatient({ ...erasure, refuseUntil: undefined, isRewritten: false, onProgress: () => {} })
    seen.delete(patientUid)
  }
  assert.deepEqual(failures, [])
})
