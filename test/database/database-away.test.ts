// What callers see when the database is slow, gone or full of work.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stopGraceMs } from '../../src/server/stop-limits.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { signalAll, treeOf } from '../faults/processes.ts'
import { type Answer, assertRefused, onServer, type Rounds, runSql, startRounds } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { newPatient } from '../support/patient.ts'
import { startRunningTime } from '../support/running-time.ts'
import { until } from '../support/until.ts'

test('connections that the server cuts are replaced, and no request fails', async () => {
  const rounds = await startRounds({ DATABASE_POOL_SIZE: '4' })
  const { add, stored, symptom } = await newPatient(rounds)
  const adds = []
  for (let index = 0; index < 200; index++) {
    adds.push(add(symptom(1_763_000_000_000 + index)))
    if (index % 40 === 20) {
      await runSql(
        rounds.ownerUrl,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rounds' and datname = current_database()",
      )
    }
  }
  assert.deepEqual(new Set((await Promise.all(adds)).map(({ status }) => status)), new Set([200]))
  assert.equal((await stored()).length, 200)
})

test('a read whose access-log row cannot be written is not answered', async () => {
  const rounds = await startRounds()
  const { addAt, get } = await newPatient(rounds)
  await addAt([1, 2, 3])
  await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  const answer = await get()
  await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
  assertRefused(answer, 503, 'DatabaseUnavailable')
  assert.equal((await get()).json.data.length, 3)
})

test('beyond the maximum of the queue, requests are refused at once with Overloaded', async () => {
  const rounds = await startRounds({ DATABASE_POOL_SIZE: '4', MAX_WAITING_REQUESTS: '2' })
  const { add, symptom } = await newPatient(rounds)
  await add(symptom(1))
  const letGo = await slowInserts(rounds.ownerUrl)
  // Four statements are out and two requests stand in line; the other four are refused while the lock is still held.
  const answers = Array.from({ length: 10 }, (_, index) => add(symptom(100 + index)))
  const refused: Answer[] = []
  await new Promise<void>((fourRefused) => {
    for (const answer of answers) {
      void answer.then((found) => found.status === 503 && refused.push(found) === 4 && fourRefused())
    }
  })
  for (const answer of refused) {
    assertRefused(answer, 503, 'Overloaded')
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  await letGo()
  assert.equal((await Promise.all(answers)).filter(({ status }) => status === 200).length, 6)
})

/** Rounds on a PostgreSQL of its own, which can be stopped or frozen. */
async function startApart(settings: Record<string, string>) {
  const postgres = await startThrowawayPostgres()
  const rounds = await onServer(postgres.url, () => startRounds(settings))
  return { postgres, rounds }
}

/** Stops the database without a word; returns how to let it go on. */
async function freeze(postgres: ThrowawayPostgres, rounds: Rounds): Promise<() => void> {
  const frozen = await treeOf(postgres.pid)
  signalAll(frozen, 'SIGSTOP')
  const thaw = () => signalAll(frozen, 'SIGCONT')
  after(async () => {
    // A test that failed has left it frozen.
    thaw()
    await rounds.stop()
    await postgres.stop()
  })
  return thaw
}

test('while the database hangs, every request is 503 at its deadline and no later', async () => {
  const { postgres, rounds } = await startApart({ REQUEST_DEADLINE_SECONDS: '2' })
  const { add, get, symptom, token } = await newPatient(rounds)
  assert.equal((await add(symptom(1))).status, 200)
  const thaw = await freeze(postgres, rounds)
  const passedMs = startRunningTime()
  const adds = Array.from({ length: 20 }, (_, index) => add(symptom(2 + index)))
  const answers = await Promise.all([...adds, get(), rounds.call('/appointments/doctors/list', { token })])
  const tookMs = passedMs()
  thaw()
  for (const answer of answers) assertRefused(answer, 503, 'DatabaseUnavailable')
  assert.ok(tookMs < 3_500, `it took ${tookMs} ms`)
  assert.equal((await add(symptom(2))).status, 200)
})

const readinessOf = (rounds: Rounds) => async () => (await fetch(`${rounds.adminUrl}/readyz`)).ok

/** Waits until the process is no longer ready, which may take this long. */
async function untilUnready(isReady: () => Promise<boolean>, withinMs: number) {
  const passedMs = startRunningTime()
  await until(async () => !(await isReady()))
  assert.ok(passedMs() < withinMs, `it was ready for ${passedMs()} ms`)
}

test('a process stays ready while requests wait for the database, answers that at once, and then is not', async () => {
  const { postgres, rounds } = await startApart({ REQUEST_DEADLINE_SECONDS: '4' })
  const isReady = readinessOf(rounds)
  assert.equal(await isReady(), true)
  const thaw = await freeze(postgres, rounds)
  const passedMs = startRunningTime()
  assert.equal(await isReady(), true)
  assert.ok(passedMs() < 2_000, 'the check that hangs was waited for')
  await untilUnready(isReady, 8_000)
  thaw()
  const thawedMs = startRunningTime()
  await until(isReady)
  assert.ok(thawedMs() < 12_000, 'it was not ready again')
})

test('the grace of readiness counts from when the database was last there, not from the last probe', async () => {
  const graceSeconds = 4
  const { postgres, rounds } = await startApart({ REQUEST_DEADLINE_SECONDS: String(graceSeconds) })
  const isReady = readinessOf(rounds)
  assert.equal(await isReady(), true)
  const [probed] = await runSql<{ at: string }>(rounds.ownerUrl, 'select now()::text as at')
  // The process itself has asked the database once the grace of that probe was over.
  await until(
    async () => (await runSql(rounds.ownerUrl, CHECKED_AFTER, [probed?.at, graceSeconds])).length > 0,
  )
  const thaw = await freeze(postgres, rounds)
  assert.equal(await isReady(), true)
  await untilUnready(isReady, 8_000)
  thaw()
})

const CHECKED_AFTER = `
  select
  from pg_stat_activity
  where datname = current_database()
    and application_name like 'rounds%'
    and query like '%migration_files%'
    and pid <> pg_backend_pid()
    and state = 'idle'
    and query_start > $1::timestamptz + make_interval(secs => $2)`

test('a stop waits for an answer while the database hangs', async () => {
  const { postgres, rounds } = await startApart({})
  const { add, symptom } = await newPatient(rounds)
  assert.equal((await add(symptom(1))).status, 200)
  const thaw = await freeze(postgres, rounds)
  const answer = add(symptom(2))
  // The request has to have arrived before the server accepts no more.
  await rounds.call('/openapi.json')
  const stopped = rounds.stop()
  await until(() => rounds.log().includes('"msg":"stopping"'))
  thaw()
  assert.equal((await answer).status, 200)
  await stopped
})

test('a stop waits for an answer as long as the database may be unreachable', async () => {
  for (const deadlineMs of [1_000, 30_000, 600_000]) assert.ok(stopGraceMs(deadlineMs) > deadlineMs)
  const { postgres, rounds } = await startApart({ REQUEST_DEADLINE_SECONDS: '3' })
  const { add, symptom } = await newPatient(rounds)
  assert.equal((await add(symptom(1))).status, 200)
  const thaw = await freeze(postgres, rounds)
  const answer = add(symptom(2))
  await rounds.call('/openapi.json')
  const stopped = rounds.stop()
  // At its deadline, and not cut off before.
  assertRefused(await answer, 503, 'DatabaseUnavailable')
  thaw()
  await stopped
})

test('an unreachable database is 503 after the deadline, and readiness says so', async () => {
  const { postgres, rounds } = await startApart({ REQUEST_DEADLINE_SECONDS: '1' })
  const { add, get, symptom } = await newPatient(rounds)
  assert.equal((await add(symptom(1))).status, 200)
  await postgres.stop()
  for (const answer of await Promise.all([add(symptom(2)), get()])) {
    assertRefused(answer, 503, 'DatabaseUnavailable')
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  const readiness = await fetch(`${rounds.adminUrl}/readyz`)
  assert.equal(readiness.status, 503)
  const { unavailable, ...told } = (await readiness.json()) as {
    unavailable: { database: { seconds: number } }
  }
  assert.deepEqual(told, {
    status: 'unavailable',
    checks: { database: false, issuer: true, erasureKey: true },
  })
  // Its socket is gone. What the log tells of it, and this page does not, is its path.
  const { seconds, ...cause } = unavailable.database
  assert.deepEqual(cause, { code: 'ENOENT' })
  assert.ok(Number.isInteger(seconds))
  assert.equal((await fetch(`${rounds.adminUrl}/livez`)).status, 200)
})
