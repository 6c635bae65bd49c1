// The cases of the judgement over HTTP: their readings, targets and looks are stored as if they had come at their times, the service makes
// what it judges by, and the list of a doctor says what the function says of the facts by hand. Left out are cases with alerts, which rules
// open, and cases of a practice.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Facts, Look, Who } from '../../../src/modules/care/status/facts.ts'
import type { Status } from '../../../src/modules/care/status/reason.ts'
import { statusOf } from '../../../src/modules/care/status/status-of.ts'
import { startRounds } from '../../support/harness.ts'
import { until } from '../../support/until.ts'
import { type Case, cases } from './cases.ts'
import { D, NOW } from './facts-by-hand.ts'
import { readingsOf, type StoredReading, storedType, targetsOf } from './stored-facts.ts'

/** Noon of tomorrow: the server's clock is put there. The cases count from a noon too. */
const NOON = (Math.floor(Date.now() / D) + 1) * D + D / 2
const at = (time: number) => new Date(time - NOW + NOON).toISOString()

type Stored = { case: Case; patientUid: string; readings: StoredReading[]; ids: Map<string, string> }

const isOfPractice = ({ is }: Who) => is === 'practice'
const isStorable = ({ facts: { alerts, targets, looks } }: Case) =>
  alerts.length === 0 &&
  ![...targets.map(({ author }) => author), ...looks.map(({ by }) => by)].some(isOfPractice)

/** Facts by hand that no readings have: why. */
const NOT_STORED: Record<string, string> = {}

const rounds = await startRounds({ MODULES: 'casesheet,care' })
rounds.skip(NOON - Date.now())
const database = new Client({ connectionString: rounds.ownerUrl })
await database.connect()
// Times are stored as they are given; rows are changes all the same.
await database.query('set session_replication_role = replica')

const doctorOf = (patientUid: string, { is, name }: Who) => `${is === 'me' ? 'me' : name} of ${patientUid}`

async function storeGrant(patientUid: string, doctorId: string, until?: number) {
  await database.query(
    `insert into casesheet.grants (patient_uid, doctor_id, grant_id, permission, valid_until, list_key, given_at, changed_by, changed_at, changed_xid)
    values ($1, $2, $3, 'manage', $4, $1, $5, 'test', $5, pg_current_xact_id())`,
    [patientUid, doctorId, randomUUID(), until === undefined ? 'infinity' : at(until), at(NOW - 100 * D)],
  )
}

async function storePatient({ case: { facts }, patientUid }: Stored) {
  const authors = facts.targets.map(({ author }) => author).filter(({ is }) => is === 'other')
  const others = new Set(authors.filter(({ manages }) => manages).map((who) => doctorOf(patientUid, who)))
  await storeGrant(patientUid, doctorOf(patientUid, { name: '', is: 'me', manages: true }), facts.sharedUntil)
  for (const doctorId of others) await storeGrant(patientUid, doctorId)
  for (const [n, target] of targetsOf(facts).entries()) {
    const who = facts.targets[n]!.author
    await database.query(
      `insert into casesheet.targets
        (set_at, changed_xid, target_id, author_kind, author_id, patient_uid, reading_type, unit, fields, expect_every, set_by)
      values ($1, pg_current_xact_id(), $2, $3, $4, $5, $6, $7, $8, $9, 'test')`,
      [
        at(target.setAt),
        randomUUID(),
        who.is === 'patient' ? 'patient' : 'doctor',
        who.is === 'patient' ? patientUid : doctorOf(patientUid, who),
        target.isForAll ? null : patientUid,
        target.type,
        target.unit ?? '/min',
        JSON.stringify(target.fields),
        target.expectEvery,
      ],
    )
  }
}

async function storeReadings(patientUid: string, readings: StoredReading[], ids: Stored['ids']) {
  const rows = readings.map(({ id, type, measuredAt, receivedAt, details }) => {
    const stored = randomUUID()
    ids.set(id, stored)
    return { id: stored, type, measured: at(measuredAt), received: at(receivedAt), details }
  })
  await database.query(
    `insert into casesheet.readings (measured_at, sent_timestamp, received_at, changed_xid, reading_id, patient_uid, reading_type, details)
    select measured, extract(epoch from measured), received, pg_current_xact_id(), id, $1, type, details
    from json_to_recordset($2::json) as row (id uuid, type text, measured timestamptz, received timestamptz, details json)`,
    [patientUid, JSON.stringify(rows)],
  )
}

/** Until everything that was stored is made. */
async function made() {
  const { rows } = await database.query<{ now: string }>('select clock_timestamp()::text as now')
  await until(async () => {
    const found = await database.query<{ is_made: boolean }>(
      `select not exists (select from care.marks)
        and exists (select from casesheet.followers where name = 'care:list' and caught_up_at > $1::timestamptz) as is_made`,
      [rows[0]?.now],
    )
    return found.rows[0]?.is_made === true
  })
}

async function judged(patientUid: string): Promise<number> {
  const { rows } = await database.query<{ judged: string }>(
    'select judged from care.patients where patient_uid = $1',
    [patientUid],
  )
  return Number(rows[0]?.judged)
}

/** What a look says that it saw, with the types and readings as they are stored. */
const sawOf = (key: string, ids: Stored['ids']) =>
  key
    .replace(/^(goal|mean|fall) (.+?)\./, (_all, kind, name) => `${kind} ${storedType(name)}.`)
    .replace(
      /^silent (.+?) (\S+ \d+|none)=/,
      (_all, name, id) => `silent ${storedType(name)} ${ids.get(id) ?? randomUUID()}=`,
    )

async function storeLook({ patientUid, ids }: Stored, look: Look, positions: Map<number, number>) {
  const upTo = [...positions].filter(([position]) => position <= look.seenUpTo).at(-1)?.[1] ?? 0
  const says = look.lookAgainAt === undefined ? 'keep' : look.lookAgainAt === null ? 'none' : 'set'
  await database.query(
    `insert into casesheet.looks (at, changed_xid, seen_up_to, look_again_at, review_id, patient_uid, doctor_id, looked_by, saw, acknowledged, date_says)
    values ($1, pg_current_xact_id(), $2, $3, $4, $5, $6, 'test', $7, '{}', $8)`,
    [
      at(look.at),
      upTo,
      says === 'set' ? at(look.lookAgainAt ?? NaN) : null,
      randomUUID(),
      patientUid,
      doctorOf(patientUid, look.by),
      look.saw.map((key) => sawOf(key, ids)),
      says,
    ],
  )
}

/** What is compared: what a list says of a patient, without its figures. */
const saidBy = ({ queue, reasons, lacks }: Status) => ({
  queue,
  reasons: reasons.map(({ code, isSeen, isLate = false }) => ({ code, isSeen, isLate })),
  notJudged: lacks
    .map(({ why, readingType }) => `${why} ${readingType ? storedType(readingType) : ''}`)
    .sort(),
})

type Listed = {
  queue: string
  reasons: { code: string; isSeen: boolean; isLate?: boolean }[]
  notJudged: { why: string; readingType?: string }[]
}
const saidOverHttp = ({ queue, reasons, notJudged }: Listed) => ({
  queue,
  reasons: reasons.map(({ code, isSeen, isLate = false }) => ({ code, isSeen, isLate })),
  notJudged: notJudged.map(({ why, readingType }) => `${why} ${readingType ?? ''}`).sort(),
})

const stored = cases
  .filter((each) => isStorable(each) && NOT_STORED[each.said] === undefined)
  .map(
    (each): Stored => ({
      case: each,
      patientUid: `patient-${randomUUID()}`,
      readings: readingsOf(each.facts),
      ids: new Map(),
    }),
  )

/** The readings of one position are judged before those of the next. */
const positionsOf = (facts: Facts, readings: StoredReading[]) =>
  [
    ...new Set([
      1,
      ...readings.map(({ position }) => position),
      ...facts.looks.map(({ seenUpTo }) => seenUpTo),
    ]),
  ].sort((a, b) => a - b)
const positions = new Map(stored.map((each) => [each, new Map<number, number>()]))

for (const each of stored) await storePatient(each)
const turns = Math.max(...stored.map((each) => positionsOf(each.case.facts, each.readings).length))
for (let turn = 0; turn < turns; turn++) {
  for (const each of stored) {
    const position = positionsOf(each.case.facts, each.readings)[turn]
    const readings = each.readings.filter((reading) => reading.position === position)
    if (readings.length > 0) await storeReadings(each.patientUid, readings, each.ids)
  }
  await made()
  for (const each of stored) {
    const position = positionsOf(each.case.facts, each.readings)[turn]
    if (position !== undefined) positions.get(each)?.set(position, await judged(each.patientUid))
  }
}
for (const each of stored)
  for (const look of each.case.facts.looks) await storeLook(each, look, positions.get(each) ?? new Map())
await database.end()

for (const {
  case: { group, said, facts },
  patientUid,
} of stored)
  test(`${group}: ${said}`, async () => {
    const doctorId = doctorOf(patientUid, { name: '', is: 'me', manages: true })
    const exp = Math.floor(NOON / 1_000) + 600
    const token = await rounds.token({ doctorId, sub: doctorId, exp, iat: Math.floor(NOON / 1_000) - 60 })
    const { status, text, json } = await rounds.call('/care/patients/list', { token })
    assert.equal(status, 200, text)
    const [entry] = json.data as Listed[]
    assert.ok(entry, text)
    assert.deepEqual(saidOverHttp(entry), saidBy(statusOf(facts, NOW)), text)
  })

test('the cases over HTTP are many, and of all windows', () => {
  assert.ok(stored.length >= 100, `${stored.length} cases`)
})
