// readings/get by a grant that changes: nothing but what the patient shares at that moment. Who reads what is in test/grants/rights.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { createDoctor, createSharedPatient, NOON } from '../../../../test/support/shared-patient.ts'

const rounds = await startRounds()

type Options = { token: string; headers?: Record<string, string> }

const get = (query: Record<string, string | number>, options: Options) =>
  rounds.call(
    `/casesheet/readings/get?${new URLSearchParams(query as Record<string, string>).toString()}`,
    options,
  )

const typesIn = (data: Record<string, unknown>[]) => [
  ...new Set(data.map(({ readingType }) => String(readingType))),
]

test('a cached grant reads nothing once it is revoked, expired or replaced', async () => {
  const { patientUid, give, revoke } = await createSharedPatient(rounds)
  const doctor = await createDoctor(rounds)
  await give(doctor.doctorId)
  assert.equal((await get({ patientUid }, doctor)).json.data.length, 9)
  await revoke(doctor.doctorId)
  assertRefused(await get({ patientUid }, doctor), 403, 'NotShared')

  await give(doctor.doctorId)
  assert.equal((await get({ patientUid }, doctor)).status, 200)
  // Only the clock of the database ends it: the grant that is cached stays the same one.
  await runSql(
    rounds.ownerUrl,
    `begin;
     set local session_replication_role = replica;
     update casesheet.grants set valid_until = now() - interval '1 second' where doctor_id = '${doctor.doctorId}';
     commit`,
  )
  assertRefused(await get({ patientUid }, doctor), 403, 'NotShared')

  await give(doctor.doctorId, { readingTypes: ['respiratoryRate'] })
  assert.deepEqual(typesIn((await get({ patientUid }, doctor)).json.data), ['respiratoryRate'])
  await give(doctor.doctorId, { readingTypes: ['oxygenSaturation', 'heartRate'] })
  const replaced = await get({ patientUid }, doctor)
  assert.deepEqual(typesIn(replaced.json.data).toSorted(), ['heartRate', 'oxygenSaturation'])
  assert.equal(replaced.headers.get('x-limited-to'), 'oxygenSaturation,heartRate')
})

const SHARED = ['respiratoryRate', 'heartRate']

test('types that are asked for and not shared are not read', async () => {
  const { patientUid, give } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId, { readingTypes: SHARED })
  const some = await rounds.call(
    `/casesheet/readings/get?patientUid=${patientUid}&readingType=oxygenSaturation&readingType=respiratoryRate`,
    { token },
  )
  assert.deepEqual(typesIn(some.json.data), ['respiratoryRate'])
  const none = await get({ patientUid, readingType: 'oxygenSaturation' }, { token })
  assert.deepEqual([none.status, none.json.data, none.headers.get('x-limited-to')], [200, [], SHARED.join()])
  const rows = await runSql(
    rounds.ownerUrl,
    'select reading_types, readings_count from casesheet.access_log where patient_uid = $1 order by at',
    [patientUid],
  )
  assert.deepEqual(rows, [
    { reading_types: ['respiratoryRate'], readings_count: 3 },
    { reading_types: [], readings_count: 0 },
  ])
})

test('a cursor is of what was asked: a grant that is replaced between pages changes the types and not the place', async () => {
  const { patientUid, give } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId, { readingTypes: ['respiratoryRate'] })
  const first = await get({ patientUid, limit: 1 }, { token })
  await give(doctorId, { readingTypes: ['oxygenSaturation'] })
  const second = await get({ patientUid, cursor: String(first.json.nextCursor) }, { token })
  assert.deepEqual(typesIn(second.json.data), ['oxygenSaturation'])
  assert.ok(second.json.data.every(({ timestamp }) => Number(timestamp) >= NOON))
})

test('a range that is streamed is cut when its grant is revoked between two pages', async () => {
  const { patientUid, patient, give, revoke } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId)
  for (let part = 0; part < 8; part++) {
    const body = Array.from({ length: 1_000 }, (_, index) => ({
      patientUid,
      readingType: 'respiratoryRate',
      timestamp: NOON + 1_000 + part * 1_000 + index,
      value: 20,
      notes: 'x'.repeat(2_000),
    }))
    assert.equal((await rounds.call('/casesheet/readings/add', { token: patient, body })).status, 200)
  }
  const response = await fetch(`${rounds.url}/casesheet/readings/get?patientUid=${patientUid}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(response.status, 200)
  const reader = response.body?.getReader()
  await reader?.read()
  await revoke(doctorId)
  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
  })
})

test('one whose grant was revoked neither fails nor delays the others of a statement', async () => {
  const patients = await Promise.all(Array.from({ length: 30 }, () => createSharedPatient(rounds)))
  const doctor = await createDoctor(rounds)
  const readAll = () => Promise.all(patients.map(({ patientUid }) => get({ patientUid }, doctor)))
  await Promise.all(patients.map(({ give }) => give(doctor.doctorId)))
  await Promise.all(patients.slice(0, 15).map(({ patientUid }) => get({ patientUid }, doctor)))
  await Promise.all(patients.slice(15).map(({ patientUid }) => get({ patientUid }, doctor)))
  await Promise.all(
    patients.filter((_, index) => index % 3 === 0).map(({ revoke }) => revoke(doctor.doctorId)),
  )
  for (let round = 0; round < 5; round++) {
    const own = patients.map(({ patientUid, patient }) => get({ patientUid }, { token: patient }))
    const [answers, answersOfPatients] = await Promise.all([readAll(), Promise.all(own)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      patients.map((_, index) => (index % 3 === 0 ? 403 : 200)),
    )
    for (const { status, json } of answersOfPatients) assert.deepEqual([status, json.data.length], [200, 9])
  }
})
