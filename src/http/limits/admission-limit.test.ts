// How many requests may be in work, which admission control decides from the event loop: each of its rules alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  LONG_MS,
  NO_TOKEN,
  PREFLIGHT,
  SAMPLE_MS,
  startAdmission,
  TOKEN,
} from '../../../test/support/admission.ts'

test('two busy samples with long iterations limit the requests in work to 70 % of what was in work', () => {
  const { iterate, work, limit } = startAdmission()
  work(100)
  iterate(LONG_MS + 1)
  assert.equal(limit(), Infinity)
  work(100)
  iterate(LONG_MS + 1)
  assert.equal(limit(), 70)
  work(100)
  iterate(LONG_MS + 1)
  assert.equal(limit(), 49)
})

test('the limit never falls below 16, and follows what was in work where that was less than the limit', () => {
  const { overload, work, iterate, limit } = startAdmission()
  overload(60)
  assert.equal(limit(), 42)
  work(24)
  iterate(LONG_MS + 1)
  assert.equal(limit(), 17)
  work(20)
  iterate(LONG_MS + 1)
  assert.equal(limit(), 16)
})

test('requests that are answered at once count in the iteration that admitted them, of whatever kind', () => {
  const { arrive, admittedOf, end, loop, limit } = startAdmission({
    maxWhenBusy: 40,
    isKnown: (token) => token === 'known',
  })
  for (let iteration = 0; iteration < 2; iteration++) {
    loop.ms += 100
    admittedOf(50, TOKEN)
    admittedOf(30, NO_TOKEN)
    admittedOf(15, PREFLIGHT)
    loop.ms += SAMPLE_MS
    // Only in a long iteration is it asked whether a token is known.
    for (let known = 0; known < 5; known++) arrive({ headers: { authorization: 'known' } })
    end()
  }
  assert.equal(limit(), 70)
})

test('an iteration of three milliseconds is not long', () => {
  const { iterate, work, limit } = startAdmission()
  work(100)
  for (let sample = 0; sample < 5; sample++) iterate(LONG_MS)
  assert.equal(limit(), Infinity)
})

test('an event loop that idles for more than 5 % of the time is not overloaded', () => {
  const { iterate, work, limit } = startAdmission()
  work(100)
  for (let sample = 0; sample < 5; sample++) iterate(LONG_MS + 1, 0.94)
  assert.equal(limit(), Infinity)
  work(100)
  for (let sample = 0; sample < 2; sample++) iterate(LONG_MS + 1, 0.95)
  assert.equal(limit(), 70)
})

test('with each idle sample the limit grows by a tenth and one, and two busy ones must follow before it falls again', () => {
  const { iterate, overload, work, limit } = startAdmission()
  overload(100)
  iterate(1, 0.5)
  assert.equal(limit(), 78)
  work(100)
  iterate(LONG_MS + 1)
  assert.equal(limit(), 78)
  work(100)
  iterate(LONG_MS + 1)
  assert.equal(limit(), 55)
  for (let idle = 0; idle < 200; idle++) iterate(1, 0.5)
  assert.equal(limit(), Infinity)
})

test('a sample is taken every five milliseconds', () => {
  const { arrive, end, loop } = startAdmission()
  for (const [ms, samples] of [
    [SAMPLE_MS - 0.01, 0],
    [0.01, 1],
    [SAMPLE_MS - 0.01, 1],
    [0.02, 2],
  ] as const) {
    arrive()
    end(ms)
    assert.equal(loop.samples, samples)
  }
})

test('an iteration that has gone on for five milliseconds admits only what is always admitted', () => {
  const { arrive, admittedOf, end, loop } = startAdmission({ maxWhenBusy: 4 })
  loop.ms = 1_000
  assert.equal(admittedOf(10), 10)
  loop.ms += 4.99
  assert.equal(arrive().status, 200)
  loop.ms += 0.01
  assert.equal(arrive().status, 503)
  end()
  assert.equal(arrive().status, 200)
})

test('refusals are counted, and reported a second after the first of them', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const reported: number[] = []
  const { overload, refusals, admittedOf } = startAdmission({
    onRefused: (count) => void reported.push(count),
  })
  overload(100)
  assert.equal(admittedOf(7), 0)
  t.mock.timers.tick(999)
  assert.deepEqual(reported, [])
  t.mock.timers.tick(1)
  assert.deepEqual(reported, [7])
  t.mock.timers.tick(5_000)
  assert.equal(admittedOf(2), 0)
  t.mock.timers.tick(1_000)
  assert.equal(admittedOf(1), 0)
  t.mock.timers.tick(1_000)
  assert.deepEqual([reported, refusals.Overloaded], [[7, 2, 1], 10])
})

test('refusals of tokens that were verified before are counted apart from all others', () => {
  const isKnown = (token: string) => token === 'known'
  const { control, overload, admittedOf, refusals } = startAdmission({ isKnown })
  overload(100)
  assert.equal(admittedOf(7, TOKEN), 0)
  assert.ok(admittedOf(20, NO_TOKEN) < 20)
  assert.equal(control.refusedKnown(), 0)
  const known = admittedOf(20, { headers: { authorization: 'known' } })
  assert.ok(known < 20)
  assert.equal(control.refusedKnown(), 20 - known)
  assert.ok(refusals.Overloaded > 20 - known)
})

test('a refusal says what to do, and names an origin only to web apps of that origin', () => {
  const origin = 'https://app.example'
  const refusalFor = (corsOrigins: string[], headers: Record<string, string>) => {
    const { overload, arrive } = startAdmission({ corsOrigins })
    overload(100)
    return arrive({ headers: { ...TOKEN.headers, 'x-request-id': 'mine-1', ...headers } })
  }
  const { status, headers, body } = refusalFor([], { origin })
  assert.equal(status, 503)
  assert.deepEqual(headers, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': '1',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'mine-1',
  })
  const parsed = JSON.parse(body) as Record<string, unknown>
  assert.deepEqual([parsed['code'], parsed['requestId']], ['Overloaded', 'mine-1'])
  const corsHeadersOf = (sent: Record<string, string>) => {
    const { vary, ...others } = refusalFor([origin], sent).headers
    return [vary, others['access-control-allow-origin'], others['access-control-expose-headers']]
  }
  assert.deepEqual(corsHeadersOf({ origin }), ['Origin', origin, 'retry-after, x-request-id'])
  assert.deepEqual(corsHeadersOf({ origin: 'https://other.example' }), ['Origin', undefined, undefined])
  assert.deepEqual(corsHeadersOf({}), ['Origin', undefined, undefined])
})

test('requests that only wait for the database are not in work', () => {
  let waiting = 0
  const { work, overload, arrive, end } = startAdmission({ countWaiting: () => waiting })
  overload(100)
  work(100)
  const arriveLater = () => {
    const { status } = arrive()
    end()
    return status
  }
  assert.equal(arriveLater(), 503)
  waiting = 31
  assert.equal(arriveLater(), 200)
  waiting = 30
  assert.equal(arriveLater(), 503)
})
