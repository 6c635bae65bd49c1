// Requests of readings/changes, with and without `wait`: their bounds, and what they cost others.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { metricOf, openStream } from '../../../../test/support/event-stream.ts'
import { assertRefused, type Rounds, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient, patientWithReadings } from '../../../../test/support/patient.ts'
import { until } from '../../../../test/support/until.ts'
import { createWaitingRequests } from './waiting-requests.ts'

// The queue of the database is as short as in production, where requests that are woken together would fill it.
const rounds = await startRounds({ MAX_REQUESTS_WHEN_BUSY: '64' })
const waiting = () => metricOf(rounds.adminUrl, 'rounds_changes_long_polls')
const wait = (token: string, signal?: AbortSignal) =>
  fetch(`${rounds.url}/casesheet/readings/changes?start=now&wait=30`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  })

test('one subject may have twenty requests waiting, also when they come at once, and another is served', async () => {
  const leaving = new AbortController()
  const token = await rounds.token({ sub: 'greedy', scope: 'readings:changes' })
  const answers = Array.from({ length: 40 }, () => wait(token, leaving.signal).catch(() => undefined))
  const refused: Response[] = []
  for (const answer of answers) void answer.then((found) => found && refused.push(found))
  await until(() => refused.length === 20)
  for (const answer of refused) {
    assertRefused(
      { status: answer.status, headers: answer.headers, json: (await answer.json()) as object },
      429,
      'RateLimited',
    )
    assert.equal(answer.headers.get('retry-after'), '10')
  }
  await until(async () => (await waiting()) === 20)
  const other = await rounds.token({ sub: 'modest', scope: 'readings:changes' })
  const served = wait(other)
  await until(async () => (await waiting()) === 21)
  const { addAt } = await newPatient(rounds)
  await addAt([1])
  assert.equal((await served).status, 200)
  leaving.abort()
  await until(async () => (await waiting()) === 0)
})

test('more requests than the queue of the database holds are all answered by one change, and others are served meanwhile', async () => {
  const answers: Promise<Response>[] = []
  for (let service = 0; service < 6; service++) {
    const token = await rounds.token({ sub: `service-${service}`, scope: 'readings:changes' })
    answers.push(...Array.from({ length: 20 }, () => wait(token)))
    await until(async () => (await waiting()) === answers.length)
  }
  const { addAt, token } = await newPatient(rounds)
  await addAt([1])
  for (let asked = 0; asked < 10; asked++)
    assert.equal((await rounds.call('/casesheet/readings/access-log', { token })).status, 200)
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
  assert.deepEqual([...statuses], [200])
  await until(async () => (await waiting()) === 0)
})

/** Changes of a subject of which the row of its deliveries is locked, until `release`. */
async function lockDelivery(on: Rounds, sub: string) {
  const token = await on.token({ sub, scope: 'readings:changes' })
  assert.equal((await on.call('/casesheet/readings/changes', { token })).status, 200)
  const holder = new Client({ connectionString: on.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin')
  await holder.query('select from casesheet.feed_deliveries where read_by = $1 for no key update', [sub])
  return { token, release: () => holder.query('rollback') }
}

test('a subject whose deliveries are locked delays no other one, with and without wait, and is answered once they are free', async () => {
  await patientWithReadings(rounds, [1, 2])
  const { token, release } = await lockDelivery(rounds, 'warehouse')
  const ask = (as: string, query: string) => rounds.call(`/casesheet/readings/changes${query}`, { token: as })
  const blocked = ['?wait=1', '', '?wait=1', ''].map((query) => ask(token, query))
  const alerts = await rounds.token({ sub: 'alerts', scope: 'readings:changes' })
  for (const query of ['', '?wait=1', '?start=now&wait=1']) {
    const sentAt = performance.now()
    assert.equal((await ask(alerts, query)).status, 200)
    assert.ok(performance.now() - sentAt < 5_000, `${query} took ${performance.now() - sentAt} ms`)
  }
  await release()
  assert.deepEqual(new Set((await Promise.all(blocked)).map(({ status }) => status)), new Set([200]))
})

// PostgreSQL shows the beginning of a query only.
const BLOCKED_READS = `
  select
  from pg_stat_activity
  where datname = current_database()
    and wait_event_type = 'Lock'
    and query like '%from casesheet.feed%'`

test('waiting, queueing and reading have one deadline together, and what is queued until then is not read', async () => {
  const apart = await startRounds({ REQUEST_DEADLINE_SECONDS: '2' })
  const { patientUid } = await patientWithReadings(apart, [1])
  const { token, release } = await lockDelivery(apart, 'warehouse')
  const ask = (requestId: string, query: string, signal?: AbortSignal) =>
    fetch(`${apart.url}/casesheet/readings/changes${query}`, {
      headers: { authorization: `Bearer ${token}`, 'x-request-id': requestId },
      ...(signal ? { signal } : {}),
    })
  const isReading = async () => (await runSql(apart.ownerUrl, BLOCKED_READS)).length > 0
  const sentAt = performance.now()
  const queries = ['', '', ...Array<string>(14).fill('?wait=1')]
  const answers = queries.map((query, number) => ask(`late-${number}`, query))
  const leaving = new AbortController()
  const left = ask('left', '?wait=30', leaving.signal).catch(() => undefined)
  await until(isReading)
  leaving.abort()
  await left
  for (const answer of await Promise.all(answers))
    assertRefused(
      { status: answer.status, headers: answer.headers, json: (await answer.json()) as object },
      503,
      'DatabaseUnavailable',
    )
  // A second of waiting and five to read.
  assert.ok(performance.now() - sentAt < 9_000, `${performance.now() - sentAt} ms`)
  await release()
  // A transaction of another test may hold the reading back for a moment.
  await until(async () => {
    const answer = await ask('served', '')
    assert.equal(answer.status, 200)
    return (await answer.text()).includes(patientUid)
  })
  const logged = await runSql<{ request_id: string }>(
    apart.ownerUrl,
    `select request_id from casesheet.access_log where patient_uid = $1 and operation = 'readings/changes' and request_id ~ '^(left|late|served)'`,
    [patientUid],
  )
  const ids = logged.map(({ request_id: id }) => id)
  assert.ok(ids.includes('served') && !ids.includes('left'))
  // The attempt that was under way when the time was over cannot be taken back.
  assert.ok(ids.length <= 2, ids.join())
})

test('a request that is over while it is queued is not read, and those behind it are', async () => {
  const requests = createWaitingRequests(8)
  const first = Promise.withResolvers<void>()
  const read: string[] = []
  const over = new AbortController()
  const inOrder = (name: string, isRead?: Promise<void>) =>
    requests.readInOrder('one', name === 'over' ? over.signal : new AbortController().signal, async () => {
      read.push(name)
      await isRead
    })
  const answers = [inOrder('first', first.promise), inOrder('over'), inOrder('last')]
  over.abort(new Error('It is over.'))
  await assert.rejects(answers[1] ?? first.promise, /It is over/)
  first.resolve()
  await Promise.all([answers[0], answers[2]])
  assert.deepEqual(read, ['first', 'last'])
})

test('with a short deadline of requests an answer is still held for its wait, and a quiet stream stays open', async () => {
  const apart = await startRounds({ REQUEST_DEADLINE_SECONDS: '1' })
  const stream = await openStream(apart.url, await apart.token({ patientUid: 'p' }))
  let isClosed = false
  stream.socket.once('end', () => (isClosed = true))
  const token = await apart.token({ sub: 'warehouse', scope: 'readings:changes' })
  const sentAt = performance.now()
  // Longer than a connection without traffic is left open for the sake of the deadline alone: 11 s.
  const { status } = await apart.call('/casesheet/readings/changes?start=now&wait=13', { token })
  assert.deepEqual([status, isClosed], [200, false])
  assert.ok(performance.now() - sentAt > 12_900)
  stream.socket.destroy()
})
