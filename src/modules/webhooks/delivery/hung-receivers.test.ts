// Receivers that accept and never answer, beside one that answers: they have half of the attempts, from the first one on and also after
// a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Rounds, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { ANSWERS } from '../../../../test/support/webhook-receiver.ts'
import { managementOf } from '../../../../test/support/webhooks.ts'

const patientUid = 'patient-1'
/** More than all attempts at a time, which are 64. */
const HUNG = 70
const MAX_HINDERED = 32

async function add({ call, token }: Rounds, timestamp: number) {
  const body = [{ patientUid, readingType: 'acme.step', timestamp }]
  const { status, text } = await call('/casesheet/readings/add', {
    token: await token({ patientUid }),
    body,
  })
  assert.equal(status, 200, text)
}

test('receivers that never answered hold up nobody else, also when the server begins anew', async () => {
  const before = await startRounds(WITH_WEBHOOKS)
  const { follow } = managementOf(before)
  const quick = await follow({ patientUids: [patientUid] })
  await add(before, 1)
  await until(() => quick.received.messages.length === 1)
  const hung: Awaited<ReturnType<typeof follow>>[] = []
  for (let number = 1; number <= HUNG; number++) {
    const endpoint = await follow({ patientUids: [patientUid] })
    endpoint.answer(ANSWERS.hangs)
    hung.push(endpoint)
  }
  const attempts = () => hung.reduce((sum, { received }) => sum + received.messages.length, 0)
  await add(before, 2)
  await until(() => quick.received.messages.length === 2 && attempts() >= MAX_HINDERED)
  await add(before, 3)
  await until(() => quick.received.messages.length === 3, 5_000)
  assert.equal(attempts(), MAX_HINDERED)
  // Nobody knows any more that their attempts failed: only what is stored says so.
  for (const endpoint of hung) await endpoint.manage('resume')
  await before.stop()

  const { serveUrl } = before
  const again = await startRounds({ ...WITH_WEBHOOKS, DATABASE_URL: serveUrl })
  await until(() => attempts() >= 2 * MAX_HINDERED, 20_000)
  await add(again, 4)
  await until(() => quick.received.messages.length === 4, 5_000)
  assert.equal(attempts(), 2 * MAX_HINDERED)
})
