// Reviews as an app of a doctor and an app of a patient use them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createDoctor } from '../../../test/support/shared-patient.ts'
import { createRoundsClient, type Fetch, type TimelineEntry } from '../src/client.ts'
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

test('a doctor adds reviews, once although answers are lost, and the patient finds them in the timeline', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  const doctor = createRoundsClient({ url: rounds.url, token, fetch: losing })
  const look = { patientUid, seenUpTo: '0', saw: [] }
  const first = { ...look, reviewId: crypto.randomUUID(), note: 'Steady', visibleTo: 'patient' as const }
  assert.equal((await failureOf(doctor.reviews.add(first))).code, 'NotShared')
  await client.grants.add({ patientUid, doctorId, permission: 'view' })
  const { data: added } = await doctor.reviews.add(first)
  assert.deepEqual([added.note, added.doctorId, added.reviewId], ['Steady', doctorId, first.reviewId])
  const second = { ...look, reviewId: crypto.randomUUID() }
  await doctor.reviews.add(second)
  await doctor.reviews.undo({ patientUid, reviewId: second.reviewId })
  const entries: TimelineEntry[] = []
  for await (const entry of client.timeline.each({ limit: 1 })) entries.push(entry)
  assert.deepEqual(
    entries.map((entry) => (entry.kind === 'look' ? [entry.reviewId, entry.undoneAt !== null] : entry.kind)),
    [[second.reviewId, true], [first.reviewId, false], 'sharing'],
  )
  const other = { ...first, note: 'Other' }
  assert.equal((await failureOf(doctor.reviews.add(other))).code, 'ReviewExists')
  await assert.rejects(Promise.resolve(doctor.reviews.add('x' as never)), {
    name: 'TypeError',
    message: 'Pass a review, such as { patientUid, reviewId, ...entry.look }, not a text.',
  })
})
