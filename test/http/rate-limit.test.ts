// How many requests a minute each caller may send.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, assertRefused, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { newPatient } from '../support/patient.ts'
import { callPath, OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'

const MINUTE = 60_000
const rounds = await startRounds({
  ...WITH_WEBHOOKS,
  RATE_LIMIT_PER_MINUTE: '5',
  RATE_LIMIT_PROFESSIONALS_PER_MINUTE: '7',
})
const GET = '/casesheet/readings/get'
let skippedMs = 0

function skip(ms: number) {
  skippedMs += ms
  rounds.skip(ms)
}
/** Minutes are counted on the clock; a test that starts with one does not run across its end. */
const startAMinute = () => skip(MINUTE - ((Date.now() + skippedMs) % MINUTE))

const callerNamed = (sub: string) => rounds.token({ sub, patientUid: OWN })

test('the sixth request of a minute is refused, and the next minute is free again', async () => {
  startAMinute()
  const token = await callerNamed('busy')
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await rounds.call(GET, { token })
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit-policy'), '"subject";q=5;w=60')
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"subject";r=${left};t=\\d+$`))
    assert.equal(headers.get('retry-after'), null)
  }
  const refused = await rounds.call(GET, { token })
  assertRefused(refused, 429, 'RateLimited')
  assert.equal(refused.json.retryable, true)
  assert.equal(refused.headers.get('ratelimit-policy'), '"subject";q=5;w=60')
  const [, seconds = ''] = /^"subject";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '') ?? []
  assert.equal(refused.headers.get('retry-after'), seconds)
  assert.ok(Number(seconds) > 50 && Number(seconds) <= 60, seconds)

  // The promise of Retry-After is kept.
  skip(Number(seconds) * 1000)
  assert.equal((await rounds.call(GET, { token })).status, 200)
})

test('doctors, staff and services have a limit of their own, which is never below that of patients', async () => {
  startAMinute()
  const policyOf = async (server: typeof rounds, claims: Record<string, string>) => {
    const { headers } = await server.call('/casesheet/readings/types', { token: await server.token(claims) })
    return headers.get('ratelimit-policy')
  }
  const professionals = [
    { doctorId: 'doctor-1' },
    { scope: 'readings:read' },
    { scope: 'readings:changes' },
    { scope: 'webhooks:manage' },
    { scope: 'readings:withdraw' },
  ]
  for (const claims of professionals) {
    assert.equal(await policyOf(rounds, claims), '"subject";q=7;w=60', JSON.stringify(claims))
  }
  for (const claims of [{ patientUid: OWN }, { scope: 'openid profile' }, {}]) {
    assert.equal(await policyOf(rounds, { sub: randomUUID(), ...claims }), '"subject";q=5;w=60')
  }
  assert.equal(await policyOf(await startRounds({}), { doctorId: 'doctor-1' }), '"subject";q=1000000;w=60')
})

test('one caller does not use up the share of another', async () => {
  startAMinute()
  const [busy, calm] = [await callerNamed('busy'), await callerNamed('calm')]
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await rounds.call(GET, { token: busy })).status),
  )
  assert.equal(statuses.filter((status) => status === 200).length, 5)
  assert.equal(statuses.filter((status) => status === 429).length, 15)
  assert.equal((await rounds.call(GET, { token: calm })).status, 200)
})

test('a caller is the subject: other tokens and other paths of the same one share its limit', async () => {
  startAMinute()
  for (const path of [...PROTECTED_PATHS, ...PROTECTED_PATHS, ...PROTECTED_PATHS].slice(0, 5)) {
    assert.equal((await callPath(rounds, path, { token: await callerNamed('same') })).status, 200)
  }
  for (const path of PROTECTED_PATHS) {
    assertRefused(await callPath(rounds, path, { token: await callerNamed('same') }), 429, 'RateLimited')
  }
})

test('what a refused request would have done is not done', async () => {
  startAMinute()
  const { token, add, stored, symptom } = await newPatient(rounds)
  for (let sent = 0; sent < 5; sent++) await rounds.call(GET, { token })
  assertRefused(await add(symptom(1_762_000_000_000)), 429, 'RateLimited')
  startAMinute()
  assert.deepEqual(await stored(), [])
})

test('requests without a valid token use up no subject’s share', async () => {
  startAMinute()
  for (let sent = 0; sent < 10; sent++) {
    assert.equal((await rounds.call(GET)).status, 401)
    assert.equal((await rounds.call(GET, { token: 'a.b.c' })).status, 401)
  }
  assert.equal((await rounds.call(GET, { token: await callerNamed('test') })).status, 200)
})

test('unless it is set the limit is 600 a minute, and under concurrency exactly that many are served', async () => {
  const usual = await startRounds({ RATE_LIMIT_PER_MINUTE: '' })
  const token = await usual.token({ sub: 'busy', patientUid: OWN })
  const intoMinute = Date.now() % MINUTE
  usual.skip(MINUTE - intoMinute)
  const answers: Answer[] = []
  // As many at a time as a server that is busy still lets in.
  for (let sent = 0; sent < 650; sent += 50) {
    const some = Array.from({ length: 50 }, () => usual.call('/casesheet/readings/types', { token }))
    answers.push(...(await Promise.all(some)))
  }
  const served = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.deepEqual([served.length, refused.length], [600, 50])
  const left = served.map(({ headers }) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]))
  assert.deepEqual(
    left.toSorted((a, b) => b - a),
    Array.from({ length: 600 }, (_, index) => 599 - index),
  )
  for (const answer of refused) {
    assertRefused(answer, 429, 'RateLimited')
    assert.equal(answer.headers.get('ratelimit-policy'), '"subject";q=600;w=60')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  }
})

const MIB = 1_048_576
const readingOf = (patientUid: string, index: number, bytes: number) => ({
  patientUid,
  readingType: 'acme.bytes',
  timestamp: 1_700_000_000 + index,
  note: 'x'.repeat(bytes),
})

/** A list of about this many bytes, in readings of 50 kB. */
const listOf = (patientUid: string, mebibytes: number) =>
  Array.from({ length: Math.floor((mebibytes * MIB) / 50_150) }, (_, index) =>
    readingOf(patientUid, index, 50_000),
  )

test('a subject may send a limited number of bytes a minute, and learns when it may send again', async () => {
  const limited = await startRounds({ RATE_LIMIT_BYTES_PER_MINUTE: String(6 * MIB) })
  const token = await limited.token({ sub: 'heavy', patientUid: OWN })
  const add = (by: string, body: unknown) => limited.call('/casesheet/readings/add', { token: by, body })
  const served = await add(token, listOf(OWN, 3.9))
  assert.equal(served.status, 200)
  assert.match(
    served.headers.get('ratelimit-policy') ?? '',
    /^"subject";q=\d+;w=60, "subject-bytes";q=6291456;w=60/,
  )
  assert.match(served.headers.get('ratelimit') ?? '', /, "subject-bytes";r=2\d{6};t=60$/)
  const refused = await add(token, listOf(OWN, 3.9))
  assertRefused(refused, 429, 'RateLimited')
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds >= 15 && seconds <= 20, String(seconds))
  assert.match(refused.headers.get('ratelimit') ?? '', new RegExp(`;t=${seconds}$`))
  // Others are served, and so are its own small readings.
  const other = await limited.token({ sub: 'other', patientUid: OWN })
  assert.equal((await add(other, readingOf(OWN, 1, 10))).status, 200)
  assert.equal((await add(token, readingOf(OWN, 2, 10))).status, 200)
  limited.skip(seconds * 1_000)
  assert.equal((await add(token, listOf(OWN, 3.9))).status, 200)
})

test('a body in chunks counts as one with a length, also where it is refused', async () => {
  const limited = await startRounds({ RATE_LIMIT_BYTES_PER_MINUTE: String(4 * MIB) })
  const list = JSON.stringify(listOf(OWN, 3.9))
  for (const [sub, text, status] of [
    ['one', list, 200],
    ['two', list.slice(0, -1), 400],
  ] as const) {
    const token = await limited.token({ sub, patientUid: OWN })
    const sent = await fetch(`${limited.url}/casesheet/readings/add`, {
      method: 'POST',
      duplex: 'half',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new Blob([text]).stream(),
    })
    assert.equal(sent.status, status)
    const again = await limited.call('/casesheet/readings/add', { token, body: listOf(OWN, 1) })
    assertRefused(again, 429, 'RateLimited')
  }
})

test('a patient may get a limited number of bytes a day from all senders together, and others get theirs', async () => {
  const limited = await startRounds({ PATIENT_BYTES_PER_DAY: String(5 * MIB) })
  const add = async (sub: string, body: unknown, headers = {}) =>
    limited.call('/casesheet/readings/add', {
      token: await limited.token({
        sub,
        patientUid: ['full', 'empty'],
        exp: Math.floor(Date.now() / 1_000) + 200_000,
      }),
      body,
      headers,
    })
  assert.equal((await add('one', listOf('full', 3.9))).status, 200)
  for (const headers of [{}, { prefer: 'return=representation' }]) {
    const refused = await add('two', listOf('full', 3.9), headers)
    assertRefused(refused, 429, 'RateLimited')
    assert.match(refused.headers.get('ratelimit-policy') ?? '', /^"patient-bytes";q=5242880;w=86400/)
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds > 40_000 && seconds < 60_000, String(seconds))
  }
  assert.equal((await add('two', listOf('empty', 3.9))).status, 200)
  assert.equal((await add('two', readingOf('full', 1, 10))).status, 200)
  limited.skip(60_000_000)
  assert.equal((await add('two', listOf('full', 3.9))).status, 200)
})

test('what was there already does not count for its patient, so that a repeated import gets further', async () => {
  const limited = await startRounds({ PATIENT_BYTES_PER_DAY: String(5 * MIB) })
  const token = await limited.token({ patientUid: [OWN, 'other'] })
  const headers = { prefer: 'return=representation' }
  const add = (body: unknown) => limited.call('/casesheet/readings/add', { token, body, headers })
  const first = listOf(OWN, 2.4)
  for (let times = 0; times < 4; times++) assert.equal((await add(first)).status, 200)
  // One new reading may be most of a body, whatever stands beside it: all of it counts.
  const known = Array.from({ length: 900 }, (_, index) => readingOf(OWN, 1_000 + index, 10))
  assert.equal((await add(known)).status, 200)
  const second = listOf(OWN, 2.2).map((reading, index) => ({ ...reading, timestamp: 90_000 + index }))
  assert.equal((await add([...known, ...second])).status, 200)
  assertRefused(await add(first), 429, 'RateLimited')
})

test('what could not be stored does not count for its patient', async () => {
  const limited = await startRounds({ PATIENT_BYTES_PER_DAY: String(5 * MIB), REQUEST_DEADLINE_SECONDS: '1' })
  const token = await limited.token({ patientUid: OWN })
  const letGo = await slowInserts(limited.ownerUrl)
  const add = (headers = {}) =>
    limited.call('/casesheet/readings/add', { token, body: listOf(OWN, 3.9), headers })
  assert.equal((await add()).status, 503)
  assert.equal((await add({ prefer: 'return=representation' })).status, 503)
  await letGo()
  assert.equal((await add()).status, 200)
})

test('a backlog of 10,000 ordinary readings passes unless limits are set', async () => {
  const usual = await startRounds({ RATE_LIMIT_BYTES_PER_MINUTE: '', PATIENT_BYTES_PER_DAY: '' })
  const token = await usual.token({ patientUid: OWN })
  for (let sent = 0; sent < 10; sent++) {
    const body = Array.from({ length: 1_000 }, (_, index) => readingOf(OWN, sent * 1_000 + index, 200))
    assert.equal((await usual.call('/casesheet/readings/add', { token, body })).status, 200)
  }
})
