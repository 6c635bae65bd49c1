// What Prometheus scrapes: something is done, and the numbers move by as much.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { find, growthDuring, scrape } from '../support/scrape.ts'

const rounds = await startRounds({ CASESHEET_PATH: '/sheet', RATE_LIMIT_PER_MINUTE: '40' })
const VERDICTS = { prefer: 'return=representation' }

const during = (work: () => Promise<unknown>) => growthDuring(rounds.adminUrl, work)

test('readings that were stored, were there already, or were rejected are counted', async () => {
  const patientUid = `patient-${randomUUID()}`
  const token = await rounds.token({ patientUid, sub: patientUid })
  const reading = (timestamp: number, readingType = 'acme.step') => ({ patientUid, readingType, timestamp })
  const add = (body: unknown, headers = {}) => rounds.call('/sheet/readings/add', { token, body, headers })
  const plain = await during(async () => {
    assert.equal((await add([reading(1), reading(2), reading(2)])).status, 200)
    assert.equal((await add(reading(1))).status, 200)
    assert.equal((await add(reading(3))).status, 200)
    assert.equal((await add([reading(4), { ...reading(5), timestamp: 'now' }])).status, 400)
  })
  assert.equal(plain('rounds_readings_total', { outcome: 'stored' }), 3)
  assert.equal(plain('rounds_readings_total', { outcome: 'duplicate' }), 2)
  assert.equal(plain('rounds_readings_total', { outcome: 'rejected' }), 0)
  assert.equal(plain('rounds_http_errors_total', { code: 'ValidationFailed' }), 1)
  assert.equal(plain('rounds_statement_batch_size_count', { kind: 'add' }), 3)
  assert.equal(plain('rounds_statement_batch_size_sum', { kind: 'add' }), 3)
  assert.equal(plain('rounds_queue_wait_seconds_count', { kind: 'add' }), 3)
  assert.equal(plain('rounds_statement_duration_seconds_count', { kind: 'add' }), 3)

  const each = await during(() =>
    add([reading(3), reading(4), reading(4), { ...reading(5), patientUid: 'other' }], VERDICTS),
  )
  assert.equal(each('rounds_readings_total', { outcome: 'stored' }), 1)
  assert.equal(each('rounds_readings_total', { outcome: 'duplicate' }), 2)
  assert.equal(each('rounds_readings_total', { outcome: 'rejected' }), 1)
  assert.equal(each('rounds_statement_batch_size_count', { kind: 'add-each' }), 1)
})

test('what is read is counted as the access log has it', async () => {
  const patientUid = `patient-${randomUUID()}`
  const token = await rounds.token({ patientUid, sub: patientUid })
  const call = (path: string) => rounds.call(`/sheet/readings/${path}`, { token })
  const body = Array.from({ length: 251 }, (_, index) => ({
    patientUid,
    readingType: index % 2 === 0 ? 'acme.step' : 'acme.stride',
    timestamp: 1_000 + index,
  }))
  assert.equal((await rounds.call('/sheet/readings/add', { token, body })).status, 200)
  const grown = await during(async () => {
    await call('get')
    await call('get?limit=7')
    await call('latest')
    await call('latest?readingType=acme.step')
    await call('statistics?readingType=acme.step&from=0&to=2000')
    await call('access-log')
  })
  const rows = await runSql(
    rounds.ownerUrl,
    `select operation, count(*)::int as rows, sum(readings_count)::int as readings
     from casesheet.access_log where patient_uid = $1 group by operation order by operation`,
    [patientUid],
  )
  assert.deepEqual(rows, [
    { operation: 'readings/access-log', rows: 1, readings: 0 },
    { operation: 'readings/get', rows: 3, readings: 258 },
    { operation: 'readings/latest', rows: 2, readings: 3 },
    { operation: 'readings/statistics', rows: 1, readings: 126 },
  ])
  for (const { operation, ...counts } of rows) {
    const labels = { operation }
    assert.deepEqual(
      {
        rows: grown('rounds_access_log_rows_total', labels),
        readings: grown('rounds_readings_read_total', labels),
      },
      counts,
      operation,
    )
  }
  for (const [kind, statements] of [
    ['get', 3],
    ['latest', 2],
    ['statistics', 1],
  ] as const)
    assert.equal(grown('rounds_statement_duration_seconds_count', { kind }), statements, kind)
  // The access log, and the version of the directory, which is read every few seconds.
  assert.ok((grown('rounds_statement_duration_seconds_count', { kind: 'other' }) ?? 0) >= 1)
})

test('requests are counted by module, method, route and status, and no address or person is in a label', async () => {
  const patientUid = `patient-${randomUUID()}`
  const token = await rounds.token({ patientUid, sub: `subject-${patientUid}` })
  const grown = await during(async () => {
    await rounds.call(`/sheet/readings/get?patientUid=${patientUid}`, { token })
    await rounds.call('/sheet/readings/get?patientUid=somebody-else', { token })
    await rounds.call('/appointments/doctors/list?q=Willow', { token })
    await rounds.call(`/nothing/${patientUid}`, { token })
  })
  const counted = (labels: Record<string, string>) =>
    grown('rounds_http_request_duration_seconds_count', { method: 'GET', ...labels })
  const get = { module: 'casesheet', route: '/sheet/readings/get' }
  assert.equal(counted({ ...get, status: '200' }), 1)
  assert.equal(counted({ ...get, status: '403' }), 1)
  assert.equal(counted({ module: 'appointments', route: '/appointments/doctors/list', status: '200' }), 1)
  assert.equal(counted({ module: 'none', route: 'none', status: '404' }), 1)
  assert.equal(grown('rounds_http_errors_total', { code: 'PatientMismatch' }), 1)
  assert.equal(grown('rounds_http_errors_total', { code: 'NotFound' }), 1)
  const text = await (await fetch(`${rounds.adminUrl}/metrics`)).text()
  for (const secret of [
    patientUid,
    'somebody-else',
    'Willow',
    token,
    createHash('sha256').update(token).digest('base64'),
  ])
    assert.equal(text.includes(secret), false, secret)
})

test('tokens that are found in the cache, verified and refused are counted, and so is the size of the cache', async () => {
  const token = await rounds.token({ sub: randomUUID() })
  const call = (sent: string) => rounds.call('/appointments/doctors/list', { token: sent })
  const grown = await during(async () => {
    for (let sent = 0; sent < 3; sent++) assert.equal((await call(token)).status, 200)
    assert.equal((await call(`${token.slice(0, -8)}AAAAAAAA`)).status, 401)
    assert.equal((await call('x'.repeat(5_000))).status, 401)
  })
  assert.equal(grown('rounds_token_checks_total', { outcome: 'cached' }), 2)
  assert.equal(grown('rounds_token_checks_total', { outcome: 'verified' }), 1)
  assert.equal(grown('rounds_token_checks_total', { outcome: 'refused' }), 2)
  assert.equal(grown('rounds_tokens_cached'), 1)
  const evicted = await during(async () => {
    rounds.skip(3_600_000)
    assertRefused(await call(token), 401, 'TokenExpired')
    rounds.skip(-3_600_000)
  })
  assert.equal(evicted('rounds_token_checks_total', { outcome: 'refused' }), 1)
  assert.equal(evicted('rounds_tokens_refused_total', { reason: 'expired' }), 1)
})

test('refused tokens are counted by reason', async () => {
  const call = async (token: string) =>
    assertRefused(await rounds.call('/appointments/doctors/list', { token }), 401, 'TokenInvalid')
  const grown = await during(async () => {
    await call(await rounds.token({ aud: 'another' }))
    await call(await rounds.token({ aud: 'another' }))
    await call(await rounds.token({}, { header: { kid: 'withdrawn' } }))
    await call(await rounds.token({ iss: 'https://another.example' }))
    await call(await rounds.token({ iat: Math.floor(Date.now() / 1_000) + 3_600 }))
  })
  const counted = (reason: string) => grown('rounds_tokens_refused_total', { reason })
  assert.deepEqual(['audience', 'unknownKey', 'issuer', 'claim iat'].map(counted), [2, 1, 1, 1])
})

test('requests beyond the rate limit are counted', async () => {
  const token = await rounds.token({ sub: 'eager' })
  const grown = await during(async () => {
    for (let sent = 0; sent < 100; sent++) {
      if ((await rounds.call('/appointments/doctors/list', { token })).status === 429) return
    }
  })
  assert.equal(grown('rounds_http_errors_total', { code: 'RateLimited' }), 1)
})

test('key fetches and their failures are counted, and when the keys were last fetched', async () => {
  const [first] = find(await scrape(rounds.adminUrl), 'rounds_issuer_keys_fetched_timestamp_seconds')
  assert.equal(first?.labels['issuer'], rounds.issuer.url)
  assert.ok(Math.abs((first?.value ?? 0) - Date.now() / 1_000) < 60)
  const unknownKey = await rounds.token({}, { header: { kid: 'unknown' } })
  const fetchWith = async (status: number) => {
    rounds.skip(6_000)
    assert.equal((await rounds.call('/appointments/doctors/list', { token: unknownKey })).status, status)
  }
  const grown = await during(async () => {
    await fetchWith(401)
    rounds.issuer.failWith((_, response) => response.writeHead(500).end())
    await fetchWith(503)
    rounds.issuer.failWith()
  })
  assert.equal(grown('rounds_issuer_key_fetches_total', { outcome: 'ok' }), 1)
  assert.equal(grown('rounds_issuer_key_fetches_total', { outcome: 'failed' }), 1)
  assert.equal(grown('rounds_http_errors_total', { code: 'IssuerUnavailable' }), 1)
  assert.ok(grown('rounds_issuer_keys_fetched_timestamp_seconds') >= 6)
})
