// Following every change with the client, against the real server: nothing is missed or doubled, whatever fails on the way.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import { startStage } from '../../../test/support/simulate-stage.ts'
import {
  type Change,
  type ChangesPage,
  createRoundsClient,
  type Fetch,
  RoundsError,
  tokenByPatient,
} from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const network = await startFaultyNetwork(rounds.url)
const serviceToken = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
const service = createRoundsClient({ url: rounds.url, token: () => serviceToken })

// Transactions of other tests hold changes back until they end.
const MAX_DELAY_MS = 240_000

/** Fires when the test has ended, however it did, or when it takes too long: nothing that follows keeps the file from ending. */
function endOf(context: TestContext): AbortSignal {
  const ended = new AbortController()
  context.after(() => ended.abort())
  return AbortSignal.any([ended.signal, AbortSignal.timeout(MAX_DELAY_MS)])
}

/** Where the sequence ends now. */
async function here() {
  const { value } = await service.changes({ start: 'now', wait: 0 }).next()
  return mustBe(value).nextCursor
}

function mustBe(page: ChangesPage | void): ChangesPage {
  assert.ok(page)
  return page
}

/** The changes of the next page with any: those without say that a transaction, perhaps of another test, holds changes back. */
async function nextChanges(following: AsyncIterator<ChangesPage, void>): Promise<Change[]> {
  for (;;) {
    const { changes, heldBackSeconds } = mustBe((await following.next()).value)
    if (changes.length > 0) return changes
    assert.ok(heldBackSeconds >= 0)
  }
}

const sequenceIn = (change: Change) => (change.state === 'erased' ? undefined : change.reading['sequence'])

test('a reading is withdrawn and restored, and the sequence has it', async (context) => {
  const { client, patientUid, steps } = await clientOfNewPatient(rounds)
  await client.addReadings(steps(1))
  const [stored] = (await client.getReadings()).data
  assert.ok(stored)
  const named = { patientUid, readingId: stored.readingId, timestamp: stored.timestamp }
  const cursor = await here()
  assert.equal((await client.withdrawReading({ ...named, reason: 'Typed twice' })).code, 'Ok')
  assert.equal((await client.withdrawReading({ ...named, reason: undefined })).code, 'Ok')
  assert.deepEqual((await client.getReadings()).data, [])
  const [shown] = (await client.getReadings({ withdrawn: 'include' })).data
  assert.ok(shown?.withdrawn)
  // The sequence shows the state, not how it came about.
  const { corrections: _, ...withdrawn } = shown.withdrawn as Record<string, unknown>
  const following = service.changes({ cursor }, { signal: endOf(context) })
  assert.deepEqual(await nextChanges(following), [{ state: 'withdrawn', reading: { ...shown, withdrawn } }])
  await client.restoreReading(named)
  assert.deepEqual(await nextChanges(following), [{ state: 'present', reading: stored }])
  await following.return()
  const unknown = await failureOf(client.withdrawReading({ ...named, readingId: randomUUID() }))
  assert.deepEqual([unknown.code, unknown.status], ['ReadingNotFound', 404])
})

test('pages follow one another through connections that are cut, lost answers and 503', async (context) => {
  const { client, steps } = await clientOfNewPatient(rounds)
  const cursor = await here()
  const statuses: number[] = []
  const watching: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    statuses.push(response.status)
    if (response.status === 503) {
      await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
    }
    return response
  }
  // One attempt for every other call: this one goes on all the same.
  const far = createRoundsClient({ url: network.url, token: serviceToken, fetch: watching, attempts: 1 })
  await client.addReadings(steps(60))
  const seen: unknown[] = []
  const failures: string[] = []
  const mayRepeat = ({ code }: RoundsError) => failures.push(code) < 20
  let pages = 0
  const options = { mayRepeat, signal: endOf(context) }
  for await (const { changes } of far.changes({ cursor, limit: 10, wait: 1 }, options)) {
    seen.push(...changes.map(sequenceIn))
    pages++
    if (seen.length >= 60) break
    if (pages === 1) network.cutRequests(2)
    if (pages === 2) network.loseAnswers(2)
    if (pages === 3) await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  }
  assert.deepEqual(
    seen.toSorted((a, b) => Number(a) - Number(b)),
    firstNumbers(60),
  )
  assert.ok(failures.length >= 5, String(failures))
  assert.ok(statuses.includes(503))
})

test('an answer is held until something changes; pages without anything new are not given', async (context) => {
  const { client, steps } = await clientOfNewPatient(rounds)
  const requests: string[] = []
  const counting: Fetch = (url, init) => {
    requests.push(url)
    return fetch(url, init)
  }
  // The attempt may take less than the answer is held: that is no time-out.
  const options = { url: rounds.url, token: serviceToken, fetch: counting, attemptTimeoutMs: 900 }
  const signal = endOf(context)
  const following = createRoundsClient(options).changes({ start: 'now', wait: 1 }, { signal })
  const first = mustBe((await following.next()).value)
  assert.deepEqual([first.changes, first.hasMore], [[], false])
  const next = nextChanges(following)
  const adding = async () => {
    while (requests.length < 4 && !signal.aborted) await new Promise((done) => setTimeout(done, 20))
    await client.addReadings(steps(1))
  }
  const [changes] = await Promise.all([next, adding()])
  assert.deepEqual(changes.map(sequenceIn), [0])
  await following.return()
})

test('a token function that throws ends nothing: it is called again, later each time, and each failure is reported', async (context) => {
  const { client, steps } = await clientOfNewPatient(rounds)
  const cursor = await here()
  const calls: { at: number; refused: boolean }[] = []
  const causes: string[] = []
  // The first token is refused, as one that has expired is; then the issuer is away for three calls.
  const follower = createRoundsClient({
    url: rounds.url,
    async token(refused) {
      calls.push({ at: performance.now(), refused: refused !== undefined })
      if (calls.length === 1) return 'expired'
      if (calls.length <= 4) throw new Error(`The issuer is away: ${calls.length}.`)
      return serviceToken
    },
  })
  const mayRepeat = ({ code, cause }: RoundsError) => causes.push(`${code} ${String(cause)}`) < 20
  const following = follower.changes({ cursor, wait: 1 }, { mayRepeat, signal: endOf(context) })
  await client.addReadings(steps(1))
  assert.deepEqual((await nextChanges(following)).map(sequenceIn), [0])
  assert.deepEqual(
    causes,
    [2, 3, 4].map((call) => `TokenUnavailable Error: The issuer is away: ${call}.`),
  )
  assert.deepEqual(
    calls.slice(0, 2).map(({ refused }) => refused),
    [false, true],
  )
  await following.return()
})

test('a token function that gives no token is a mistake of the program, and ends it', async () => {
  const follower = createRoundsClient({ url: rounds.url, token: () => '' })
  await assert.rejects(follower.changes().next(), TypeError)
  const byPatient = createRoundsClient({ url: rounds.url, token: tokenByPatient(() => 'token') })
  await assert.rejects(byPatient.changes().next(), TypeError)
})

test('while a transaction holds changes back, pages say for how long, and then that they no longer are', async (context) => {
  const { client, steps } = await clientOfNewPatient(rounds)
  const cursor = await here()
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  context.after(() => holder.end())
  await holder.query('begin')
  await holder.query('select pg_current_xact_id()')
  await client.addReadings(steps(1))
  const signal = endOf(context)
  const pages: ChangesPage[] = []
  for await (const page of service.changes({ cursor, wait: 1 }, { signal })) {
    pages.push(page)
    if (page.heldBackSeconds >= 2) await holder.query('rollback')
    if (page.heldBackSeconds === 0 && pages.some(({ changes }) => changes.length > 0)) break
  }
  const [first] = pages
  assert.ok(first && first.heldBackSeconds > 0 && first.changes.length === 0 && first.nextCursor === cursor)
  assert.deepEqual(pages.flatMap(({ changes }) => changes).map(sequenceIn), [0])
})

test('a signal ends it, also while an answer is held', async () => {
  const stopping = new AbortController()
  const following = service.changes({ start: 'now' }, { signal: stopping.signal })
  await following.next()
  const held = nextChanges(following)
  stopping.abort(new Error('The service is stopping.'))
  await assert.rejects(held, /The service is stopping/)
  assert.equal((await following.next()).done, true)
})

test('what does not pass is an error with its code: an expired cursor, a missing scope', async () => {
  const [version, position = ''] = Buffer.from(await here(), 'base64url')
    .toString()
    .split(' ')
  const elsewhere = `${version} ${position.split(',').with(0, randomUUID()).join()}`
  const cursor = Buffer.from(elsewhere).toString('base64url')
  const expired = await failureOf(service.changes({ cursor }).next())
  assert.deepEqual([expired.code, expired.status, expired.retryable], ['CursorExpired', 410, false])
  const { client } = await clientOfNewPatient(rounds)
  assert.equal((await failureOf(client.changes().next())).code, 'ScopeMissing')
})

test('a server that is killed and started again is followed to the end, each change once', async (context) => {
  const stage = await startStage()
  const patientUid = `patient-${randomUUID()}`
  const [ofPatient, ofService] = await Promise.all([
    stage.token({ patientUids: [patientUid] }),
    stage.token({ scopes: ['readings:changes'] }),
  ])
  const COUNT = 300
  const seen: unknown[] = []
  const follow = async () => {
    const follower = createRoundsClient({ url: stage.url, token: ofService })
    for await (const { changes } of follower.changes({}, { signal: endOf(context) })) {
      seen.push(...changes.map(sequenceIn))
      if (seen.length >= COUNT) return
    }
  }
  // Five attempts, the default, take four seconds at most: the server may need longer to start.
  const patient = createRoundsClient({ url: stage.url, token: ofPatient, attempts: 100 })
  const add = async () => {
    for (let sequence = 0; sequence < COUNT; sequence += 5) {
      const readings = firstNumbers(5).map((nth) => ({
        patientUid,
        readingType: 'acme.step',
        timestamp: 1_763_000_000_000 + sequence + nth,
        sequence: sequence + nth,
      }))
      const isKilled = sequence === 100 || sequence === 200
      await Promise.all([patient.addReadings(readings), isKilled && stage.killAndRestart()])
    }
  }
  await Promise.all([follow(), add()])
  assert.deepEqual(
    seen.toSorted((a, b) => Number(a) - Number(b)),
    firstNumbers(COUNT),
  )
})
