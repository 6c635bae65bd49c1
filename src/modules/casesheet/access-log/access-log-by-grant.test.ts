// The access log as a doctor reads it by a grant, and what it says of such reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { createDoctor, createSharedPatient } from '../../../../test/support/shared-patient.ts'

const rounds = await startRounds()
const two = await startRounds({ DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url })

test('a full grant shows all reads, a limited one those of this doctor, and the entry names the doctor', async () => {
  const { patientUid, give, patient } = await createSharedPatient(rounds)
  const [full, limited] = [await createDoctor(rounds), await createDoctor(rounds)]
  const readingTypes = ['respiratoryRate', 'heartRate']
  await give(full.doctorId)
  await give(limited.doctorId, { readingTypes })
  const read = async (what: 'get' | 'access-log', token: string, at = rounds) =>
    (await at.call(`/casesheet/readings/${what}?patientUid=${patientUid}`, { token })).json
  const entriesFor = async (token: string) =>
    (await read('access-log', token, two)).data.map((entry) =>
      ['operation', 'allowedAs', 'doctorId', 'readingTypes'].map((name) => entry[name]),
    )
  await read('get', full.token)
  await read('get', limited.token)
  await read('access-log', limited.token)
  const entries = [
    ['readings/access-log', 'grant', limited.doctorId, null],
    ['readings/get', 'grant', limited.doctorId, readingTypes],
    ['readings/get', 'grant', full.doctorId, null],
  ]
  assert.deepEqual(await entriesFor(patient), entries)
  assert.deepEqual(await entriesFor(limited.token), entries.slice(0, 2))
  assert.deepEqual(Object(await read('access-log', limited.token)).limitedTo, readingTypes)
  assert.equal((await entriesFor(full.token)).length, 6)
})

test('a revoked grant shows nothing of the log, also to a process that has cached it, and leaves no entry', async () => {
  for (let time = 0; time < 5; time++) {
    const { patientUid, give, revoke, patient } = await createSharedPatient(rounds)
    const { doctorId, token } = await createDoctor(rounds)
    await give(doctorId)
    const path = `/casesheet/readings/access-log?patientUid=${patientUid}`
    assert.equal((await two.call(path, { token })).status, 200)
    await revoke(doctorId)
    assertRefused(await two.call(path, { token }), 403, 'NotShared')
    assert.equal((await rounds.call(path, { token: patient })).json.data.length, 1)
  }
})

test('a page of a limited grant looks at a bounded part of a long log, and its cursors lead to every read of the doctor', async () => {
  const { patientUid, give } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId, { readingTypes: ['heartRate'] })
  // The doctor's are among the oldest, and twenty rows are of one instant.
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count, doctor_id)
     select $1, '2026-01-01'::timestamptz + (number / 20) * interval '1 second', 'r-' || number, 0, 'somebody',
       case when number % 10000 = 7 then 'grant' else 'patient' end, 'readings/get', '-infinity', 'infinity', 1,
       case when number % 10000 = 7 then $2 end
     from generate_series(1, 50000) as number`,
    [patientUid, doctorId],
  )
  const found: unknown[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const query = `patientUid=${patientUid}&limit=2${cursor && `&cursor=${cursor}`}`
    const { status, text, json } = await rounds.call(`/casesheet/readings/access-log?${query}`, { token })
    assert.equal(status, 200, text)
    found.push(...json.data.filter(({ readBy }) => readBy === 'somebody').map(({ requestId }) => requestId))
    cursor = Object(json).nextCursor
    assert.ok(pages < 20)
  }
  assert.deepEqual(found, ['r-40007', 'r-30007', 'r-20007', 'r-10007', 'r-7'])
  assert.equal(pages, 3, 'each of 20,000 rows')
})
