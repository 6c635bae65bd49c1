// Processes that mark changes or evaluate alert rules are killed, frozen and cut off in the middle of it, while readings are added and
// withdrawn: another process goes on, within five seconds with what was not taken, and the alerts are those that the readings give, each
// announced once. Neither does a patient whose
// rules cannot be evaluated, or take long, hold up the others; and what Rounds missed while it was away is no missing reading.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { AUDIENCE, runSql, startRounds } from '../support/harness.ts'
import { messagesIn, serveInProcess } from '../support/process.ts'
import { find, scrape } from '../support/scrape.ts'
import {
  alertsOf,
  differenceOf,
  isSaidInOrder,
  readingsOf,
  setThreshold,
} from '../support/threshold-alerts.ts'
import { until } from '../support/until.ts'

const MAX_GAP_MS = 5_000
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
/** Readings of the last 24 hours are not late, so that their alerts are announced. */
const FIRST_MS = 20 * HOUR_MS
const STEP_MS = MINUTE_MS
/** What a process has taken is free after ten seconds. */
const MAX_TAKEN_MS = 10_000
const LONG = 200_000
const MAX_DELAY_MS = 3_000
const PREFIX = 'alerts:rules'

type Serving = Awaited<ReturnType<typeof serveInProcess>>

/** A database, to which readings come through a process that evaluates no rules. */
async function startStage() {
  const rounds = await startRounds()
  const { ownerUrl, issuer } = rounds
  /** Its sessions have this name. */
  const start = (name = 'rounds') =>
    serveInProcess({
      DATABASE_URL: `${rounds.serveUrl}${rounds.serveUrl.includes('?') ? '&' : '?'}application_name=${name}`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      LOG_LEVEL: 'warn',
      MODULES: 'casesheet,care',
      ALERTS: 'on',
    })
  async function newPatient(daysAgo = 2) {
    const uid = `patient-${randomUUID()}`
    await setThreshold(ownerUrl, uid, daysAgo)
    const token = await rounds.token({ patientUid: uid })
    const post = async (verb: string, body: object) => {
      const { status, text } = await rounds.call(`/casesheet/readings/${verb}`, {
        token,
        body: { patientUid: uid, ...body },
      })
      assert.equal(status, 200, text)
    }
    return {
      uid,
      add: (value: number, timestamp: number) =>
        post('add', { readingType: 'heartRate', value, timestamp: Math.floor(timestamp) }),
      withdraw: (readingId: string, timestamp: number) =>
        post('withdraw', { readingId, timestamp, reason: 'mistyped' }),
    }
  }
  return { ownerUrl, start, newPatient }
}

type Stage = Awaited<ReturnType<typeof startStage>>
type Patient = Awaited<ReturnType<Stage['newPatient']>>

/** Adds readings that go up and down, some late, and withdraws some, until it is stopped. */
function keepChanging({ ownerUrl }: Stage, patients: Patient[]) {
  const over = new AbortController()
  const startMs = Date.now() - FIRST_MS
  async function work() {
    for (let turn = 2 * patients.length; !over.signal.aborted; turn++) {
      const patient = patients[turn % patients.length] ?? assert.fail()
      const step = Math.floor(turn / patients.length) - (Math.random() < 0.1 ? 1.5 : 0)
      await patient.add(Math.random() < 0.5 ? 140 : 80, startMs + step * STEP_MS)
      if (Math.random() < 0.1) await withdrawOne(patient)
      await pause(20)
    }
  }
  async function withdrawOne(patient: Patient) {
    const readings = (await readingsOf(ownerUrl, patient.uid)).filter((one) => !one.is_withdrawn).slice(-8)
    const reading = readings[Math.floor(Math.random() * readings.length)]
    if (reading) await patient.withdraw(reading.reading_id, Number(reading.sent_timestamp))
  }
  const working = work()
  return async () => {
    over.abort()
    await working
  }
}

const GATE = 42

/** A statement that writes events waits while a session holds the gate. */
async function addGate(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `create function public.pass_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${GATE});
      return new;
    end
    $$;
    create trigger pass_gate before insert on casesheet.alert_events for each row execute function public.pass_gate()`,
  )
}

/** PostgreSQL shows the first kilobyte of a statement. */
type Step = { lock: string; statement: string }

const MARKING: Step = {
  lock: 'lock table care.alert_marks in access exclusive mode',
  statement: "%with place as materialized%'alerts:rules'%",
}
const READING: Step = {
  lock: 'lock table care.outages in access exclusive mode',
  statement: '%from care.outages%order by began_at%',
}
const WRITING: Step = {
  lock: `select pg_advisory_xact_lock(${GATE})`,
  statement: '%with mark as materialized%',
}

/** Strikes a process while its statement waits for the lock, which is let go then; says which it was. */
async function during({ ownerUrl }: Stage, { lock, statement }: Step, strike: (name: string) => unknown) {
  const session = new Client({ connectionString: ownerUrl })
  await session.connect()
  try {
    await session.query(`begin; ${lock}`)
    let name: string | undefined
    await until(async () => {
      const [row] = await runSql<{ name: string }>(
        ownerUrl,
        `select application_name as name
         from pg_stat_activity
         where wait_event_type = 'Lock'
           and datname = current_database()
           and application_name like 'rounds-%'
           and query like $1`,
        [statement],
      )
      name = row?.name
      return name !== undefined
    }, 20_000)
    await strike(name ?? '')
    return name ?? ''
  } finally {
    await session.end()
  }
}

/** What a session of a process that is killed or frozen still does is no work of another one. */
function untilSilent({ ownerUrl }: Stage, name: string) {
  return until(
    async () =>
      (
        await runSql(
          ownerUrl,
          "select from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'active'",
          [name],
        )
      ).length === 0,
  )
}

const STRIKES: Record<string, { step: Step; by: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM' | 'cut' }> = {
  'killed while it marks': { step: MARKING, by: 'SIGKILL' },
  'killed while it reads': { step: READING, by: 'SIGKILL' },
  // Its session goes on, and writes though the process is dead.
  'killed while it writes': { step: WRITING, by: 'SIGKILL' },
  'frozen while it marks': { step: MARKING, by: 'SIGSTOP' },
  // It goes on when another has evaluated the same: what it writes must change nothing.
  'frozen while it reads': { step: READING, by: 'SIGSTOP' },
  'frozen while it writes': { step: WRITING, by: 'SIGSTOP' },
  'cut off while it writes': { step: WRITING, by: 'cut' },
  'asked to stop while it reads': { step: READING, by: 'SIGTERM' },
}

test('a process is struck at every step, and another goes on: no alert is missed or doubled', async (t) => {
  const stage = await startStage()
  const { ownerUrl } = stage
  await addGate(ownerUrl)
  const processes = new Map<string, Serving>()
  let started = 0
  async function start() {
    const name = `rounds-${++started}`
    processes.set(name, await stage.start(name))
  }
  await start()
  await start()
  const eventsOf = async (patients: readonly Patient[], since: number) =>
    runSql(ownerUrl, 'select from casesheet.alert_events where patient_uid = any ($1) and at > $2', [
      patients.map(({ uid }) => uid),
      new Date(since),
    ])
  const patients = await Promise.all(Array.from({ length: 6 }, () => stage.newPatient()))
  const stop = keepChanging(stage, patients)
  for (const [name, { step, by }] of Object.entries(STRIKES)) {
    const id = await during(stage, step, (struck) =>
      by === 'cut'
        ? runSql(
            ownerUrl,
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
            [struck],
          )
        : processes.get(struck)?.child.kill(by),
    )
    const struckAt = performance.now()
    const since = () => performance.now() - struckAt
    const another = await stage.newPatient()
    await another.add(150, Date.now() - 1_000)
    await until(async () => (await eventsOf([another], 0)).length > 0, 20_000)
    const anotherMs = since()
    if (by !== 'cut') await untilSilent(stage, id)
    const silentAt = Date.now()
    await until(async () => (await eventsOf(patients, silentAt)).length > 0, 30_000)
    const takenMs = since()
    t.diagnostic(
      `${name}: goes on after ${(anotherMs / 1_000).toFixed(1)} s, with what was taken after ${(takenMs / 1_000).toFixed(1)} s`,
    )
    assert.ok(anotherMs <= MAX_GAP_MS, `${name}: ${anotherMs} ms`)
    assert.ok(takenMs <= MAX_TAKEN_MS + MAX_GAP_MS, `${name}: ${takenMs} ms`)
    processes.get(id)?.child.kill('SIGCONT')
    if (by === 'SIGKILL' || by === 'SIGTERM') {
      processes.delete(id)
      await start()
    }
  }
  await stop()
  for (const { uid } of patients) {
    let wrong = ''
    await until(async () => (wrong = await differenceOf(ownerUrl, uid)) === '', MAX_TAKEN_MS + MAX_GAP_MS, {
      everyMs: 100,
      what: () => wrong,
    })
    const alerts = await alertsOf(ownerUrl, uid)
    assert.ok(alerts.length > 3, `${alerts.length} alerts`)
    for (const alert of alerts) assert.ok(await isSaidInOrder(ownerUrl, uid, alert), JSON.stringify(alert))
  }
})

/** How long after the answer of an add its alert is there, at most, while the work is done. */
async function longestDelayWhile(stage: Stage, work: () => Promise<unknown>): Promise<number> {
  const delays: number[] = []
  const working = new AbortController()
  const done = work().finally(() => working.abort())
  for (; !working.signal.aborted || delays.length < 3; await pause(100)) {
    const patient = await stage.newPatient(1)
    await patient.add(150, Date.now() - 1_000)
    const answeredAt = performance.now()
    await until(async () => (await alertsOf(stage.ownerUrl, patient.uid)).length === 1, 30_000)
    delays.push(performance.now() - answeredAt)
  }
  await done
  return Math.max(...delays)
}

test('a patient whose rules cannot be evaluated, or take long, does not hold up the others', async (t) => {
  const stage = await startStage()
  const { ownerUrl } = stage
  const broken = await stage.newPatient()
  await runSql(ownerUrl, "update casesheet.rules set terms = '{}' where patient_uid = $1", [broken.uid])
  const long = await stage.newPatient()
  await runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, at, gen_random_uuid(), 'heartRate', floor(extract(epoch from at) * 1000), '{"value": 80}', 'test'
     from generate_series(
       date_trunc('second', now()) - interval '24 days', now(), interval '10 seconds'
     ) as at
     limit $2`,
    [long.uid, LONG],
  )
  // As if all had been evaluated before.
  await runSql(ownerUrl, 'update casesheet.followers set done = pg_current_snapshot() where name = $1', [
    PREFIX,
  ])
  const server = await stage.start()
  const behind = async () =>
    find(await scrape(server.adminUrl), 'rounds_alerts_behind_seconds')[0]?.value ?? 0
  const isEvaluated = async () =>
    (await runSql(ownerUrl, 'select from care.alert_marks where patient_uid = $1', [long.uid])).length === 0
  const failed = await longestDelayWhile(stage, async () => {
    await broken.add(150, Date.now() - 1_000)
    await until(() => messagesIn(server.output()).includes('the rules of a patient could not be evaluated'))
  })
  const [first] = await readingsOf(ownerUrl, long.uid)
  assert.ok(first)
  const waited = await longestDelayWhile(stage, async () => {
    await long.withdraw(first.reading_id, Number(first.sent_timestamp))
    await until(async () => !(await isEvaluated()))
    await until(isEvaluated, 180_000)
  })
  t.diagnostic(
    `alerts of others came within ${failed.toFixed(0)} ms beside one that fails, ${waited.toFixed(0)} ms beside ${LONG} readings`,
  )
  assert.ok(failed < MAX_DELAY_MS, `${failed.toFixed(0)} ms`)
  assert.ok(waited < MAX_DELAY_MS, `${waited.toFixed(0)} ms`)
  await until(async () => (await behind()) > 15)
  for (const uid of [broken.uid, long.uid])
    assert.ok(!server.output().includes(uid), 'the log names a patient')
})

test('what Rounds missed while it was away is no missing reading: rules fire later by that, and half an hour', async (t) => {
  const stage = await startStage()
  const { ownerUrl } = stage
  const first = await stage.start()
  await until(
    async () =>
      (await runSql(ownerUrl, 'select from care.alert_watch where watched_at is not null')).length > 0,
  )
  first.child.kill('SIGTERM')
  await first.ended
  // The deadline of all was half an hour ago, and Rounds was away since before they were set.
  await runSql(
    ownerUrl,
    `with shared as (
       insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
       select 'missing-' || n, 'doctor', 'manage', 'x', 'test'
       from generate_series(1, 500) as n
     )
     insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, severity, terms, set_by)
     select gen_random_uuid(), 'doctor', 'doctor', 'missing-' || n, 'heartRate', 'warning', '{"missing": {"for": "PT2H"}}', 'test'
     from generate_series(1, 500) as n`,
  )
  await runSql(ownerUrl, "update casesheet.grants set given_at = given_at - interval '1 day'")
  await runSql(ownerUrl, "update casesheet.rules set version_at = version_at - interval '150 minutes'")
  await runSql(ownerUrl, "update care.alert_watch set watched_at = watched_at - interval '3 hours'")
  await stage.start()
  const count = async (table: string) =>
    (await runSql<{ count: number }>(ownerUrl, `select count(*)::integer as count from ${table}`))[0]?.count
  await until(async () => (await count('care.alert_clocks')) === 500)
  assert.equal(await count('casesheet.alerts'), 0)
  /** As if so much time had passed while Rounds ran. */
  const pass = (minutes: number) =>
    runSql(
      ownerUrl,
      `update casesheet.rules set version_at = version_at - interval '${minutes} minutes';
       update care.outages set began_at = began_at - interval '${minutes} minutes', ended_at = ended_at - interval '${minutes} minutes';
       update care.alert_clocks set due_at = due_at - interval '${minutes} minutes'`,
    )
  // It was away for the 150 minutes since they were set: they fire 120 and 30 minutes after it came back.
  await pass(145)
  await pause(2_000)
  assert.equal(await count('casesheet.alerts'), 0)
  await pass(6)
  const began = performance.now()
  await until(async () => (await count('casesheet.alerts')) === 500, MINUTE_MS)
  t.diagnostic(`500 fired within ${((performance.now() - began) / 1_000).toFixed(1)} s of their time`)
  const opened = "casesheet.alert_events where event = 'opened' and is_announced"
  assert.equal(await count(opened), 500)
})
