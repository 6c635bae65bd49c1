// Whose readings a valid token opens: those of the patients it names, to staff all of them for reading, else none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JWTPayload } from 'jose'
import { startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { assertAllAccept, callPath, OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const ofPatients = PROTECTED_PATHS.filter(({ needsPatient }) => needsPatient)
const GET = '/casesheet/readings/get'

const UNUSABLE: Record<string, unknown> = {
  empty: '',
  blank: '   ',
  'a number': 7,
  'an object': { patientUid: OWN },
  null: null,
  true: true,
  'with NUL': `${OWN}\0`,
  'with a newline': `${OWN}\n`,
  'half a character': `${OWN}\ud800`,
  'a star': '*',
  'a list': [OWN],
}
const CLAIMS: [string, unknown][] = [
  ['missing', undefined],
  ['an empty list', []],
  ...Object.entries(UNUSABLE).filter(([name]) => name !== 'a list'),
  ...Object.entries(UNUSABLE).map(([name, value]): [string, unknown] => [
    `a list with one that is ${name}`,
    [OWN, value],
  ]),
]
for (const [index, [name, patientUid]] of CLAIMS.entries()) {
  test(`the patient claim names no patient: ${name}`, async () => {
    const token = await rounds.token({ patientUid })
    // Without one, each operation; with an unusable one, the next.
    const paths = ofPatients.filter((_, nth) => index === 0 || nth === index % ofPatients.length)
    const answers = await Promise.all([
      ...paths.map((path) => callPath(rounds, path, { token })),
      rounds.call(GET, { token }),
    ])
    for (const { status, json } of answers) {
      assert.deepEqual([status, json.code], [403, 'PatientNotInToken'])
    }
  })
}

test('several patients in one text are one patient of that name', async () => {
  for (const patientUid of [JSON.stringify([OWN]), `${OWN} x`, `${OWN},x`]) {
    const token = await rounds.token({ patientUid })
    for (const path of ofPatients) {
      const { status, json } = await callPath(rounds, path, { token })
      assert.deepEqual([status, json.code], [403, 'PatientMismatch'])
    }
  }
})

test('a patient, and a carer of several, reach their own', async () => {
  for (const patientUid of [OWN, [OWN], ['patient-other', OWN]]) {
    await assertAllAccept(rounds, { token: await rounds.token({ patientUid }) })
  }
})

test('another patient is refused alike, whether that patient exists or not', async () => {
  await assertAllAccept(rounds, { token: await rounds.token({ patientUid: OWN }) })
  const token = await rounds.token({ patientUid: 'patient-other' })
  const read = async (patientUid: string) => {
    const { status, json } = await rounds.call(`${GET}?patientUid=${patientUid}`, { token })
    return { status, json: { ...json, requestId: '' } }
  }
  const [ofOne, ofNobody] = [await read(OWN), await read('patient-nobody')]
  assert.deepEqual([ofOne.status, ofOne.json.code], [403, 'PatientMismatch'])
  assert.deepEqual(ofOne, ofNobody)
  for (const near of [OWN.toUpperCase(), `${OWN}%20`, `%20${OWN}`, OWN.slice(0, -1)]) {
    assert.equal((await read(near)).status, 403, near)
  }
})

const STAFF: Record<string, JWTPayload> = {
  'the scope alone': { scope: 'readings:read' },
  'the scope among others': { scope: 'openid readings:read profile' },
  'a list of scopes': { scope: ['openid', 'readings:read'] },
  'scp instead of scope': { scp: ['readings:read'] },
}
for (const [name, scopes] of Object.entries(STAFF)) {
  test(`staff read and do not add: ${name}`, async () => {
    const token = await rounds.token(scopes)
    for (const path of ofPatients) {
      const { status, json } = await callPath(rounds, path, { token })
      if (path.method === 'GET' && !path.isForPatientAlone) assert.equal(status, path.answered ?? 200)
      else {
        const isForStaff = /\/(withdraw|restore)$/.test(path.path)
        const code = isForStaff ? 'ScopeMissing' : 'PatientNotInToken'
        assert.deepEqual([status, json.code], [403, code])
      }
    }
  })
}

const NOT_STAFF: Record<string, JWTPayload> = {
  'a longer scope': { scope: 'readings:reader' },
  'a scope that ends like it': { scope: 'all-readings:read' },
  'other letters': { scope: 'Readings:Read' },
  'a list that holds a longer scope': { scope: ['readings:read-all', 'readings:'] },
  'a list that holds several in one': { scope: ['openid readings:read'] },
  'scopes with commas': { scope: 'openid,readings:read' },
}
for (const [name, scopes] of Object.entries(NOT_STAFF)) {
  test(`not staff: ${name}`, async () => {
    const token = await rounds.token(scopes)
    const { status, json, headers } = await rounds.call(`${GET}?patientUid=${OWN}`, { token })
    assert.deepEqual([status, json.code], [403, 'ScopeMissing'])
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="rounds", error="insufficient_scope"')
  })
}

test('a patient whose token has other scopes gets the answer for another patient', async () => {
  const token = await rounds.token({ patientUid: 'patient-other', scope: 'openid' })
  const { status, json } = await rounds.call(`${GET}?patientUid=${OWN}`, { token })
  assert.deepEqual([status, json.code], [403, 'PatientMismatch'])
})
