// What is stored of patients is what their readings, their targets and the clock say, whatever came in which order.
//   SUMMARY_CHANGES=100000 SUMMARIES_SEED=1 node --test test/care/summaries-rebuilt.lab.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { askForPatients, dropUnasked } from '../../src/modules/care/summaries/ask-for-patients.ts'
import { SummaryKeeper } from '../../src/modules/care/summaries/keep-summaries.ts'
import { createRandom, type Random } from '../../tools/simulate/random.ts'
import { openDb } from '../support/copying-follower.ts'
import { give } from '../support/grants-by-hand.ts'
import { createDatabase, runSql } from '../support/harness.ts'
import { useOwnCluster } from '../support/own-cluster.ts'
import { runProgram, untilSaid } from '../support/process.ts'
import { until } from '../support/until.ts'
import { apply, DOCTORS, moveClock, randomChange, STARTS, ZONES } from './random-changes.ts'
import { differences, expectedRows, storedRows } from './summaries-by-hand.ts'

const CHANGES = Number(process.env['SUMMARY_CHANGES'] ?? 1_200)
const SEED = Number(process.env['SUMMARIES_SEED'] ?? Date.now() % 1_000_000)
const LANES = 3
const CHANGES_PER_CHECK = 400

await useOwnCluster()

/** What is left to do: none where the summaries are those of this time. */
const LEFT = `
  select 'changes' as what, count(*)::integer as count
  from casesheet.followers
  cross join lateral (
    select changed_xid, reading_id as changed_id from casesheet.readings
    union all
    select changed_xid, target_id from casesheet.targets
  ) as changes
  where name = 'care:list'
    and (changed_xid, changed_id) > (followers.xid, followers.id)
    and exists (select from care.patients)
  union all
  select 'marks', count(*)::integer from care.stale
  union all
  select 'zones', count(*)::integer from care.patient_zones where state <> 'made'
  union all
  select 'due', count(*)::integer from care.summaries where due_at <= $1::timestamptz`

async function untilMade(url: string, now: number, failures: unknown[] = []) {
  let left: { what: string; count: number }[] = []
  const isMade = async () => {
    left = await runSql(url, `select what, count from (${LEFT}) as left_over where count > 0`, [
      new Date(now).toISOString(),
    ])
    return left.length === 0
  }
  await until(isMade, 60_000, {
    everyMs: 50,
    what: () => `all is made, and not ${JSON.stringify(left)} ${failures.map(String).join()}`,
  })
}

async function mustBeRight(url: string, now: number, when: string) {
  const [stored, expected] = [await storedRows(url), await expectedRows(url, now)]
  const wrong = differences(stored, expected)
  const shown = wrong.slice(0, 12).join('\n')
  assert.equal(
    wrong.length,
    0,
    `${wrong.length} differences ${when}, at ${new Date(now).toISOString()}:\n${shown}`,
  )
  return stored
}

/** As if nothing had been made before. */
const FORGET = `
  with days as (delete from care.summary_days),
    rows as (delete from care.summaries)
  update care.patient_zones set state = 'asked'`

const LEAVE_MARK =
  "insert into care.stale (patient_uid, reading_type, measured_from, measured_to) values ('nobody', '', now(), now())"

test(`${CHANGES} changes in any order (SUMMARIES_SEED=${SEED})`, { timeout: 3_600_000 }, async (t) => {
  const { ownerUrl, serveUrl } = await createDatabase()
  const random = createRandom(SEED)
  let now = Date.parse(random.pick(STARTS))
  const db = openDb(serveUrl)
  const failures: unknown[] = []
  const keeper = new SummaryKeeper(db, { now: () => now, warn: (error) => failures.push(error) })
  const clients = await Promise.all(
    Array.from({ length: LANES }, async () => {
      const client = new Client({ connectionString: ownerUrl })
      await client.connect()
      return client
    }),
  )
  let done = 0

  /** Changes, of which some commit late, and what doctors and the clock do meanwhile. */
  async function runLane(client: Client, lane: Random, upTo: number) {
    while (done < upTo) {
      const isLate = lane.chance(0.1)
      if (isLate) await client.query('begin')
      const change = randomChange(lane, now)
      await apply(client, change)
      done += change.count
      if (isLate) {
        await pause(lane.between(0, 1) ** 3 * 700)
        await client.query(lane.chance(0.9) ? 'commit' : 'rollback')
      }
      if (lane.chance(0.1))
        await askForPatients(db, { doctorId: lane.pick(DOCTORS), timeZone: lane.pick(ZONES), now }, '')
      if (lane.chance(0.03)) now = moveClock(lane, now)
      if (lane.chance(0.01)) await dropUnasked(db, now)
      if (lane.chance(0.01)) await pause(lane.between(0, 600))
    }
  }

  try {
    for (let nth = 0, isDone = false; !isDone; nth++) {
      const lanes = clients.map((client, lane) =>
        runLane(client, createRandom(SEED, nth, lane), done + CHANGES_PER_CHECK),
      )
      await Promise.all(lanes)
      isDone = done >= CHANGES
      await untilMade(ownerUrl, now, failures)
      const stored = await mustBeRight(ownerUrl, now, `after ${done} changes`)
      // As it is left where a patient is dropped while a change is marked.
      await runSql(ownerUrl, LEAVE_MARK)
      if (nth % 5 === 4 || isDone) {
        await runSql(ownerUrl, FORGET)
        await untilMade(ownerUrl, now, failures)
        assert.deepEqual(differences(await storedRows(ownerUrl), stored), [], 'made from nothing')
      }
      if (nth % 10 === 0)
        t.diagnostic(`${done} changes, ${stored.size} rows, at ${new Date(now).toISOString()}`)
    }
    await untilMade(ownerUrl, now, failures)
    assert.deepEqual(failures, [])
  } finally {
    await Promise.all([keeper.stop(), ...clients.map((client) => client.end())])
    await db.end()
  }
})

test('a day whose midnight comes twice has the readings of its first hour, from the first midnight on', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  const db = openDb(serveUrl)
  let now = Date.parse('2026-11-01T03:50:00Z')
  const keeper = new SummaryKeeper(db, { now: () => now, warn: () => {} })
  const add = (at: string) =>
    runSql(
      ownerUrl,
      `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
       values ('patient-1', $1, gen_random_uuid(), 'heartRate', 1, '{"value":70}', 'test')`,
      [at],
    )
  try {
    await give(ownerUrl, { patientUid: 'patient-1', doctorId: 'doctor-a' })
    await askForPatients(db, { doctorId: 'doctor-a', timeZone: 'America/Havana', now }, '')
    await add('2026-11-01T03:40:00Z')
    await untilMade(ownerUrl, now)
    // In Havana it is midnight at four, and again at five.
    for (const [clock, measuredAt] of [
      ['2026-11-01T04:30:00Z', '2026-11-01T04:20:00Z'],
      ['2026-11-01T05:30:00Z', '2026-11-01T03:45:00Z'],
      ['2026-11-01T05:40:00Z', '2026-11-01T05:35:00Z'],
    ] as const) {
      now = Date.parse(clock)
      await untilMade(ownerUrl, now)
      await add(measuredAt)
      await untilMade(ownerUrl, now)
      await mustBeRight(ownerUrl, now, `at ${clock}`)
    }
  } finally {
    await keeper.stop()
    await db.end()
  }
})

const at = (path: string) => new URL(path, import.meta.url).href

/** What a process of its own runs, until it is killed. */
const program = (url: string, now: number) => `
  import { openDb } from '${at('../support/copying-follower.ts')}'
  import { SummaryKeeper } from '${at('../../src/modules/care/summaries/keep-summaries.ts')}'
  new SummaryKeeper(openDb('${url}'), { now: () => ${now}, warn: () => {} })
  console.log('It keeps summaries.')`

async function startKeeper(url: string, now: number) {
  const started = runProgram(process.execPath, ['--input-type=module', '-e', program(url, now)], {})
  await untilSaid(started, /It keeps/)
  return started
}

const HELD_BY = "select held_by from casesheet.followers where name = 'care:list'"
const MOST_TAKEOVER_MS = 5_000

/** Locks that stop a process after it has marked what changed, and while it makes a summary; and one that it does not wait for. */
const STOPS = [
  'lock table care.patient_zones in exclusive mode',
  'lock table care.summaries in exclusive mode',
  'select from care.patients for update',
] as const

test(`processes that are killed, suspended and cut off at every step leave nothing out (SUMMARIES_SEED=${SEED})`, async (t) => {
  const { ownerUrl, serveUrl } = await createDatabase()
  const random = createRandom(SEED, 2)
  const now = Date.parse(random.pick(STARTS))
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const db = openDb(serveUrl)
  const change = async (count: number) => {
    for (let nth = 0; nth < count; nth++) await apply(client, randomChange(random, now))
    const [doctorId, timeZone] = [random.pick(DOCTORS), random.pick(ZONES)]
    await askForPatients(db, { doctorId, timeZone, now }, '')
  }
  const holder = async () => (await runSql<{ held_by: string | null }>(ownerUrl, HELD_BY))[0]?.held_by ?? null
  const cut = () =>
    runSql(ownerUrl, 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      new URL(serveUrl).username,
    ])
  let [working, waiting] = [await startKeeper(serveUrl, now), await startKeeper(serveUrl, now)]
  let longestMs = 0

  async function replaceWorking(signal: 'SIGKILL' | 'SIGSTOP') {
    const before = await holder()
    const beganAt = performance.now()
    working.child.kill(signal)
    const stopped = working
    await until(async () => ![before, null].includes(await holder()), 10_000)
    longestMs = Math.max(longestMs, performance.now() - beganAt)
    // One that was suspended goes on beside the other with what it had begun.
    if (signal === 'SIGSTOP') {
      await change(10)
      stopped.child.kill('SIGCONT')
      await pause(300)
      stopped.child.kill('SIGKILL')
    }
    working = waiting
    waiting = await startKeeper(serveUrl, now)
  }

  try {
    await change(40)
    await until(async () => (await holder()) !== null)
    for (const stop of STOPS) {
      const locking = new Client({ connectionString: ownerUrl })
      await locking.connect()
      await locking.query('begin')
      await locking.query(stop)
      await Promise.all([
        apply(client, randomChange(random, now)),
        pause(700).then(() => locking.query('rollback')),
        pause(random.between(300, 700)).then(() => replaceWorking('SIGKILL')),
      ])
      await locking.end()
      await change(20)
    }
    await replaceWorking('SIGSTOP')
    await Promise.all([change(40), cut()])
    await change(10)
    await cut()
    // As a process leaves it that is killed when it has made the last summary of patients.
    await untilMade(ownerUrl, now)
    await runSql(ownerUrl, "update care.patient_zones set state = 'marked'")
    await untilMade(ownerUrl, now)
    const stored = await mustBeRight(ownerUrl, now, 'after all')
    await runSql(ownerUrl, FORGET)
    await untilMade(ownerUrl, now)
    assert.deepEqual(differences(await storedRows(ownerUrl), stored), [], 'made from nothing')
    t.diagnostic(`another process went on after at most ${longestMs.toFixed(0)} ms`)
    assert.ok(longestMs < MOST_TAKEOVER_MS, `${longestMs} ms`)
  } finally {
    for (const { child } of [working, waiting]) child.kill('SIGKILL')
    await Promise.all([client.end(), db.end()])
  }
})
