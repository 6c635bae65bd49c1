// MAX_READING_AHEAD_SECONDS: how far ahead of now a reading may be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { createReadingCheck } from '../reading.ts'

const NOW = 1_762_000_000_000
const reading = (timestamp: unknown) => ({ patientUid: 'p', readingType: 'acme.any', timestamp })
const MESSAGE = "must be at most 300 seconds ahead of the service's clock"
const END_OF_9999 = 253_402_300_799_999

test('a reading may be as far ahead as the setting says, to the microsecond and in either unit', () => {
  const check = createReadingCheck(300_000, () => NOW)
  const bound = NOW + 300_000
  for (const timestamp of [0, NOW, bound, bound / 1_000, bound - 0.001]) {
    assert.deepEqual(check(reading(timestamp)), [], String(timestamp))
  }
  for (const timestamp of [bound + 0.001, bound + 1, bound / 1_000 + 0.001, 99_999_999_999, END_OF_9999]) {
    assert.deepEqual(
      check(reading(timestamp)),
      [{ pointer: '/timestamp', message: MESSAGE }],
      String(timestamp),
    )
  }
  // Of a time that is none, only that is said.
  for (const timestamp of [null, '1', -1, 1e300, undefined]) {
    assert.deepEqual(check(reading(timestamp)).length, 1)
  }
})

test('by default any time is accepted', async () => {
  const rounds = await startRounds()
  const { add, patientUid, stored } = await newPatient(rounds)
  for (const timestamp of [Date.now() + 86_400_000, END_OF_9999]) {
    assert.equal(
      (
        await add({
          patientUid,
          readingType: 'symptom',
          symptoms: [{ symptom: 'cough', severity: 'MILD' }],
          timestamp,
        })
      ).status,
      200,
    )
  }
  assert.equal((await stored()).length, 2)
})

test('with the setting, readings too far ahead are refused: alone, in a list, and one by one', async () => {
  const rounds = await startRounds({ MAX_READING_AHEAD_SECONDS: '300' })
  const { add, patientUid, stored, token } = await newPatient(rounds)
  const at = (ms: number) => ({ patientUid, readingType: 'acme.any', timestamp: Date.now() + ms })
  const hour = 3_600_000
  assert.equal((await add(at(200_000))).status, 200)
  assert.deepEqual((await add(at(hour))).json.errors, [{ pointer: '/timestamp', message: MESSAGE }])
  const list = [at(0), at(hour), at(1)]
  assert.deepEqual((await add(list)).json.errors, [{ pointer: '/1/timestamp', message: MESSAGE }])
  assert.equal((await stored()).length, 1)
  const { json } = await rounds.call('/casesheet/readings/add', {
    method: 'POST',
    token,
    body: list,
    headers: { prefer: 'return=representation' },
  })
  assert.deepEqual(
    json.data.map((one) => one['verdict']),
    ['stored', 'rejected', 'stored'],
  )
  assert.deepEqual(json.data[1]?.['errors'], [{ pointer: '/timestamp', message: MESSAGE }])
})
