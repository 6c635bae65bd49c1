// What endpoints get while receivers, the database or callers are slow: nobody waits for another one, and nothing comes out of order.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { slowInserts } from '../../../../test/support/lock-readings.ts'
import { until } from '../../../../test/support/until.ts'
import { isSlow } from '../../../../test/support/webhook-receiver.ts'
import { managementOf, untilCopied } from '../../../../test/support/webhooks.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const { follow } = managementOf(rounds)
const { ownerUrl } = rounds

const newUid = () => `patient-${randomUUID()}`

async function add(patientUid: string, timestamp: number) {
  const token = await rounds.token({ patientUid })
  const body = [{ patientUid, readingType: 'acme.step', timestamp }]
  const { status, text } = await rounds.call('/casesheet/readings/add', { token, body })
  assert.equal(status, 200, text)
}

/** Locks a table; returns how to let go. */
async function lock(table: string): Promise<() => Promise<void>> {
  const blocker = new Client({ connectionString: ownerUrl })
  await blocker.connect()
  after(() => blocker.end())
  await blocker.query(`begin; lock table ${table} in exclusive mode`)
  return async () => {
    await blocker.query('commit')
  }
}

test('an endpoint that was replayed while it was paused gets the changes again when it is resumed', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  await add(patientUid, 1)
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  await endpoint.manage('pause')
  await endpoint.manage('replay', { since: 'beginning' })
  // Long enough for the process to see it.
  await pause(2_500)
  assert.equal(endpoint.received.messages.length, 1)
  await endpoint.manage('resume')
  await until(() => endpoint.received.messages.length === 2, 5_000)
})

test('an endpoint to which changes come without end is not behind as long as each page holds them all', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  // Longer than the time between two looks for changes: when it answers, the next change is there.
  endpoint.answer(isSlow(700))
  let timestamp = 0
  const adding = setInterval(() => void add(patientUid, ++timestamp), 100)
  await pause(6_000)
  const [row] = await runSql<{ behind: number }>(
    ownerUrl,
    'select extract(epoch from now() - caught_up_at)::float8 as behind from casesheet.followers where name = $1',
    [`webhook:${endpoint.endpointId}`],
  )
  clearInterval(adding)
  assert.ok((row?.behind ?? Infinity) < 4, `${row?.behind} s`)
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
})

test('receivers that are slow to accept have half of the attempts, and the others do not wait for them', async () => {
  const patientUid = newUid()
  const slow: Awaited<ReturnType<typeof follow>>[] = []
  for (let number = 1; number <= 70; number++) slow.push(await follow({ patientUids: [patientUid] }))
  for (const endpoint of slow) endpoint.answer(isSlow(3_000))
  const quick = await follow({ patientUids: [patientUid] })
  await add(patientUid, 1)
  for (const endpoint of [quick, ...slow])
    await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  await pause(3_500)
  const addedAt = performance.now()
  await add(patientUid, 2)
  await until(() => quick.received.messages.length === 2, 10_000)
  const tookMs = (quick.received.messages[1]?.at ?? Infinity) - addedAt
  assert.ok(tookMs < 2_000, `${tookMs} ms`)
  for (const endpoint of slow) await endpoint.manage('remove')
})

test('a message whose outcome cannot be stored is not sent again until it can', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  await runSql(
    ownerUrl,
    `create function public.fail() returns trigger language plpgsql as $$
    begin
      raise exception 'invented';
    end
    $$;
    create trigger fail before insert on webhooks.attempts for each row execute function public.fail()`,
  )
  await add(patientUid, 1)
  await until(() => endpoint.received.messages.length === 1)
  await pause(4_000)
  assert.equal(endpoint.received.messages.length, 1)
  const said = rounds
    .log()
    .split('\n')
    .filter((line) => line.includes('the outcome of a webhook could not be stored'))
  assert.equal(said.filter((line) => line.includes(`"endpointId":"${endpoint.endpointId}"`)).length, 1)
  await runSql(ownerUrl, 'drop trigger fail on webhooks.attempts')
  await add(patientUid, 2)
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  assert.equal(endpoint.received.messages.length, 2)
})

test('a caller has a limited number of tests under way', async () => {
  const endpoint = await follow({ patientUids: [newUid()] })
  endpoint.answer(isSlow(2_000))
  const token = await rounds.token({ sub: 'tester', scope: 'webhooks:manage' })
  const { endpointId } = endpoint
  const tests = Array.from({ length: 60 }, () =>
    rounds.call('/webhooks/endpoints/test', { token, body: { endpointId } }),
  )
  const statuses = (await Promise.all(tests)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200, 429]))
  assert.ok(statuses.filter((status) => status === 200).length <= 20)
})

test('a page that was read before the endpoint went to another process is not sent', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  const name = `webhook:${endpoint.endpointId}`
  const otherId = randomUUID()
  const isSo = async (condition: string) =>
    (await runSql(ownerUrl, `select where exists (${condition})`)).length > 0
  await add(patientUid, 1)
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  // The page is read while the lease ends and begins anew.
  const letGo = await slowInserts(ownerUrl, 'casesheet.access_log')
  const unlock = await lock('casesheet.follower_processes')
  await add(patientUid, 2)
  await until(() =>
    isSo(
      "select from pg_stat_activity where state = 'active' and query like '%join webhooks.endpoints%' and pid <> pg_backend_pid()",
    ),
  )
  await pause(3_200)
  await unlock()
  await until(() =>
    isSo("select from casesheet.follower_processes where lease_until > now() + interval '2 seconds'"),
  )
  await runSql(
    ownerUrl,
    `with other as (
      insert into casesheet.follower_processes (process_id, prefix, lease_until)
      values ('${otherId}', 'webhook:', now() + interval '6 seconds')
    )
    update casesheet.followers set held_by = '${otherId}' where name = '${name}'`,
  )
  await letGo()
  await pause(1_500)
  assert.equal(endpoint.received.messages.length, 1, 'the other process may have sent what comes behind it')
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  assert.equal(endpoint.received.messages.length, 2)
})
