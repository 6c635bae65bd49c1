// Requests without a valid token, limited by the address they come from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPair } from 'jose'
import { createRefusedAddresses, networkOf } from '../../src/http/limits/refused-addresses.ts'
import { assertRefused, startRounds } from '../support/harness.ts'
import { until } from '../support/until.ts'

const LIMIT = 20
const GET = '/casesheet/readings/get'
const [behind, direct] = await Promise.all([
  startRounds({ RATE_LIMIT_REFUSED_PER_MINUTE: String(LIMIT), TRUST_PROXY: 'loopback' }),
  startRounds({ RATE_LIMIT_REFUSED_PER_MINUTE: String(LIMIT) }),
])
const { privateKey: forgedKey } = await generateKeyPair('RS256')
const from = (address: string) => ({ 'x-forwarded-for': address })

/** Requests that are 401 until the address is beyond its limit. */
async function exhaust(rounds: typeof behind, headers: Record<string, string>) {
  for (let sent = 0; sent < LIMIT; sent++) {
    const token = sent % 2 === 0 ? undefined : 'a.b.c'
    assert.equal((await rounds.call(GET, { headers, ...(token ? { token } : {}) })).status, 401)
  }
}

test('beyond the limit an address without a token is refused, another is not, and a minute later it is free', async () => {
  const known = await behind.token({ patientUid: 'p1' })
  assert.equal((await behind.call(GET, { token: known, headers: from('192.0.2.1') })).status, 200)
  await exhaust(behind, from('192.0.2.1'))
  const refused = await behind.call(GET, { headers: from('192.0.2.1') })
  assertRefused(refused, 429, 'RateLimited')
  assert.equal(refused.headers.get('ratelimit-policy'), `"address";q=${LIMIT};w=60`)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await behind.call(GET, { headers: from('192.0.2.2') })).status, 401)
  // Tokens are not affected: known, new, or expired.
  const fresh = await behind.token({ patientUid: 'p1' })
  for (const token of [known, fresh]) {
    assert.equal((await behind.call(GET, { token, headers: from('192.0.2.1') })).status, 200)
  }
  const expired = await behind.token({ patientUid: 'p1', exp: 1_762_000_000 })
  assertRefused(await behind.call(GET, { token: expired, headers: from('192.0.2.1') }), 401, 'TokenExpired')
  behind.skip(60_000)
  assert.equal((await behind.call(GET, { headers: from('192.0.2.1') })).status, 401)
})

test('a sender of IPv6 is its /64, and what a client says of itself is not believed', async () => {
  await exhaust(behind, from('2001:db8:1:2::1'))
  assert.equal((await behind.call(GET, { headers: from('2001:db8:1:2:ffff::9') })).status, 429)
  assert.equal((await behind.call(GET, { headers: from('2001:db8:1:3::1') })).status, 401)
  // The last address is the one that the proxy has seen.
  assert.equal((await behind.call(GET, { headers: from('203.0.113.7, 2001:db8:1:2::1') })).status, 429)
  // Without TRUST_PROXY nobody is believed.
  await exhaust(direct, from('192.0.2.1'))
  assert.equal((await direct.call(GET, { headers: from('192.0.2.99') })).status, 429)
})

test('behind a proxy that TRUST_PROXY does not name, a flood of forged tokens locks out no valid one', async () => {
  const state = { isOver: false, sent: 0 }
  const statuses = new Set<number>()
  const flood = Array.from({ length: 100 }, async (_, index) => {
    while (!state.isOver) {
      const token = await direct.token({ patientUid: `f${index}` }, { key: forgedKey })
      statuses.add((await direct.call(GET, { token })).status)
      state.sent++
    }
  })
  await until(async () => state.sent > 2 * LIMIT)
  const known = await direct.token({ patientUid: 'p1' })
  const answeredBefore: number[] = []
  for (let tried = 0; tried < 5; tried++) {
    const token = await direct.token({ patientUid: 'p1' })
    const before = state.sent
    assert.equal((await direct.call(GET, { token })).status, 200)
    answeredBefore.push(state.sent - before)
    assert.equal((await direct.call(GET, { token })).status, 200)
  }
  assert.equal((await direct.call(GET, { token: known })).status, 200)
  state.isOver = true
  await Promise.all(flood)
  assert.deepEqual(statuses, new Set([401]))
  // Five seconds, at the 200 tokens that the server verifies in each, however slow this machine is.
  assert.ok(Math.max(...answeredBefore) <= 5 * 200, JSON.stringify(answeredBefore))
})

test('more forged tokens than may wait are refused unverified, and then others get in again', async () => {
  const forged = await direct.token({ patientUid: 'p1' }, { key: forgedKey })
  const refused: Awaited<ReturnType<typeof direct.call>>[] = []
  let sent = 0
  await Promise.all(
    Array.from({ length: 600 }, async () => {
      while (refused.length === 0 && sent++ < 20_000) {
        const answer = await direct.call(GET, { token: forged })
        if (answer.status === 429) refused.push(answer)
        else assert.equal(answer.status, 401)
      }
    }),
  )
  assert.ok(refused.length > 0)
  for (const answer of refused) assertRefused(answer, 429, 'RateLimited')
  const token = await direct.token({ patientUid: 'p1' })
  await until(async () => (await direct.call(GET, { token })).status === 200)
})

test('at most 256 tokens wait, and 200 a second are verified', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const addresses = createRefusedAddresses(LIMIT, () => 0)
  let admitted = 0
  const wait = async () => {
    await addresses.untilAdmitted('192.0.2.1')
    admitted++
  }
  const waiting = Array.from({ length: 256 }, wait)
  await assert.rejects(wait, { code: 'RateLimited' })
  assert.equal(admitted, 0)
  t.mock.timers.tick(1_000)
  await Promise.all(waiting.slice(0, 200))
  assert.equal(admitted, 200)
  waiting.push(...Array.from({ length: 200 }, wait))
  await assert.rejects(wait, { code: 'RateLimited' })
  t.mock.timers.tick(2_000)
  await Promise.all(waiting)
  assert.equal(admitted, 456)
})

test('addresses are compared by network', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001::6', '2001:db8:1:0'],
    ['::1', '0:0:0:0'],
    ['unknown', 'unknown'],
  ] as const) {
    assert.equal(networkOf(address), network)
  }
})
