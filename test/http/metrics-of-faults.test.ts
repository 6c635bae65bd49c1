// What Prometheus scrapes when things go wrong: no room, lost connections, an unreachable database, answers that are cut.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { commit, version } from '../../src/config/version.ts'
import { type Answer, type Rounds, runSql, startRounds } from '../support/harness.ts'
import { lockReadings, slowInserts } from '../support/lock-readings.ts'
import { newPatient } from '../support/patient.ts'
import { find, growthDuring, scrape } from '../support/scrape.ts'
import { until } from '../support/until.ts'

// Without followers, whose connections and statements would be counted too.
const MODULES = 'appointments,casesheet'
const rounds = await startRounds({ DATABASE_POOL_SIZE: '4', MAX_WAITING_REQUESTS: '2', MODULES })

test('the pool, the queues and requests refused for lack of room are reported', async () => {
  const { add, symptom } = await newPatient(rounds)
  await add(symptom(1))
  let heldSeconds = Infinity
  const grown = await growthDuring(rounds.adminUrl, async () => {
    const letGo = await slowInserts(rounds.ownerUrl)
    const answers = Array.from({ length: 10 }, (_, index) => add(symptom(100 + index)))
    await fourRefused(answers)
    const heldAt = performance.now()
    // The check of readiness waits for the same connection, one at a time, whoever began it.
    const ready = fetch(`${rounds.adminUrl}/readyz`)
    // The server has that request once it has answered one that was sent after it.
    await fetch(`${rounds.adminUrl}/livez`)
    const samples = await scrape(rounds.adminUrl)
    const value = (name: string, labels = {}) => find(samples, name, labels)[0]?.value
    // One statement is out on the only connection for shared ones, three wait for it, and two requests are queued.
    assert.equal(value('rounds_queue_requests', { kind: 'add' }), 2)
    assert.equal(value('rounds_queue_limit'), 2)
    const [busy = 0, idle = 0] = ['busy', 'idle'].map((state) => value('rounds_pool_connections', { state }))
    assert.equal(
      busy + idle,
      3,
      'that one, the one that reads the version of the directory, and that of the feed',
    )
    assert.ok(busy >= 1)
    assert.equal(value('rounds_pool_limit'), 4)
    assert.equal(value('rounds_pool_waiting_statements'), 3 + 1)
    heldSeconds = (performance.now() - heldAt) / 1_000
    await letGo()
    await ready
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 6)
  })
  assert.equal(grown('rounds_http_errors_total', { code: 'Overloaded' }), 4)
  assert.equal(grown('rounds_statement_batch_size_sum', { kind: 'add' }), 6)
  assert.equal(grown('rounds_statement_batch_size_count', { kind: 'add' }), 5)
  assert.ok(grown('rounds_queue_wait_seconds_sum', { kind: 'add' }) > heldSeconds)
  assert.ok(grown('rounds_statement_duration_seconds_sum', { kind: 'add' }) > 4 * heldSeconds)
  assert.equal(await valueOf('rounds_queue_requests', { kind: 'add' }), 0)
  await until(async () => (await valueOf('rounds_pool_connections', { state: 'idle' })) === 3)
})

test('requests that wait for a locked row are reported', async () => {
  const { add, symptom } = await newPatient(rounds)
  const letGo = await lockReadings(rounds.ownerUrl)
  const answer = add(symptom(1))
  await until(async () => (await valueOf('rounds_blocked_requests', { kind: 'add' })) === 1)
  await letGo()
  assert.equal((await answer).status, 200)
  assert.equal(await valueOf('rounds_blocked_requests', { kind: 'add' }), 0)
})

function fourRefused(answers: Promise<Answer>[]) {
  let refused = 0
  return new Promise<void>((wereRefused) => {
    for (const answer of answers)
      void answer.then(({ status }) => status === 503 && ++refused === 4 && wereRefused())
  })
}

const valueOf = async (name: string, labels = {}, { adminUrl } = rounds) =>
  find(await scrape(adminUrl), name, labels)[0]?.value

/** Cuts the connections of the server and lets it make no other. */
async function whileNoConnectionIsGiven({ serveUrl, ownerUrl }: Rounds, work: () => Promise<void>) {
  const role = new URL(serveUrl).username
  await runSql(ownerUrl, `alter role ${role} connection limit 0`)
  await runSql(
    ownerUrl,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rounds' and datname = current_database()",
  )
  try {
    await work()
  } finally {
    await runSql(ownerUrl, `alter role ${role} connection limit -1`)
  }
}

test('statements that are sent again are counted by kind', async () => {
  const { add, get, symptom, token } = await newPatient(rounds)
  const requests: [string, () => Promise<Answer>][] = [
    ['add', () => add(symptom(1))],
    ['get', () => get()],
    ['other', () => rounds.call('/appointments/doctors/list', { token })],
  ]
  for (const [kind, request] of requests) {
    const retries = () => valueOf('rounds_statement_retries_total', { kind })
    const before = (await retries()) ?? 0
    let answer: Promise<Answer> | undefined
    await whileNoConnectionIsGiven(rounds, async () => {
      answer = request()
      await until(async () => ((await retries()) ?? 0) >= before + 2)
    })
    assert.equal((await answer)?.status, 200, kind)
  }
})

test('whether each part is ready is reported as /readyz has it', async () => {
  const impatient = await startRounds({ REQUEST_DEADLINE_SECONDS: '1', MODULES })
  const isReady = async (check: string) => (await valueOf('rounds_ready', { check }, impatient)) === 1
  assert.deepEqual([await isReady('database'), await isReady('issuer')], [true, true])
  await whileNoConnectionIsGiven(impatient, async () => {
    await until(async () => !(await isReady('database')))
    assert.equal(await isReady('issuer'), true)
  })
  await until(() => isReady('database'))
})

test('an answer that is cut is counted and logged, with 499 where there was none yet', async () => {
  const { addAt, symptom, token } = await newPatient(rounds)
  await addAt(Array.from({ length: 300 }, (_, index) => index))
  const abortedResponses = () => valueOf('rounds_http_responses_aborted_total')

  await runSql(
    rounds.ownerUrl,
    'alter table casesheet.access_log add constraint first_page check (page < 1) not valid',
  )
  await assert.rejects(
    rounds.call('/casesheet/readings/get', {
      token,
      headers: { 'x-request-id': 'failing', 'accept-encoding': 'identity' },
    }),
  )
  await runSql(rounds.ownerUrl, 'alter table casesheet.access_log drop constraint first_page')
  await until(async () => (await abortedResponses()) === 1)
  assert.deepEqual(lineOf('failing'), { route: '/casesheet/readings/get', status: 200, isCut: true })

  const letGo = await lockReadings(rounds.ownerUrl)
  const body = JSON.stringify(symptom(1))
  const { hostname, port } = new URL(rounds.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /casesheet/readings/add HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: gone\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await until(async () => (await valueOf('rounds_pool_connections', { state: 'busy' })) === 1)
  socket.destroy()
  await until(async () => (await abortedResponses()) === 2)
  await letGo()
  assert.deepEqual(lineOf('gone'), { route: '/casesheet/readings/add', status: 499, isCut: true })
})

/** What the log says of the answer to a request. */
function lineOf(requestId: string) {
  const lines = rounds
    .log()
    .split('\n')
    .filter((line) => line.includes(`"${requestId}"`) && line.includes('"ms"'))
  assert.equal(lines.length, 1, requestId)
  const { route, status, isCut } = JSON.parse(lines[0] ?? '') as Record<string, unknown>
  return { route, status, isCut }
}

test('a request that Node cannot read is counted and logged with its id', async () => {
  const { hostname, port } = new URL(rounds.url)
  let answer = ''
  const grown = await growthDuring(rounds.adminUrl, async () => {
    const socket = connect(Number(port), hostname, () => socket.write('HELLO\r\n\r\n'))
    for await (const chunk of socket.setEncoding('utf8')) answer += chunk
  })
  assert.equal(grown('rounds_http_errors_total', { code: 'ValidationFailed' }), 1)
  const [, requestId] = /x-request-id: (\S+)/.exec(answer) ?? []
  const line = rounds
    .log()
    .split('\n')
    .find((entry) => entry.includes(String(requestId)))
  assert.deepEqual([JSON.parse(line ?? '{}').status, JSON.parse(line ?? '{}').route], [400, 'none'])
})

test('version and commit are reported, and the memory, CPU time and event loop of the process', async () => {
  const samples = await scrape(rounds.adminUrl)
  assert.deepEqual(find(samples, 'rounds_build_info'), [
    { name: 'rounds_build_info', labels: { version, commit: commit() }, value: 1 },
  ])
  for (const name of [
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    assert.ok((find(samples, name)[0]?.value ?? 0) > 0, name)
})
