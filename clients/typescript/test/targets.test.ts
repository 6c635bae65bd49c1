// Targets as an app of a patient and an app of a doctor use them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createDoctor } from '../../../test/support/shared-patient.ts'
import { createRoundsClient } from '../src/client.ts'
import { clientOfNewPatient, failureOf } from './client-of.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })

test('a patient and a doctor who may manage set, list and remove targets', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  const doctor = createRoundsClient({ url: rounds.url, token })
  const glucose = { patientUid, preset: 'sensor-glucose', unit: 'mmol/L' }
  assert.equal((await failureOf(doctor.targets.set(glucose))).code, 'NotShared')
  await client.grants.add({ patientUid, doctorId, permission: 'view' })
  assert.equal((await failureOf(doctor.targets.set(glucose))).code, 'ManageRequired')
  await client.grants.add({ patientUid, doctorId, permission: 'manage' })
  const { data: set } = await doctor.targets.set(glucose)
  assert.deepEqual(
    set.map(({ field, low, high, below, doctorId: by }) => [field, low, high, below, by]),
    [['value', 3.9, 10, null, doctorId]],
  )
  const { data: own } = await client.targets.set({ patientUid, readingType: 'oxygenSaturation', low: 92 })
  assert.deepEqual((await client.targets.list()).data, [...set, ...own])
  assert.deepEqual((await doctor.targets.list({ patientUid })).data, [...set, ...own])
  await client.targets.remove({ patientUid, readingType: 'interstitialGlucose' })
  assert.deepEqual((await client.targets.list()).data, own)
  const { data: page, nextCursor } = await client.targets.history({ limit: 1 })
  assert.deepEqual([page.map(({ action }) => action), nextCursor === null], [['remove'], false])
  const actions: string[] = []
  for await (const { action, readingType } of client.targets.eachChange({ limit: 1 }))
    actions.push(`${action} ${readingType}`)
  assert.deepEqual(actions, ['remove interstitialGlucose', 'set oxygenSaturation', 'set interstitialGlucose'])
  const presets = (await client.targets.presets()).data
  assert.ok(presets.every(({ source }) => source.url.startsWith('https://doi.org/') && source.year > 2016))
})

test('what is no target is refused before it is sent', async () => {
  const { client } = await clientOfNewPatient(rounds)
  for (const wrong of [undefined, null, 'x', 7, []])
    for (const send of [client.targets.set, client.targets.remove])
      await assert.rejects(send(wrong as never), /Pass a target, such as/)
})
