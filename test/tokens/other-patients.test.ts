// A caller who asks for somebody else learns nothing, not even by the clock: the answer is made from the token alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JWTPayload } from 'jose'
import { Client } from 'pg'
import { startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { assertAllAccept, callPath, OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
await assertAllAccept(rounds, { token: await rounds.token({ patientUid: OWN }) })
const ofPatients = PROTECTED_PATHS.filter(({ needsPatient }) => needsPatient)
const NOBODY = 'patient-nobody'
const namingNobody = JSON.parse(JSON.stringify(ofPatients).replaceAll(OWN, NOBODY)) as typeof ofPatients

const STRANGERS: [who: string, claims: JWTPayload, code: string][] = [
  ['another patient', { patientUid: 'patient-other' }, 'PatientMismatch'],
  ['a carer of others', { patientUid: ['patient-other', 'patient-third'] }, 'PatientMismatch'],
  ['somebody without a patient', {}, 'PatientNotInToken'],
]
for (const [who, claims, code] of STRANGERS) {
  test(`${who} gets the same answer of a patient who exists and of one who does not, without a look at the database`, async (t) => {
    const token = await rounds.token(claims)
    const locker = new Client({ connectionString: rounds.ownerUrl })
    await locker.connect()
    t.after(() => locker.end())
    // Whoever looked now would wait for this lock.
    await locker.query('begin; lock table casesheet.readings, casesheet.access_log in access exclusive mode')
    for (const [index, path] of ofPatients.entries()) {
      const nobody = namingNobody[index] ?? assert.fail()
      const answers = await Promise.all(
        [path, nobody].map((one) => callPath(rounds, one, { token, headers: { 'x-request-id': 'same' } })),
      )
      const [ofOne, ofNobody] = answers.map(({ status, text, headers }) => ({
        status,
        text,
        headers: [...headers].filter(([name]) => name !== 'date' && name !== 'ratelimit'),
      }))
      assert.deepEqual([ofOne?.status, JSON.parse(ofOne?.text ?? '').code], [403, code], path.path)
      assert.deepEqual(ofOne, ofNobody, path.path)
    }
  })
}

test('a query that names two patients is refused by every operation, in whatever order', async () => {
  const token = await rounds.token({ patientUid: OWN })
  for (const { path } of ofPatients.filter(({ method }) => method === 'GET')) {
    for (const two of [
      `patientUid=${OWN}&patientUid=${NOBODY}`,
      `patientUid=${NOBODY}&patientUid=${OWN}`,
      `patientUid=${OWN}&patientUid=${OWN}`,
    ]) {
      const { status, json } = await rounds.call(path.replace(`patientUid=${OWN}`, two), { token })
      assert.deepEqual([status, json.code], [400, 'ValidationFailed'], `${path} ${two}`)
    }
  }
})
