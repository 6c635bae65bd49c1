// Grants as an app of a patient and an app of a doctor use them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import { createDoctor } from '../../../test/support/shared-patient.ts'
import { until } from '../../../test/support/until.ts'
import { createRoundsClient, type Fetch, RoundsError, type SharingPatient } from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'

const rounds = await startRounds()

/** A doctor of the directory, with a client of their own. */
async function clientOfNewDoctor(fetch: Fetch = globalThis.fetch) {
  const { doctorId, token } = await createDoctor(rounds)
  await runSql(
    rounds.ownerUrl,
    'insert into appointments.doctors (doctor_id, name, name_key) values ($1, $1, $1)',
    [doctorId],
  )
  return { doctorId, client: createRoundsClient({ url: rounds.url, token, fetch }) }
}

test('a doctor reads what a patient shares, until the patient revokes it', async () => {
  const { client, patientUid, steps } = await clientOfNewPatient(rounds)
  const doctor = await clientOfNewDoctor()
  const { doctorId } = doctor
  await client.addReadings([...steps(2), ...steps(3, { readingType: 'acme.pulse' })])
  assert.equal((await failureOf(doctor.client.getReadings({ patientUid }))).code, 'NotShared')

  const terms = { permission: 'view' as const, readingTypes: ['acme.step'], sharedAs: 'Mia Example' }
  const { data: grant } = await client.grants.add({ patientUid, doctorId, ...terms })
  assert.deepEqual((await client.grants.add({ patientUid, doctorId, ...terms })).data, grant)
  assert.deepEqual([grant.state, grant.readingTypes, grant.validUntil], ['given', ['acme.step'], null])
  const { data: patients, nextCursor } = await doctor.client.patients.list()
  assert.deepEqual(patients, [
    { patientUid, ...terms, contact: null, validUntil: null, sharedSince: patients[0]?.sharedSince },
  ])
  assert.equal(nextCursor, null)
  const { data: shared, limitedTo } = await doctor.client.getReadings({ patientUid })
  assert.deepEqual([shared.map(({ sequence }) => sequence), limitedTo], [[0, 1], ['acme.step']])

  for (const _time of ['first', 'second'])
    assert.equal((await client.grants.revoke({ patientUid, doctorId })).code, 'Ok')
  const refused = await failureOf(doctor.client.getReadings({ patientUid }))
  assert.deepEqual([refused.code, refused.status, refused.retryable], ['NotShared', 403, false])
  assert.deepEqual((await doctor.client.patients.list()).data, [])
  const { data: grants } = await client.grants.list()
  assert.deepEqual(
    grants.map(({ state }) => state),
    ['revoked'],
  )
  const { data: changes } = await client.grants.history()
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['revoke', 'give'],
  )
})

test('watch of a doctor ends with the refusal once the patient has revoked the grant, and asks no more', async () => {
  const { client, patientUid, steps } = await clientOfNewPatient(rounds)
  const statuses: number[] = []
  const { doctorId, client: watching } = await clientOfNewDoctor(async (url, init) => {
    const answer = await fetch(url, init)
    if (url.includes('/stream')) statuses.push(answer.status)
    return answer
  })
  await client.grants.add({ patientUid, doctorId, permission: 'view' })
  const shown: unknown[] = []
  const connections: boolean[] = []
  const ended: unknown[] = []
  const stop = watching.watch({
    patientUid,
    onReset: () => void shown.push('reset'),
    onChange: (change) => void shown.push(change.state),
    onConnection: (isOpen) => void connections.push(isOpen),
    onEnd: (error) => void ended.push(error),
  })
  after(stop)
  await until(() => shown.length === 1)
  await client.addReadings(steps(1))
  await until(() => shown.length === 2)
  await client.grants.revoke({ patientUid, doctorId })
  await client.addReadings(steps(2))
  await until(() => ended.length > 0, 30_000)
  const [refusal] = ended
  assert.ok(refusal instanceof RoundsError)
  assert.deepEqual([refusal.code, refusal.status], ['NotShared', 403])
  assert.deepEqual(statuses, [200, 403])
  assert.deepEqual([shown, connections, ended.length], [['reset', 'present'], [true, false], 1])
})

test('the iterators over grants, their history and patients follow cursors through all pages', async () => {
  const doctor = await clientOfNewDoctor()
  const shared: string[] = []
  for (const number of firstNumbers(5)) {
    const { client, patientUid } = await clientOfNewPatient(rounds)
    await client.grants.add({
      patientUid,
      doctorId: doctor.doctorId,
      permission: 'view',
      sharedAs: `Invented ${number}`,
    })
    shared.push(patientUid)
  }
  const patients: SharingPatient[] = []
  for await (const patient of doctor.client.patients.each({ limit: 2 })) patients.push(patient)
  assert.deepEqual(
    patients.map(({ patientUid }) => patientUid),
    shared,
  )

  const { client, patientUid } = await clientOfNewPatient(rounds)
  const given: string[] = []
  for (const _number of firstNumbers(5)) {
    const { doctorId } = await clientOfNewDoctor()
    await client.grants.add({ patientUid, doctorId, permission: 'manage' })
    given.push(doctorId)
  }
  const listed: string[] = []
  for await (const { doctorId } of client.grants.each({ limit: 2 })) listed.push(doctorId)
  assert.deepEqual(listed.toSorted(), given.toSorted())
  const changed: string[] = []
  for await (const { doctorId } of client.grants.eachChange({ limit: 2 })) changed.push(doctorId)
  assert.deepEqual(changed, given.toReversed())
})

test('refusals of sharing are a RoundsError with their code', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const doctor = await clientOfNewDoctor()
  const unknown = { patientUid, doctorId: 'no-such-doctor', permission: 'view' } as const
  assert.equal((await failureOf(client.grants.add(unknown))).code, 'UnknownDoctor')
  assert.equal((await failureOf(client.patients.list())).code, 'NotADoctor')
  const foreign = { ...unknown, doctorId: doctor.doctorId }
  assert.equal((await failureOf(doctor.client.grants.add(foreign))).status, 403)
})
