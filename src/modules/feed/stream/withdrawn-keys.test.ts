// What outlasts the verification of a token, a stream or a request that waits for changes, ends when the issuer withdraws the
// key that signed the token.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricOf, openStream } from '../../../../test/support/event-stream.ts'
import { assertRefused, type Rounds, startIssuer, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { until } from '../../../../test/support/until.ts'

const PAST_THE_COOL_DOWN = 6_000
const ENDED = /event: end\ndata: \{"reason":"keyWithdrawn"\}/

/** Rounds with an issuer of two keys, and streams and waiting requests by the key that signed their tokens. */
async function startWithTwoKeys() {
  const rounds = await startRounds()
  const { issuer } = rounds
  const other = await startIssuer()
  const second = { ...other.keys[0], kid: 'test-2' }
  issuer.keys.push(second)
  rounds.skip(PAST_THE_COOL_DOWN)
  const { patientUid, addAt } = await newPatient(rounds)
  const tokenOf = {
    first: (claims: object = { patientUid }) => issuer.token({ ...claims }),
    second: (claims: object = { patientUid }) =>
      other.token({ iss: issuer.url, ...claims }, { header: { kid: 'test-2' } }),
    /** Signed by the second, without the id of its key. */
    unnamed: (claims: object = { patientUid }) =>
      other.token({ iss: issuer.url, ...claims }, { header: { kid: undefined } }),
  }
  // So that the second is fetched.
  assert.equal((await rounds.call('/casesheet/readings/get', { token: await tokenOf.second() })).status, 200)
  return { rounds, issuer, second, tokenOf, addAt }
}

/** Has the keys fetched, as an unknown one does, and as a minute would. */
async function fetchKeys(rounds: Rounds) {
  rounds.skip(PAST_THE_COOL_DOWN)
  const before = rounds.issuer.keyFetches()
  const token = await rounds.token({ patientUid: 'p' }, { header: { kid: 'unknown' } })
  await rounds.call('/casesheet/readings/get', { token })
  assert.equal(rounds.issuer.keyFetches(), before + 1)
}

const service = (sub: string) => ({ sub, scope: 'readings:changes' })

test('the streams and waiting requests of a withdrawn key end within seconds, and those of other keys go on', async () => {
  const { rounds, issuer, tokenOf, addAt } = await startWithTwoKeys()
  const withdrawn = await openStream(rounds.url, await tokenOf.first())
  const staying = [
    await openStream(rounds.url, await tokenOf.second()),
    await openStream(rounds.url, await tokenOf.unnamed()),
  ]
  const wait = async (token: string) =>
    rounds.call('/casesheet/readings/changes?start=now&wait=30', { token })
  const refused = wait(await tokenOf.first(service('first')))
  const served = wait(await tokenOf.second(service('second')))
  await until(async () => (await metricOf(rounds.adminUrl, 'rounds_changes_long_polls')) === 2)

  issuer.keys.shift()
  await fetchKeys(rounds)
  const began = performance.now()
  await until(() => ENDED.test(withdrawn.text()))
  assertRefused(await refused, 401, 'TokenInvalid')
  assert.ok(performance.now() - began < 10_000, `${performance.now() - began} ms`)
  assert.equal(await metricOf(rounds.adminUrl, 'rounds_streams'), 2)

  const writer = await tokenOf.second()
  assert.equal((await rounds.call('/casesheet/readings/get', { token: writer })).status, 200)
  await assert.rejects(addAt([1]), /TokenInvalid/)
  const body = { patientUid: patientIn(writer), readingType: 'acme.step', timestamp: 1, n: 1 }
  assert.equal((await rounds.call('/casesheet/readings/add', { token: writer, body })).status, 200)
  for (const { text } of staying) await until(() => text().includes('"timestamp":1,'))
  assert.equal((await served).status, 200)
  assert.doesNotMatch(withdrawn.text(), /event: change/)
  for (const { text } of staying) assert.doesNotMatch(text(), /event: end/)
  for (const { socket } of [withdrawn, ...staying]) socket.destroy()
})

const patientIn = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { patientUid: string })
    .patientUid

test('a new key, another order of the keys or a field that says nothing of the key ends no stream', async () => {
  const { rounds, issuer, tokenOf, addAt } = await startWithTwoKeys()
  const streams = [
    await openStream(rounds.url, await tokenOf.first()),
    await openStream(rounds.url, await tokenOf.second()),
  ]
  issuer.keys.reverse()
  issuer.keys.push({ ...(await startIssuer()).keys[0], kid: 'test-3' })
  issuer.keys[1] = { ...issuer.keys[1], 'x-comment': 'the same key' }
  await fetchKeys(rounds)
  await addAt([1])
  for (const { text } of streams) {
    await until(() => text().includes('"timestamp":1,'))
    assert.doesNotMatch(text(), /event: end/)
  }
  for (const { socket } of streams) socket.destroy()
})

test('a key that gets another id ends the streams whose tokens name the old one', async () => {
  const { rounds, issuer, second, tokenOf } = await startWithTwoKeys()
  const named = await openStream(rounds.url, await tokenOf.second())
  const unnamed = await openStream(rounds.url, await tokenOf.unnamed())
  issuer.keys[1] = { ...second, kid: 'renamed' }
  await fetchKeys(rounds)
  await until(() => ENDED.test(named.text()))
  assert.doesNotMatch(unnamed.text(), /event: end/)
  for (const { socket } of [named, unnamed]) socket.destroy()
})

test('an issuer that withdraws all keys, or cannot be reached for a day, ends all streams', async () => {
  const { rounds, issuer, tokenOf } = await startWithTwoKeys()
  const first = await openStream(rounds.url, await tokenOf.first())
  const keys = issuer.keys.splice(0)
  await fetchKeys(rounds)
  await until(() => ENDED.test(first.text()))
  issuer.keys.push(...keys)
  rounds.skip(PAST_THE_COOL_DOWN)
  const lasting = { patientUid: 'p', exp: Math.floor(Date.now() / 1_000) + 72 * 3_600 }
  const second = await openStream(rounds.url, await rounds.token(lasting))
  assert.match(second.text(), /event: open/)
  issuer.failWith((request) => request.socket.destroy())
  rounds.skip(25 * 3_600_000)
  await until(() => ENDED.test(second.text()))
  for (const { socket } of [first, second]) socket.destroy()
})
