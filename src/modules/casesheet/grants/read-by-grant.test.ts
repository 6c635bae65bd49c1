// Reads by a grant on two processes with one database. Who reads what is in test/grants/rights.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { createDoctor, createSharedPatient, NOON } from '../../../../test/support/shared-patient.ts'

const first = await startRounds({ MODULES: 'casesheet,fhir' })
const second = await startRounds({
  MODULES: 'casesheet,fhir',
  DATABASE_URL: first.serveUrl,
  AUTH_ISSUER: first.issuer.url,
})

const SHARED = ['respiratoryRate', 'heartRate']
const READS = {
  get: (patientUid: string) => `/casesheet/readings/get?patientUid=${patientUid}`,
  latest: (patientUid: string) => `/casesheet/readings/latest?patientUid=${patientUid}`,
  statistics: (patientUid: string) =>
    `/casesheet/readings/statistics?patientUid=${patientUid}&readingType=heartRate&from=${NOON}&to=${NOON + 200}`,
  log: (patientUid: string) => `/casesheet/readings/access-log?patientUid=${patientUid}`,
  observations: (patientUid: string) => `/fhir/Observation?patient=${patientUid}`,
  // Searches that can find nothing, for which no reading is looked at.
  'unknown id': (patientUid: string) => `/fhir/Observation?patient=${patientUid}&_id=unknown`,
  'other status': (patientUid: string) => `/fhir/Observation?patient=${patientUid}&status=registered`,
  'other code': (patientUid: string) =>
    `/fhir/Observation?patient=${patientUid}&code=http://loinc.org%7Cnone`,
  patient: (patientUid: string) => `/fhir/Patient/${patientUid}`,
  patients: (patientUid: string) => `/fhir/Patient?_id=${patientUid}`,
  'last of no type': (patientUid: string) => `/fhir/Observation/$lastn?patient=${patientUid}&code=none|`,
}
const STATISTICS_OF_ANOTHER = (patientUid: string) =>
  READS.statistics(patientUid).replace('heartRate', 'oxygenSaturation')

const STREAM = (patientUid: string) => `/casesheet/readings/stream?patientUid=${patientUid}`

for (const [name, pathOf] of Object.entries({ ...READS, another: STATISTICS_OF_ANOTHER })) {
  test(`${name}: a grant that is revoked reads nothing on another process that has cached it and the token`, async () => {
    const { patientUid, give, revoke } = await createSharedPatient(first)
    const { doctorId, token } = await createDoctor(first)
    await give(doctorId, { readingTypes: SHARED })
    for (const rounds of [first, second, first, second]) {
      const { status, headers, text } = await rounds.call(pathOf(patientUid), { token })
      assert.deepEqual([status, headers.get('x-limited-to')], [200, SHARED.join()], text)
    }
    await revoke(doctorId)
    for (const rounds of [second, first]) {
      const { status, text } = await rounds.call(pathOf(patientUid), { token })
      assert.equal(status, 403, text)
      assert.match(text, /NotShared/)
    }
    await give(doctorId)
    const whole = await second.call(pathOf(patientUid), { token })
    assert.deepEqual([whole.status, whole.headers.get('x-limited-to')], [200, null])
  })
}

test('a doctor names the patient, and neither adds nor withdraws', async () => {
  const { patientUid, give } = await createSharedPatient(first)
  const doctor = await createDoctor(first)
  await give(doctor.doctorId, { permission: 'manage' })
  assertRefused(await first.call('/casesheet/readings/get', doctor), 400, 'ValidationFailed')
  const [reading] = (await first.call(READS.get(patientUid), doctor)).json.data
  const { readingId, timestamp } = reading ?? {}
  const body = { patientUid, readingId, timestamp }
  assertRefused(
    await first.call('/casesheet/readings/withdraw', { ...doctor, body }),
    403,
    'PatientNotInToken',
  )
  const added = { patientUid, readingType: 'heartRate', timestamp: NOON, value: 50 }
  assertRefused(
    await first.call('/casesheet/readings/add', { ...doctor, body: added }),
    403,
    'PatientNotInToken',
  )
})

test('a grant that changes three times while a request is decided is read, and one that changes four times is 503', async () => {
  const rounds = await startRounds({ MODULES: 'casesheet,fhir' })
  // Whoever looks at a grant sees another version of it than the one before, until so many have looked.
  await runSql(
    rounds.ownerUrl,
    `create sequence casesheet.looked minvalue -100;
     alter table casesheet.grants rename to stored_grants;
     create view casesheet.grants as
       select patient_uid, doctor_id, permission, reading_types, valid_until, state,
         case when nextval('casesheet.looked') < 0 then gen_random_uuid() else grant_id end as grant_id
       from casesheet.stored_grants;
     grant select on casesheet.grants to rounds_server;
     grant usage on casesheet.looked to rounds_server`,
  )
  const setLooks = (count: number) =>
    runSql(rounds.ownerUrl, `select setval('casesheet.looked', ${-count}, false)`)
  const { patientUid } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.stored_grants (patient_uid, doctor_id, permission, list_key, changed_by)
     values ($1, $2, 'view', '', 'mia')`,
    [patientUid, doctorId],
  )
  const countLogged = async () =>
    (await runSql(rounds.ownerUrl, "select from casesheet.access_log where allowed_as = 'grant'")).length
  for (const pathOf of [READS.get, READS.latest, READS.statistics, READS.log, READS.observations, STREAM]) {
    const path = pathOf(patientUid)
    await setLooks(0)
    assert.equal((await rounds.call(path, { token })).status, 200, path)
    const logged = await countLogged()
    // The first attempt has a cached grant to prove; the others look it up, and prove it.
    await setLooks(7)
    const refused = await rounds.call(path, { token })
    assert.equal(refused.status, 503, `${path} ${refused.text}`)
    assert.match(refused.text, /What this patient shares with you is being changed\./)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(await countLogged(), logged)
    await setLooks(5)
    assert.equal((await rounds.call(path, { token })).status, 200, path)
  }
})
