// Reviews as an app of a doctor and an app of a patient use them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createDoctor } from '../../../test/support/shared-patient.ts'
import { createRoundsClient, type Fetch, type Review } from '../src/client.ts'
import { clientOfNewPatient, failureOf } from './client-of.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })

/** The first answer of each call is lost on its way. */
const losing: Fetch = async (url, init) => {
  const response = await fetch(url, init)
  if (lost.has(init.body)) return response
  lost.add(init.body)
  throw new TypeError('fetch failed')
}
const lost = new Set<unknown>()

test('a doctor adds reviews, once although answers are lost, and the patient sees them', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  const doctor = createRoundsClient({ url: rounds.url, token, fetch: losing })
  assert.equal((await failureOf(doctor.reviews.add({ patientUid }))).code, 'NotShared')
  await client.grants.add({ patientUid, doctorId, permission: 'view' })
  assert.equal((await failureOf(doctor.reviews.add({ patientUid }))).code, 'ManageRequired')
  await client.grants.add({ patientUid, doctorId, permission: 'manage' })
  const { data: first } = await doctor.reviews.add({ patientUid, note: 'Steady' })
  assert.deepEqual([first.note, first.doctorId], ['Steady', doctorId])
  const { reviewId } = first
  const { data: second } = await doctor.reviews.add({ patientUid })
  assert.deepEqual((await client.reviews.list()).data, [second, first])
  const each: Review[] = []
  for await (const review of client.reviews.each({ limit: 1 })) each.push(review)
  assert.deepEqual(each, [second, first])
  assert.equal((await failureOf(doctor.reviews.add({ patientUid, reviewId }))).code, 'ReviewExists')
  await assert.rejects(Promise.resolve(doctor.reviews.add('x' as never)), {
    name: 'TypeError',
    message: 'Pass a review, such as { patientUid, note }, not a text.',
  })
})

test('without crypto.randomUUID a call whose answer was lost is not repeated, unless the app gives an id', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await client.grants.add({ patientUid, doctorId, permission: 'manage' })
  const doctor = createRoundsClient({ url: rounds.url, token, fetch: losing })
  const reviewId = globalThis.crypto.randomUUID()
  // In front of the one of its prototype.
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: undefined, configurable: true })
  try {
    assert.equal((await failureOf(doctor.reviews.add({ patientUid, note: 'Once' }))).code, 'ConnectionFailed')
    await doctor.reviews.add({ patientUid, note: 'With an id', reviewId })
  } finally {
    Reflect.deleteProperty(globalThis.crypto, 'randomUUID')
  }
  assert.deepEqual(
    (await client.reviews.list()).data.map(({ note }) => note),
    ['With an id', 'Once'],
  )
})
