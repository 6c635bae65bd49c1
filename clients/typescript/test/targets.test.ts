// Targets as an app of a patient and an app of a doctor use them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createDoctor } from '../../../test/support/shared-patient.ts'
import { createRoundsClient } from '../src/client.ts'
import { clientOfNewPatient, failureOf } from './client-of.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })

test('a patient and a doctor who may manage set, list and remove their own targets', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  const doctor = createRoundsClient({ url: rounds.url, token })
  const presets = (await doctor.targets.presets()).data
  const { preset, readingType, units } = presets[0] ?? assert.fail('There is no preset.')
  const unit = 'mmol/L'
  const glucose = { readingType, preset, unit, fields: units[unit] ?? {}, expectEvery: 'P1D' }
  assert.equal((await failureOf(doctor.targets.set({ patientUid, ...glucose }))).code, 'NotShared')
  await client.grants.add({ patientUid, doctorId, permission: 'manage' })
  const { data: set } = await doctor.targets.set({ patientUid, ...glucose })
  assert.deepEqual([set.fields, set.author.doctorId, set.judges], [units[unit], doctorId, true])
  const { data: own } = await client.targets.set({
    patientUid,
    readingType: 'oxygenSaturation',
    fields: { value: { low: 92 } },
  })
  assert.deepEqual((await client.targets.list()).data, [set, own])
  assert.deepEqual((await doctor.targets.list({ patientUid })).data, [set, { ...own, judges: false }])
  const { data: forAll } = await doctor.targets.set(glucose)
  assert.deepEqual((await doctor.targets.list()).data, [forAll])
  await doctor.targets.remove({ patientUid, readingType })
  await doctor.targets.remove({ readingType })
  assert.equal((await failureOf(client.targets.remove({ patientUid, readingType }))).code, 'TargetUnknown')
  assert.deepEqual((await client.targets.list()).data, [own])
})

test('what is no target is refused before it is sent', async () => {
  const { client } = await clientOfNewPatient(rounds)
  for (const wrong of [undefined, null, 'x', 7, []])
    for (const send of [client.targets.set, client.targets.remove])
      await assert.rejects(send(wrong as never), /Pass a target, such as/)
})
