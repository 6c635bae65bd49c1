// A page that its receiver always refuses, and what comes behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { ANSWERS, type Answer } from '../../../../test/support/webhook-receiver.ts'
import { managementOf } from '../../../../test/support/webhooks.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const { follow, ask } = managementOf(rounds)
const refuses: Answer = (response) => response.writeHead(400).end()
/** The next attempt is not made within the test. */
const refusesForAnHour: Answer = (response) => response.writeHead(400, { 'retry-after': '3600' }).end()

async function add(patientUid: string, timestamp: number) {
  const body = [{ patientUid, readingType: 'acme.step', timestamp }]
  const token = await rounds.token({ patientUid })
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
}

const NOT_SKIPPED = 'Nothing was skipped: the last attempt did not fail, or was of another message.'

async function attemptsOf(endpointId: string, outcome: string) {
  const { data } = await ask(`attempts/list?endpointId=${endpointId}&limit=1000`)
  const attempts = data as unknown as { outcome: string; attempts: number; lastMessageId: string }[]
  return attempts.filter((entry) => entry.outcome === outcome)
}

const skippedOf = (endpointId: string) => attemptsOf(endpointId, 'skipped')

async function refusedOf(endpointId: string) {
  const [newest] = await attemptsOf(endpointId, 'failed')
  return newest?.lastMessageId ?? assert.fail('no attempt has failed')
}

const skip = async (endpointId: string, messageId: string) =>
  ((await ask('endpoints/skip', { endpointId, messageId })) as unknown as { message: string }).message

async function placeOf(patientUid: string) {
  const [row] = await runSql<{ place: string }>(
    rounds.ownerUrl,
    "select changed_xid || '.' || reading_id as place from casesheet.readings where patient_uid = $1 and sent_timestamp = 1",
    [patientUid],
  )
  return row?.place
}

test('a page that is always refused is passed once somebody says so, and is listed as skipped', async () => {
  const patientUid = 'patient-1'
  const endpoint = await follow({ patientUids: [patientUid] })
  const { endpointId, received } = endpoint
  endpoint.answer(refuses)
  assert.equal(await skip(endpointId, `msg_${'x'.repeat(32)}`), NOT_SKIPPED)
  await add(patientUid, 1)
  await until(async () => (await endpoint.about()).failures > 0)
  await add(patientUid, 2)
  endpoint.answer((response, store, message) => {
    const isFirst = message.changes.some(({ reading }) => reading?.timestamp === 1)
    return isFirst ? refuses(response, store, message) : ANSWERS.accepts(response, store)
  })
  await endpoint.hurry()
  await until(async () => received.messages.length >= 2 && (await endpoint.about()).failures >= 2)
  assert.equal(received.changes().length, 0, 'what comes behind the page waits')
  assert.equal(await skip(endpointId, await refusedOf(endpointId)), 'The page was skipped.')
  await until(() => received.changes().length > 0)
  assert.deepEqual(
    received.changes().map(({ reading }) => reading?.timestamp),
    [2],
  )
  await until(async () => (await endpoint.about()).failures === 0)
  assert.equal(await skip(endpointId, received.messages.at(-1)?.id ?? ''), NOT_SKIPPED)

  const [entry, ...others] = await skippedOf(endpointId)
  assert.deepEqual(others, [])
  const { at, lastMessageId, skipped, ...rest } = entry as unknown as {
    at: string
    lastMessageId: string
    skipped: { by: string; after: string; upTo: string }
  }
  assert.deepEqual(rest, {
    outcome: 'skipped',
    event: 'readings.changed',
    status: null,
    error: null,
    attempts: 0,
    changes: 0,
    bytes: 0,
    longestMs: 0,
  })
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000, at)
  assert.equal(lastMessageId, received.messages[0]?.id)
  assert.deepEqual([skipped.by, skipped.upTo], ['integrations', await placeOf(patientUid)])
  assert.match(skipped.after, /^\d+\.[\da-f-]{36}$/)
  await endpoint.manage('replay', { since: 'beginning' })
  endpoint.answer(ANSWERS.accepts)
  await endpoint.hurry()
  await until(() => received.changes().some(({ reading }) => reading?.timestamp === 1))
})

test('the announcement of a new sequence can be skipped too', async () => {
  const patientUid = 'patient-2'
  const endpoint = await follow({ patientUids: [patientUid] })
  const { endpointId, received } = endpoint
  await add(patientUid, 1)
  await until(() => received.messages.length === 1)
  endpoint.answer(refusesForAnHour)
  await runSql(rounds.ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
  await until(() => received.ofType('feed.reset').length > 0, 20_000)
  await until(async () => (await endpoint.about()).failures > 0)
  endpoint.answer(ANSWERS.accepts)
  assert.equal(await skip(endpointId, await refusedOf(endpointId)), 'The page was skipped.')
  await until(() => received.messages.at(-1)?.type === 'readings.changed')
  assert.equal((await skippedOf(endpointId)).length, 1)
})

test('an attempt that was in flight when its page was skipped does not count as a failure of what comes behind', async () => {
  const patientUid = 'patient-3'
  const endpoint = await follow({ patientUids: [patientUid] })
  const { endpointId, received } = endpoint
  const held = Promise.withResolvers<void>()
  endpoint.answer(
    refusesForAnHour,
    async (...of) => {
      await held.promise
      refusesForAnHour(...of)
    },
    ANSWERS.accepts,
  )
  await add(patientUid, 1)
  await until(async () => (await endpoint.about()).failures === 1)
  await endpoint.hurry()
  await until(() => received.messages.length === 2)
  await add(patientUid, 2)
  assert.equal(await skip(endpointId, await refusedOf(endpointId)), 'The page was skipped.')
  held.resolve()
  await until(() => received.messages.length === 3)
  await until(async () => (await endpoint.about()).behindSince === null)
  assert.deepEqual(
    received.changes().map(({ reading }) => reading?.timestamp),
    [2],
  )
  assert.deepEqual(
    (await attemptsOf(endpointId, 'failed')).map(({ attempts }) => attempts),
    [1],
  )
})

test('a request that is repeated skips no second page, though that is refused at once too', async () => {
  const patientUid = 'patient-4'
  const endpoint = await follow({ patientUids: [patientUid] })
  const { endpointId, received } = endpoint
  endpoint.answer(refusesForAnHour)
  await add(patientUid, 1)
  await until(async () => (await endpoint.about()).failures === 1)
  await add(patientUid, 2)
  const first = await refusedOf(endpointId)
  assert.equal(await skip(endpointId, first), 'The page was skipped.')
  await until(async () => received.messages.length === 2 && (await endpoint.about()).failures === 1)
  assert.equal(await skip(endpointId, first), 'The page was skipped.')
  assert.equal((await endpoint.about()).failures, 1)
  assert.equal((await skippedOf(endpointId)).length, 1)
  assert.equal(await skip(endpointId, await refusedOf(endpointId)), 'The page was skipped.')
  assert.equal((await skippedOf(endpointId)).length, 2)
})

test('what is skipped after a restore is a page of before it, and not the announcement', async () => {
  const patientUid = 'patient-5'
  const endpoint = await follow({ patientUids: [patientUid] })
  const { endpointId, received } = endpoint
  endpoint.answer(refusesForAnHour, ANSWERS.accepts)
  await add(patientUid, 1)
  await until(async () => (await endpoint.about()).failures === 1)
  await runSql(rounds.ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
  assert.equal(await skip(endpointId, await refusedOf(endpointId)), 'The page was skipped.')
  await until(() => received.messages.length === 3)
  assert.deepEqual(
    received.messages.map(({ type }) => type),
    ['readings.changed', 'feed.reset', 'readings.changed'],
  )
})
