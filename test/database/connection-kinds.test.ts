// Statements of one kind, however slow, leave the connections of the others alone, and none is repeated that took too long.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { type ConnectionKind, SESSIONS, sizesOf } from '../../src/db/connections.ts'
import { connectDb } from '../../src/db/db.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { fillDirectory } from '../support/directory.ts'
import { openStream } from '../support/event-stream.ts'
import {
  type Answer,
  assertRefused,
  createDatabase,
  onServer,
  runSql,
  startRounds,
} from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'
import { startRunningTime } from '../support/running-time.ts'
import { until } from '../support/until.ts'

const ADD_MS = 3_000

test('slow reads of the access log are 503 after one attempt each, and adds and searches do not wait for them', async () => {
  const rounds = await startRounds()
  const { add, symptom, token } = await newPatient(rounds)
  await runSql(
    rounds.ownerUrl,
    `create sequence public.attempts;
    create function public.never_end() returns trigger language plpgsql security definer as $$
    begin
      perform nextval('public.attempts');
      perform pg_sleep(60);
      return new;
    end
    $$;
    create trigger never_end before insert on casesheet.access_log
    for each row when (new.operation = 'readings/access-log') execute function public.never_end()`,
  )
  const began = performance.now()
  const { other: connections } = sizesOf(10)
  const logs: Promise<Answer>[] = []
  let answered = 0
  /** More than all connections together. */
  function readLogs() {
    while (logs.length - answered < 12)
      logs.push(rounds.call('/casesheet/readings/access-log', { token }).finally(() => answered++))
  }
  const underWay = () =>
    runSql(
      rounds.ownerUrl,
      `select pid, query_start
       from pg_stat_activity
       where datname = current_database()
         and wait_event = 'PgSleep'
       order by pid`,
    )
  // An add and a search that waited for such a statement would be answered when one has ended.
  let besideThem = 0
  await until(async () => {
    readLogs()
    const before = await underWay()
    if (before.length < connections) return false
    assert.equal((await add(symptom(besideThem))).status, 200)
    assert.equal((await rounds.call('/appointments/doctors/list', { token })).status, 200)
    if (isDeepStrictEqual(await underWay(), before)) besideThem++
    return besideThem === 20
  })
  const attempts = async () => {
    const [row] = await runSql<{ count: number }>(
      rounds.ownerUrl,
      'select last_value::int as count from public.attempts',
    )
    return row?.count ?? 0
  }
  // Another one begins when one has been answered, long before the deadline of all.
  let begun = 0
  await until(async () => (begun = await attempts()) > connections)
  await until(() => answered >= begun - connections, 15_000)
  assertRefused(await Promise.race(logs), 503, 'DatabaseUnavailable')
  assert.ok(performance.now() - began > 5_000, 'it did not take until its time-out')
  // Those that were not begun are answered from now on.
  await runSql(rounds.ownerUrl, 'drop trigger never_end on casesheet.access_log')
  const tooSlow = (await Promise.all(logs)).filter(({ status }) => status === 503)
  assert.ok((await attempts()) <= tooSlow.length, `${await attempts()} attempts of ${tooSlow.length} reads`)
})

test('pages and searches that wait for a table use their own connections alone', async () => {
  const rounds = await startRounds()
  const { add, symptom, token, get } = await newPatient(rounds)
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin; lock table appointments.doctors in access exclusive mode')
  const searches = Array.from({ length: 30 }, (_, number) =>
    rounds.call(`/appointments/doctors/list${number % 2 === 0 ? '' : `?q=willow${number}`}`, { token }),
  )
  for (let round = 0; round < 5; round++) {
    const passedMs = startRunningTime()
    assert.deepEqual([(await add(symptom(round))).status, (await get()).status], [200, 200])
    assert.equal((await rounds.call('/casesheet/readings/access-log', { token })).status, 200)
    assert.ok(passedMs() < ADD_MS)
  }
  await holder.query('commit')
  assert.deepEqual(new Set((await Promise.all(searches)).map(({ status }) => status)), new Set([200]))
})

test('searches that do not end delay no page of a speciality', async () => {
  const rounds = await startRounds()
  await fillDirectory(rounds.ownerUrl, {
    specialities: [{ title: 'Cardiology', specialityId: 'cardio' }],
    doctors: [{ doctorId: 'willow', name: 'Dr. Willow (invented)', specialities: ['Cardiology'] }],
  })
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin; lock table appointments.doctors in access exclusive mode')
  const list = (query: string, token: string) => rounds.call(`/appointments/doctors/list?${query}`, { token })
  const searching = await rounds.token({ sub: 'searching' })
  const searches = Array.from({ length: 12 }, (_, number) => list(`q=willow${number}`, searching))
  const token = await rounds.token()
  for (const limit of [10, 20, 50, 100]) {
    const passedMs = startRunningTime()
    const { status, json } = await list(`specialityId=cardio&limit=${limit}`, token)
    assert.deepEqual([status, json.data.length], [200, 1])
    assert.ok(passedMs() < ADD_MS)
  }
  await holder.query('commit')
  assert.deepEqual(new Set((await Promise.all(searches)).map(({ status }) => status)), new Set([200]))
})

// A cluster of its own: the transactions of other tests would hold the events of the stream back.
const postgres = await startThrowawayPostgres()
after(postgres.stop)

// With four connections, pages of changes have none of their own.
for (const poolSize of ['4', '10']) {
  test(`pages of changes that wait for a table, of ${poolSize} connections, do not use those of other requests`, async () => {
    const rounds = await onServer(postgres.url, () => startRounds({ DATABASE_POOL_SIZE: poolSize }))
    const { patientUid, add, addAt, symptom, token, get } = await newPatient(rounds)
    await addAt([1])
    const [reading] = (await get()).json.data
    const named = { patientUid, readingId: reading?.['readingId'], timestamp: reading?.['timestamp'] }
    const stream = await openStream(rounds.url, token)
    const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
    /** One of each other operation that has no connection to itself, up to the event of a reading: the time that they take. */
    async function callOthers(round: number): Promise<number> {
      const sentAt = performance.now()
      const correction = round % 2 === 0 ? 'withdraw' : 'restore'
      const others = [
        rounds.call('/casesheet/readings/access-log', { token }),
        rounds.call(`/casesheet/readings/${correction}`, { token, body: named }),
        rounds.call('/casesheet/readings/statistics?readingType=acme.step&from=0&to=2000', { token }),
        rounds.call('/appointments/doctors/list', { token }),
        add(symptom(100 + round)),
      ]
      for (const { status, text } of await Promise.all(others)) assert.equal(status, 200, text)
      await until(() => stream.text().includes(`"timestamp":${100 + round}`))
      return performance.now() - sentAt
    }
    const withoutPagesMs = await callOthers(0)
    const holder = new Client({ connectionString: rounds.ownerUrl })
    await holder.connect()
    after(() => holder.end())
    await holder.query('begin; lock table casesheet.feed_deliveries in share mode')
    const pages = Array.from({ length: 100 }, () =>
      rounds.call('/casesheet/readings/changes', { token: service }),
    )
    for (let round = 1; round <= 5; round++) {
      const ms = await callOthers(round)
      // Behind the pages they would wait until they are refused; a busy machine takes its time for them in any case.
      assert.ok(ms < ADD_MS + 10 * withoutPagesMs, `${ms} ms, and ${withoutPagesMs} without pages`)
    }
    stream.socket.destroy()
    await holder.query('commit')
    const statuses = (await Promise.all(pages)).map(({ status }) => status)
    assert.deepEqual([statuses.filter((status) => status === 200).length, new Set(statuses).size], [20, 2])
  })
}

test('the kinds of connections are together as many as the setting says', () => {
  for (const poolSize of [4, 5, 7, 10, 20, 100, 1_000]) {
    const { feed, pages, ...sizes } = sizesOf(poolSize)
    assert.ok(Object.values(sizes).every((size) => size >= 1))
    for (const size of [feed, pages]) assert.ok(size >= (poolSize < 10 ? 0 : 1))
    assert.equal(
      Object.values(sizes).reduce((sum, size) => sum + size),
      poolSize - feed - pages,
    )
  }
})

// Enough for a connection of each kind.
const limits = { poolSize: 10, maxWaiting: 10, maxWhenBusy: 10, deadlineMs: 1_500 }

test('every session has its settings before its first statement, whatever the role says', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  const role = new URL(serveUrl).username
  await runSql(
    ownerUrl,
    `alter role ${role} set extra_float_digits = -15;
    alter role ${role} set plan_cache_mode = force_custom_plan;
    alter role ${role} set lock_timeout = 0;
    alter role ${role} set timezone = 'Asia/Kolkata'`,
  )
  const db = connectDb({
    ...limits,
    url: serveUrl,
    hasFollowers: true,
    warn: assert.fail,
    metrics: createMetrics(),
  })
  for (const kind of Object.keys(SESSIONS) as ConnectionKind[]) {
    const { rows } = await db.attempt<Record<string, string>>(
      {
        name: '',
        text: `select current_setting('extra_float_digits') as digits, current_setting('plan_cache_mode') as plans,
            current_setting('lock_timeout') as lock, current_setting('TimeZone') as zone, (0.1::float8 + 0.2)::text as sum`,
        values: [],
      },
      kind,
    )
    const { planCacheMode, lockTimeoutMs } = SESSIONS[kind]
    assert.deepEqual(rows, [
      {
        digits: '1',
        plans: planCacheMode,
        lock: `${lockTimeoutMs}ms`,
        zone: 'UTC',
        sum: '0.30000000000000004',
      },
    ])
  }
  await db.end()
})

const OF_REQUESTS = ['shared', 'retry', 'pages', 'search', 'feed', 'other'] as const

/** The kinds of connections that answer while many statements of some kinds never end, and how many connections those use. */
async function answeringBeside(blocked: readonly ConnectionKind[], hasFollowers: boolean) {
  const { ownerUrl, serveUrl } = await createDatabase()
  const db = connectDb({ ...limits, url: serveUrl, hasFollowers, warn: () => {}, metrics: createMetrics() })
  const statement = (text: string) => ({ name: '', text, values: [] })
  const never = blocked.flatMap((kind) =>
    Array.from({ length: 8 }, () => db.attempt(statement('select pg_sleep(60)'), kind)),
  )
  const ended = Promise.allSettled(never)
  const sessions = async (condition = 'true') =>
    runSql<{ pid: number }>(
      ownerUrl,
      `select pid from pg_stat_activity where usename = $1 and state = 'active' and ${condition}`,
      [new URL(serveUrl).username],
    )
  await until(async () => (await sessions("wait_event = 'PgSleep'")).length > 0)
  const answered: ConnectionKind[] = []
  const others = (Object.keys(SESSIONS) as ConnectionKind[]).map((kind) =>
    db.attempt(statement('select 1'), kind).then(() => answered.push(kind)),
  )
  await until(() => answered.length >= Object.keys(SESSIONS).length - blocked.length)
  await until(async () => (await sessions()).length === (await sessions("wait_event = 'PgSleep'")).length)
  const used = (await sessions()).length
  // Each that ends is followed by one that waited.
  for (const end of [ended, Promise.allSettled(others)]) {
    let isEnded = false
    void end.then(() => (isEnded = true))
    await until(async () => {
      await runSql(ownerUrl, 'select pg_cancel_backend($1)', [(await sessions())[0]?.pid ?? 0])
      return isEnded
    })
  }
  await db.end()
  return { answered: answered.slice(0, Object.keys(SESSIONS).length - blocked.length).toSorted(), used }
}

test('followers have connections of their own: two, and one for the lease', async () => {
  assert.deepEqual(await answeringBeside(['follow'], true), {
    answered: ['feed', 'lease', 'other', 'pages', 'retry', 'search', 'shared'],
    used: 2,
  })
  assert.deepEqual(await answeringBeside(OF_REQUESTS, true), {
    answered: ['follow', 'lease'],
    used: limits.poolSize,
  })
})
