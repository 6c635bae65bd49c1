// One row that another transaction holds locked delays the requests that need this row, and no others.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { rowOf } from '../../src/modules/casesheet/add/add-readings.ts'
import { type Answer, assertRefused, type Rounds, runSql, startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'
import { find, scrape } from '../support/scrape.ts'
import { until } from '../support/until.ts'

// The promise: two statement time-outs. On an idle machine this takes a fraction of a second.
const MAX_MS = 11_000

type Symptom = ReturnType<Awaited<ReturnType<typeof newPatient>>['symptom']>

/** Inserts readings in a transaction that stays open; returns how to roll it back. */
async function holdRows({ ownerUrl }: Rounds, readings: Symptom[]) {
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin')
  for (const reading of readings) {
    const row = rowOf(reading as Parameters<typeof rowOf>[0], 'holder')
    await holder.query(
      `insert into casesheet.readings
         (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        row.patientUid,
        row.measuredAt,
        row.readingId,
        row.readingType,
        row.timestamp,
        JSON.stringify(reading),
        row.addedBy,
      ],
    )
  }
  return () => holder.query('rollback')
}

/** When an answer came, counted from the call. */
async function timed(answer: Promise<Answer>) {
  const began = performance.now()
  const { status } = await answer
  return { status, ms: performance.now() - began }
}

test('with one row locked, 80 adds of others are answered soon, and the blocked one when the lock is released', async () => {
  const rounds = await startRounds()
  const [blocked, other] = [await newPatient(rounds), await newPatient(rounds)]
  // Connections that are open already bring all requests at once, so that they share statements.
  await Promise.all(Array.from({ length: 81 }, (_, index) => other.add(other.symptom(1_000 + index))))
  const release = await holdRows(rounds, [blocked.symptom(1)])
  const others = Array.from({ length: 40 }, (_, index) => timed(other.add(other.symptom(10 + index))))
  const waiting = blocked.add(blocked.symptom(1))
  others.push(...Array.from({ length: 40 }, (_, index) => timed(other.add(other.symptom(100 + index)))))
  const answers = await Promise.all(others)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  assert.ok(slowest < MAX_MS, `${slowest} ms`)
  await release()
  assert.equal((await waiting).status, 200)
  assert.equal((await blocked.stored()).length, 1)
})

test('300 adds of one locked row and 100 of other locked rows delay no other request, and each is stored after the release', async () => {
  const rounds = await startRounds()
  const [blocked, other] = [await newPatient(rounds), await newPatient(rounds)]
  const locked = Array.from({ length: 101 }, (_, index) => blocked.symptom(1 + index))
  const release = await holdRows(rounds, locked)
  const adds = [...Array<number>(200).fill(0), ...locked.keys(), ...Array<number>(100).fill(0)]
  const waiting = adds.map((index) => blocked.add(locked[index]))
  // These come one after another, so that each may share a statement with some of those.
  for (let round = 0; round < 20; round++) {
    const { status, ms } = await timed(other.add(other.symptom(round)))
    assert.deepEqual([status, ms < MAX_MS], [200, true], `${ms} ms`)
  }
  // A reading of the same patient that nobody holds is not blocked.
  const { status, ms } = await timed(blocked.add(blocked.symptom(5_000)))
  assert.deepEqual([status, ms < 11_000], [200, true], `${ms} ms`)
  await release()
  assert.deepEqual(new Set((await Promise.all(waiting)).map((answer) => answer.status)), new Set([200]))
  assert.equal((await blocked.stored()).length, 102)
})

test('a request whose row stays locked is 503 at its deadline', async () => {
  const rounds = await startRounds({ REQUEST_DEADLINE_SECONDS: '2' })
  const blocked = await newPatient(rounds)
  const release = await holdRows(rounds, [blocked.symptom(1)])
  const began = performance.now()
  assertRefused(await blocked.add(blocked.symptom(1)), 503, 'DatabaseUnavailable')
  assert.ok(performance.now() - began > 1_900)
  await release()
  assert.equal((await blocked.add(blocked.symptom(1))).status, 200)
})

test('while a partition is written anew, adds of patients in others are stored, and every read waits until it is done', async () => {
  const rounds = await startRounds()
  const patient = await newPatient(rounds)
  await patient.add(patient.symptom(1))
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  // What `vacuum full` takes, of a partition that the patient is not in.
  const { rows } = await holder.query<{ name: string }>(
    `select relid::regclass::text as name
     from pg_partition_tree('casesheet.readings')
     where isleaf
       and relid not in (select tableoid from casesheet.readings)
     limit 1`,
  )
  await holder.query(`begin; lock table ${rows[0]?.name} in access exclusive mode`)
  let isRead = false
  const read = patient.get().finally(() => (isRead = true))
  assert.equal((await patient.add(patient.symptom(2))).status, 200)
  // Its statement is refused the lock, and repeated, for longer than a second by the clock of the server.
  const [since] = await runSql<{ at: string }>(rounds.ownerUrl, 'select now()::text as at')
  await until(async () => (await runSql(rounds.ownerUrl, WAITING_AFTER, [since?.at])).length > 0)
  assert.equal(isRead, false)
  await holder.query('commit')
  assert.equal((await read).status, 200)
})

const WAITING_AFTER = `
  select
  from pg_stat_activity
  where datname = current_database()
    and wait_event_type = 'Lock'
    and query_start > $1::timestamptz + interval '1 second'`

test('a process that is asked to stop answers what waits for a lock, once it is released', async () => {
  const rounds = await startRounds()
  const { add, symptom } = await newPatient(rounds)
  const release = await holdRows(rounds, [symptom(1)])
  const waiting = add(symptom(1))
  await until(
    async () =>
      find(await scrape(rounds.adminUrl), 'rounds_blocked_requests', { kind: 'add' })[0]?.value === 1,
  )
  const stopped = rounds.stop()
  await until(() => rounds.log().includes('"msg":"stopping"'))
  await release()
  assert.equal((await waiting).status, 200)
  await stopped
})
