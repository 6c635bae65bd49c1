// How many requests a minute each caller may send.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertRefused, startRounds } from './harness.ts'
import { newPatient } from './patient.ts'
import { callPath, OWN, PROTECTED_PATHS } from './protected-paths.ts'

const MINUTE = 60_000
const rounds = await startRounds({ RATE_LIMIT_PER_MINUTE: '5' })
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

test('requests without a valid token take nobody’s share', async () => {
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
