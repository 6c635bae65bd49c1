// Processes that evaluate alert rules are killed, frozen and cut off in the middle of it, while readings are added and withdrawn: another
// process goes on within five seconds, and the alerts are those that the readings give, each announced once. Neither does a patient whose
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
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
/** So far apart that no day has 20 alerts. */
const STEP_MS = 30 * MINUTE_MS
const LONG = 200_000
const MAX_DELAY_MS = 3_000
const PREFIX = 'alerts:rules'

type Serving = Awaited<ReturnType<typeof serveInProcess>>

/** A database, to which readings come through a process that evaluates no rules. */
async function startStage() {
  const rounds = await startRounds()
  const { ownerUrl, issuer } = rounds
  const start = () =>
    serveInProcess({
      DATABASE_URL: rounds.serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      LOG_LEVEL: 'warn',
      MODULES: 'casesheet,care',
      ALERTS: 'on',
    })
  async function newPatient(daysAgo = 25) {
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
  const startMs = Date.now() - 24 * DAY_MS
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

const WAITS = "wait_event_type = 'Lock' and datname = current_database() and application_name = 'rounds'"

/** Strikes while a statement of the evaluation waits for the lock; it is let go then. */
async function during(ownerUrl: string, lock: string, strike: () => unknown): Promise<number> {
  const session = new Client({ connectionString: ownerUrl })
  await session.connect()
  try {
    await session.query(`begin; ${lock}`)
    await until(
      async () => (await runSql(ownerUrl, `select from pg_stat_activity where ${WAITS}`)).length > 0,
    )
    await strike()
    return Date.now()
  } finally {
    await session.end()
  }
}

const WHILE_MARKING = 'lock table care.alert_marks in access exclusive mode'
const WHILE_LOADING = 'lock table casesheet.alert_events in access exclusive mode'
const WHILE_WRITING = `select pg_advisory_xact_lock(${GATE})`

/** Strikes the holder; says when that was. */
type Strike = (stage: Stage, holder: Serving) => Promise<number>

const killed =
  (lock: string): Strike =>
  ({ ownerUrl }, { child }) =>
    during(ownerUrl, lock, () => child.kill('SIGKILL'))

const frozen =
  (lock: string): Strike =>
  ({ ownerUrl }, { child }) =>
    during(ownerUrl, lock, () => child.kill('SIGSTOP'))

const STRIKES: Record<string, { strike: Strike; mayGoOn?: boolean }> = {
  'killed while it marks': { strike: killed(WHILE_MARKING) },
  'killed while it reads': { strike: killed(WHILE_LOADING) },
  // Its session goes on, and writes though the process is dead.
  'killed while it writes': { strike: killed(WHILE_WRITING) },
  // It goes on when another has evaluated the same: what it writes must change nothing.
  'frozen while it reads': { strike: frozen(WHILE_LOADING) },
  'frozen while it writes': { strike: frozen(WHILE_WRITING) },
  'cut off while it writes': {
    mayGoOn: true,
    strike: ({ ownerUrl }) =>
      during(ownerUrl, WHILE_WRITING, () =>
        runSql(
          ownerUrl,
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'rounds'",
        ),
      ),
  },
  'asked to stop': {
    async strike(_, { child }) {
      child.kill('SIGTERM')
      return Date.now()
    },
  },
}

test('a process that evaluates is struck at every step, and another goes on: no alert is missed or doubled', async (t) => {
  const stage = await startStage()
  const { ownerUrl } = stage
  await addGate(ownerUrl)
  const processes = new Map<string, Serving>()
  const ids = async () =>
    (
      await runSql<{ id: string }>(
        ownerUrl,
        'select process_id as id from casesheet.follower_processes where prefix = $1',
        [PREFIX],
      )
    ).map(({ id }) => id)
  async function start() {
    const before = await ids()
    const process = await stage.start()
    let id: string | undefined
    await until(async () => (id = (await ids()).find((each) => !before.includes(each))) !== undefined)
    processes.set(id ?? '', process)
  }
  await start()
  await start()
  const holderId = async () => {
    const [row] = await runSql<{ held_by: string | null }>(
      ownerUrl,
      'select held_by from casesheet.followers where name = $1',
      [PREFIX],
    )
    return row?.held_by ?? ''
  }
  const eventsSince = async (at: number) => {
    const [row] = await runSql<{ at: Date | null }>(
      ownerUrl,
      'select min(at) as at from casesheet.alert_events where at > $1',
      [new Date(at)],
    )
    return row?.at
  }
  const patients = await Promise.all(Array.from({ length: 6 }, () => stage.newPatient()))
  const stop = keepChanging(stage, patients)
  for (const [name, { strike, mayGoOn = false }] of Object.entries(STRIKES)) {
    await until(async () => processes.has(await holderId()))
    const id = await holderId()
    const holder = processes.get(id) ?? assert.fail(`no process is known as ${id}`)
    const struckAt = await strike(stage, holder)
    // What its session still wrote does not count.
    if (!mayGoOn) await until(async () => ![id, ''].includes(await holderId()), 20_000)
    const takenAt = mayGoOn ? struckAt : Date.now()
    await until(async () => Boolean(await eventsSince(takenAt)), 20_000)
    const gapMs = Number(await eventsSince(takenAt)) - struckAt
    t.diagnostic(`${name}: goes on after ${(gapMs / 1_000).toFixed(1)} s`)
    assert.ok(gapMs <= MAX_GAP_MS, `${name}: ${gapMs} ms`)
    holder.child.kill('SIGCONT')
    if (!name.startsWith('frozen') && !mayGoOn) {
      processes.delete(id)
      await start()
    }
  }
  await stop()
  for (const { uid } of patients) {
    let wrong = ''
    await until(async () => (wrong = await differenceOf(ownerUrl, uid)) === '', 10_000, {
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
  await runSql(ownerUrl, 'update casesheet.rules set terms = $2 where patient_uid = $1', [
    broken.uid,
    JSON.stringify({ readingType: 'heartRate', threshold: { above: 130 } }),
  ])
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
  await runSql(
    ownerUrl,
    'update casesheet.followers set xid = pg_snapshot_xmin(pg_current_snapshot()) where name = $1',
    [PREFIX],
  )
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
    `insert into casesheet.rules (patient_uid, rule_id, reading_type, severity, terms, changed_by, doctor_id)
     select 'missing-' || n, gen_random_uuid(), 'heartRate', 'warning',
       '{"readingType": "heartRate", "severity": "warning", "missing": {"for": "PT2H"}}', 'test', 'doctor'
     from generate_series(1, 500) as n`,
  )
  await runSql(ownerUrl, "update casesheet.rules set changed_at = changed_at - interval '150 minutes'")
  await runSql(ownerUrl, "update care.alert_watch set watched_at = watched_at - interval '3 hours'")
  await stage.start()
  const count = async (table: string) =>
    (await runSql<{ count: number }>(ownerUrl, `select count(*)::integer as count from ${table}`))[0]?.count
  await until(async () => (await count('care.rule_clocks')) === 500)
  assert.equal(await count('casesheet.alerts'), 0)
  /** As if so much time had passed while Rounds ran. */
  const pass = (minutes: number) =>
    runSql(
      ownerUrl,
      `update casesheet.rules set changed_at = changed_at - interval '${minutes} minutes';
       update care.outages set began_at = began_at - interval '${minutes} minutes', ended_at = ended_at - interval '${minutes} minutes';
       update care.rule_clocks set due_at = due_at - interval '${minutes} minutes'`,
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
