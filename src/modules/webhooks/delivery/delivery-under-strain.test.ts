// What endpoints get while receivers, the database or callers are slow: nobody waits for another one, and nothing comes out of order.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { slowInserts } from '../../../../test/support/lock-readings.ts'
import { until } from '../../../../test/support/until.ts'
import { isSlow } from '../../../../test/support/webhook-receiver.ts'
import { managementOf, untilCopied, untilStatesAreRead } from '../../../../test/support/webhooks.ts'

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
  await untilStatesAreRead(rounds)
  assert.equal(endpoint.received.messages.length, 1)
  await endpoint.manage('resume')
  await until(() => endpoint.received.messages.length === 2)
})

test('an endpoint to which changes come without end is not behind as long as each page holds them all', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  // Longer than the time between two looks for changes: when it answers, the next change is there.
  endpoint.answer(isSlow(700))
  let timestamp = 0
  const added: Promise<unknown>[] = []
  const adding = setInterval(() => added.push(add(patientUid, ++timestamp)), 100)
  const { messages } = endpoint.received
  await until(() => messages.length >= 8)
  const [row] = await runSql<{ at: number }>(
    ownerUrl,
    'select 1000 * extract(epoch from caught_up_at)::float8 as at from casesheet.followers where name = $1',
    [`webhook:${endpoint.endpointId}`],
  )
  clearInterval(adding)
  await Promise.all(added)
  // That of the seventh is stored before the eighth is sent, and says when the seventh was read.
  const fifthAt = performance.timeOrigin + (messages[4]?.at ?? Infinity)
  assert.ok((row?.at ?? 0) > fifthAt, `${fifthAt - (row?.at ?? 0)} ms before the fifth message`)
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
  const ids = slow.map(({ endpointId }) => endpointId)
  await until(async () => {
    const succeeded = 'select from webhooks.endpoints where has_succeeded and endpoint_id = any ($1)'
    return (await runSql(ownerUrl, succeeded, [ids])).length === slow.length
  })
  // None of them answers before the others have their message.
  const quickHasIt = Promise.withResolvers<void>()
  for (const endpoint of slow)
    endpoint.answer(async (response, store) => {
      store()
      await quickHasIt.promise
      response.writeHead(204).end()
    })
  await add(patientUid, 2)
  await until(() => quick.received.messages.length === 2, 10_000)
  const underWay = slow.filter(({ received }) => received.messages.length === 2).length
  quickHasIt.resolve()
  assert.ok(underWay <= 32, `${underWay} attempts`)
  for (const endpoint of slow) await endpoint.manage('remove')
})

test('a message whose outcome cannot be stored is not sent again until it can', async () => {
  const patientUid = newUid()
  const endpoint = await follow({ patientUids: [patientUid] })
  await runSql(
    ownerUrl,
    `create sequence public.tries;
    create function public.fail() returns trigger language plpgsql security definer as $$
    begin
      perform nextval('public.tries');
      raise exception 'invented';
    end
    $$;
    create trigger fail before insert on webhooks.attempts for each row execute function public.fail()`,
  )
  await add(patientUid, 1)
  await until(() => endpoint.received.messages.length === 1)
  const tries = async () =>
    (await runSql<{ count: number }>(ownerUrl, 'select last_value::int as count from public.tries'))[0]?.count
  await until(async () => Number(await tries()) >= 4)
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
  await until(() =>
    isSo('select having not exists (select from casesheet.follower_processes where lease_until > now())'),
  )
  await unlock()
  await until(() =>
    isSo("select from casesheet.follower_processes where lease_until > now() + interval '2 seconds'"),
  )
  const [other] = await runSql<{ lease_until: Date }>(
    ownerUrl,
    `with other as (
      insert into casesheet.follower_processes (process_id, prefix, lease_until)
      values ('${otherId}', 'webhook:', now() + interval '6 seconds')
      returning lease_until
    )
    update casesheet.followers set held_by = '${otherId}' from other where name = '${name}' returning lease_until`,
  )
  await letGo()
  await untilCopied(endpoint, ownerUrl, { patientUids: [patientUid] })
  const [, second, ...more] = endpoint.received.messages
  const sentAt = performance.timeOrigin + (second?.at ?? 0)
  const leaseUntil = other?.lease_until.getTime() ?? Infinity
  assert.ok(sentAt > leaseUntil, 'the other process may have sent what comes behind it')
  assert.deepEqual(more, [])
})
