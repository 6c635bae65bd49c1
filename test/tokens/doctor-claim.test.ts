// Which doctor a token names, and what scopes of SMART let it do with what patients share with that doctor.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JWTPayload } from 'jose'
import { explainToken } from '../../src/commands/explain-token.ts'
import { readAuthConfig } from '../../src/config/config.ts'
import { createTokens } from '../../src/http/tokens/tokens.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { AUDIENCE, startIssuer } from '../support/harness.ts'

const issuer = await startIssuer()
const environment = { AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE }
const deps = { warn: () => {}, now: Date.now, metrics: createMetrics() }
const tokens = createTokens(readAuthConfig(environment), deps)
after(() => tokens.close())
const callerOf = async (claims: JWTPayload) => tokens.verify(await issuer.token(claims))

test('one usable text names the doctor, of any length and in any writing', async () => {
  for (const doctorId of ['doctor-1', 'Dr. Ünal', '👩‍⚕️', 'd'.repeat(1_000), '0', ' with blanks ']) {
    assert.equal((await callerOf({ doctorId })).doctorId, doctorId)
  }
})

test('anything else names none', async () => {
  const unusable = [undefined, '', '  ', '*', 7, true, null, {}, [], ['doctor-1'], 'a\0', 'a\n', 'a\ud800']
  for (const doctorId of unusable) assert.equal((await callerOf({ doctorId })).doctorId, undefined)
})

test('a doctor claim, usable or not, makes a token with scopes that of a person and not of a service', async () => {
  const scope = 'openid profile'
  const services = [{ scope }, { scope, doctorId: 'doctor-1' }, { scope, doctorId: 7 }]
  const callers = await Promise.all(services.map(callerOf))
  assert.deepEqual(
    callers.map(({ isService }) => isService),
    [true, false, false],
  )
})

test('with scopes of SMART only user/ counts for what patients share; without any, everything does', async () => {
  const cases: [scope: string, letters: string][] = [
    ['openid', 'read search add change'],
    ['user/Observation.rs', 'read search'],
    ['user/*.read', 'read search'],
    ['user/Observation.s', 'search'],
    ['user/Observation.rs?category=vital-signs', ''],
    ['patient/Observation.rs', ''],
    ['system/Observation.rs', ''],
    ['patient/*.* user/Observation.r', 'read'],
  ]
  for (const context of [{}, { fhirUser: 'Practitioner/1' }, { patientUid: 'patient-1' }]) {
    for (const [scope, expected] of cases) {
      const { shared } = await callerOf({ doctorId: 'doctor-1', scope, ...context })
      const allowed = Object.entries(shared).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []))
      assert.equal(allowed.join(' '), expected, scope)
    }
  }
})

test('the claim has another name by AUTH_DOCTOR_CLAIM, which must not be that of the patient', async () => {
  const auth = readAuthConfig({ ...environment, AUTH_DOCTOR_CLAIM: 'practitioner' })
  const explain = async (claims: JWTPayload) => {
    const { text } = await explainToken(await issuer.token(claims), auth, Date.now())
    return text.split('\n').at(-1)
  }
  assert.equal(
    await explain({ practitioner: 'doctor-1' }),
    'Rounds accepts this token. It names 0 patients in patientUid and a doctor in practitioner, and it does not have the scope readings:read.',
  )
  assert.match(String(await explain({ doctorId: 'doctor-1' })), /no doctor in practitioner/)
  assert.throws(
    () => readAuthConfig({ ...environment, AUTH_DOCTOR_CLAIM: 'patientUid' }),
    /AUTH_PATIENT_CLAIM and AUTH_DOCTOR_CLAIM must differ/,
  )
})

test('a doctor works in the practices of one usable text or of a list of them; without a doctor there are none', async () => {
  const cases: [practiceIds: unknown, expected: string[]][] = [
    ['practice-1', ['practice-1']],
    [
      ['practice-2', 'practice-1', 'practice-2'],
      ['practice-2', 'practice-1'],
    ],
    ...[undefined, '', '*', 7, null, {}, [], ['practice-1', 7], ['practice-1', 'a\n']].map(
      (unusable): [unknown, string[]] => [unusable, []],
    ),
  ]
  for (const [practiceIds, expected] of cases) {
    assert.deepEqual((await callerOf({ doctorId: 'doctor-1', practiceIds })).practiceIds, expected)
    for (const claims of [{}, { doctorId: 7 }, { patientUid: 'patient-1' }])
      assert.deepEqual((await callerOf({ ...claims, practiceIds })).practiceIds, [])
  }
  for (const claim of ['patientUid', 'doctorId'])
    assert.throws(
      () => readAuthConfig({ ...environment, AUTH_PRACTICE_CLAIM: claim }),
      /AUTH_PRACTICE_CLAIM must differ/,
    )
})
