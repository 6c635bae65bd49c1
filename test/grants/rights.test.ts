// Who reads what: a table of callers and of what the patient shares with them. Each row is tried with every operation that reads, and the
// access log says afterwards why it was allowed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { runSql } from '../support/harness.ts'
import { readFirstEvent } from './held-stream.ts'
import { READS, type ReadKind, typesShown } from './reads.ts'
import { startStage } from './stage.ts'

const TYPES = ['heartRate', 'oxygenSaturation', 'acme.grip']
const SOME = ['acme.grip', 'heartRate']
const OTHER = 'another-patient'
const REASON = { 'x-access-reason': 'Unconscious' }
const [USER, PATIENT, READ_ALONE] = ['user/*.rs', 'patient/*.rs', 'user/*.r']

type Claims = Record<string, unknown>
type Caller = {
  who: string
  claims: (patientUid: string, doctorId: string) => Claims
  headers?: Record<string, string>
}
type Shared = 'nothing' | 'all' | 'all to manage' | 'some' | 'nothing more' | 'nothing any longer'
type Answer = 'all' | 'some' | 'NotShared' | 'PatientMismatch' | 'PatientNotInToken' | 'ScopeMissing'
type Row = [caller: Caller, shared: Shared, answer: Answer, allowedAs?: 'patient' | 'grant' | 'staff']

const caller = (who: string, claims: Caller['claims'], headers = {}): Caller => ({ who, claims, headers })
const doctor = (who: string, more: Claims = {}, headers = {}) =>
  caller(who, (_, doctorId) => ({ doctorId, ...more }), headers)

const PATIENT_SELF = caller('the patient', (patientUid) => ({ patientUid }))
const DOCTOR = doctor('a doctor')
const DOCTOR_FOR_SMART = doctor('a doctor with user/', { scope: USER, fhirUser: 'Practitioner/invented' })
const DOCTOR_WHO_IS_STAFF = doctor('a doctor who is staff', { scope: 'readings:read' })
const STAFF_WITH_REASON = doctor('a doctor who is staff and says why', { scope: 'readings:read' }, REASON)
const DOCTOR_WHO_IS_PATIENT = doctor('a doctor who is another patient', { patientUid: OTHER })

const ROWS: Row[] = [
  [PATIENT_SELF, 'nothing', 'all', 'patient'],
  [caller('a carer', (patientUid) => ({ patientUid: [OTHER, patientUid] })), 'nothing', 'all', 'patient'],
  [
    caller('the patient with patient/', (patientUid) => ({ patientUid, scope: PATIENT })),
    'nothing',
    'all',
    'patient',
  ],
  [
    caller('the patient who may add alone', (patientUid) => ({ patientUid, scope: 'patient/*.c' })),
    'nothing',
    'ScopeMissing',
  ],
  [
    caller('the patient, a doctor', (patientUid, doctorId) => ({ patientUid, doctorId })),
    'some',
    'all',
    'patient',
  ],
  [caller('another patient', () => ({ patientUid: OTHER })), 'nothing', 'PatientMismatch'],
  [caller('nobody', () => ({})), 'nothing', 'PatientNotInToken'],
  [caller('a service', () => ({ scope: 'readings:changes' })), 'nothing', 'ScopeMissing'],
  [DOCTOR, 'nothing', 'NotShared'],
  [DOCTOR, 'all', 'all', 'grant'],
  [DOCTOR, 'all to manage', 'all', 'grant'],
  [DOCTOR, 'some', 'some', 'grant'],
  [DOCTOR, 'nothing more', 'NotShared'],
  [DOCTOR, 'nothing any longer', 'NotShared'],
  [DOCTOR_FOR_SMART, 'nothing', 'NotShared'],
  [DOCTOR_FOR_SMART, 'all', 'all', 'grant'],
  [DOCTOR_FOR_SMART, 'some', 'some', 'grant'],
  [doctor('a doctor with patient/', { scope: PATIENT }), 'all', 'ScopeMissing'],
  [caller('staff', () => ({ scope: 'readings:read' })), 'nothing', 'all', 'staff'],
  [caller('staff who say why', () => ({ scope: 'readings:read' }), REASON), 'nothing', 'all', 'staff'],
  [
    caller('staff who are another patient', () => ({ scope: 'readings:read', patientUid: OTHER })),
    'nothing',
    'all',
    'staff',
  ],
  [DOCTOR_WHO_IS_STAFF, 'nothing', 'all', 'staff'],
  [DOCTOR_WHO_IS_STAFF, 'nothing more', 'all', 'staff'],
  [DOCTOR_WHO_IS_STAFF, 'all', 'all', 'grant'],
  [DOCTOR_WHO_IS_STAFF, 'some', 'some', 'grant'],
  [STAFF_WITH_REASON, 'some', 'all', 'staff'],
  [STAFF_WITH_REASON, 'all', 'all', 'grant'],
  [DOCTOR_WHO_IS_PATIENT, 'nothing', 'NotShared'],
  [DOCTOR_WHO_IS_PATIENT, 'some', 'some', 'grant'],
]

const stage = await startStage(
  ROWS.map((_, nth) => `doctor-${nth}`),
  1,
)

for (const [nth, [{ who, claims, headers = {} }, shared, answer, allowedAs]] of ROWS.entries()) {
  test(`${who}, with whom the patient shares ${shared}: ${answer}`, async () => {
    const doctorId = `doctor-${nth}`
    const patient = await stage.newPatient(TYPES)
    await share(patient, doctorId, shared)
    const subject = `reader-${randomUUID()}`
    const token = await stage.issuer.token({ sub: subject, ...claims(patient.patientUid, doctorId) })
    const ask = (kind: ReadKind) => {
      const [path, more] = [kind.path(patient, 1), { ...kind.headers, ...headers }]
      return kind.isStream
        ? readAndLeave(`${stage.urls[0]}${path}`, token, more)
        : stage.call(0, path, { token, headers: more })
    }
    for (const kind of READS) {
      const { status, text, headers: told } = await ask(kind)
      if (answer !== 'all' && answer !== 'some') {
        assert.equal(status, 403, `${kind.name}: ${text}`)
        assert.match(text, new RegExp(`"${answer}"`), kind.name)
        if (answer === 'NotShared') assert.match(text, /This patient does not share readings with you\./)
        continue
      }
      const types = answer === 'all' ? TYPES : SOME
      const shown = kind.shown(patient, 1, (type) => types.includes(type))
      assert.equal(status, shown ? 200 : 404, `${kind.name}: ${text}`)
      if (!shown) continue
      assert.deepEqual(typesShown(kind, text, TYPES[1] ?? ''), shown, kind.name)
      if (kind.name !== 'FHIR read')
        assert.equal(told.get('x-limited-to'), answer === 'some' ? SOME.join() : null, kind.name)
      if (answer === 'all') assert.doesNotMatch(text, /limitedTo/, kind.name)
    }
    const log = await stage.call(
      0,
      `/casesheet/readings/access-log?patientUid=${patient.patientUid}`,
      patient,
    )
    const entries = (JSON.parse(log.text) as { data: Claims[] }).data.filter(
      ({ readBy }) => readBy === subject,
    )
    const reasons = new Set(
      entries.map((entry) => [entry['allowedAs'], entry['doctorId'], entry['reason']].join()),
    )
    const why = [
      allowedAs,
      allowedAs === 'grant' ? doctorId : '',
      allowedAs === 'staff' ? headers['x-access-reason'] : '',
    ]
    assert.deepEqual([...reasons], allowedAs ? [why.join()] : [], 'who is refused leaves no entry')
    // A Patient of FHIR holds no reading, nor does an answer about none.
    assert.ok(!allowedAs || entries.length >= READS.length - 3, `${entries.length} entries`)
  })
}

test('one reading is read with a scope that allows no search', async () => {
  const patient = await stage.newPatient(TYPES)
  const doctorId = 'doctor-0'
  await share(patient, doctorId, 'all')
  const token = await stage.issuer.token({ sub: 'smart', doctorId, scope: READ_ALONE })
  const kinds = READS.map(async (kind) => [
    kind.name,
    (await stage.call(0, kind.path(patient, 0), { token })).status,
  ])
  const allowed = (await Promise.all(kinds)).filter(([, status]) => status === 200)
  assert.deepEqual(
    allowed.map(([name]) => name),
    ['FHIR Patient', 'FHIR read'],
  )
})

async function share(
  patient: Awaited<ReturnType<typeof stage.newPatient>>,
  doctorId: string,
  shared: Shared,
) {
  if (shared === 'nothing') return
  const grant = {
    doctorId,
    ...(shared === 'some' && { readingTypes: SOME }),
    ...(shared === 'all to manage' && { permission: 'manage' }),
  }
  const given = await stage.give(0, patient, grant)
  assert.equal(given.status, 200, given.text)
  if (shared === 'nothing more') assert.equal((await stage.revoke(0, patient, doctorId)).status, 200)
  if (shared === 'nothing any longer')
    await runSql(
      stage.ownerUrl,
      "update casesheet.grants set valid_until = now() - interval '1 second' where patient_uid = $1",
      [patient.patientUid],
    )
}

async function readAndLeave(url: string, token: string, more: Record<string, string>) {
  const opened = await readFirstEvent(url, token, more)
  if (opened.status === 200) await opened.leave()
  return opened
}
