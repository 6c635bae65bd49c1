import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient, patientWithReadings } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until } from '../../../../test/support/until.ts'

const rounds = await startRounds()
const clinician = await rounds.token({ sub: 'dr-invented', scope: 'readings:read readings:withdraw' })
const reader = await rounds.token({ sub: 'dr-reader', scope: 'readings:read' })

type Named = { patientUid: string; readingId: string; timestamp: number }

async function patientWith(timestamps: number[]) {
  const patient = await patientWithReadings(rounds, timestamps)
  const readings = (await patient.get()).json.data as unknown as Named[]
  const named = readings.map(({ patientUid, readingId, timestamp }) => ({ patientUid, readingId, timestamp }))
  const post = (verb: 'withdraw' | 'restore', body: object, token = patient.token) =>
    rounds.call(`/casesheet/readings/${verb}`, { token, body })
  return { ...patient, readings, named, post }
}

test('a withdrawn reading is left out until it is restored, and is then exactly as before', async () => {
  const { named, readings, post, get } = await patientWith([1_000, 2_000])
  const [first, second] = named
  assert.ok(first && second)
  const { status, json } = await post('withdraw', { ...first, reason: 'Typed in pounds' })
  assert.deepEqual([status, json], [200, { code: 'Ok', message: 'The reading was withdrawn successfully.' }])
  assert.deepEqual((await get()).json.data, [readings[1]])
  const restored = await post('restore', first)
  assert.deepEqual(restored.json, { code: 'Ok', message: 'The reading was restored successfully.' })
  assert.deepEqual((await get()).json.data, readings)
})

test('both may be repeated, and a repetition changes nothing', async () => {
  const { named, post, patientUid } = await patientWith([1_000])
  const [reading] = named
  assert.ok(reading)
  const rows = () =>
    runSql(
      rounds.ownerUrl,
      `select withdrawn_at, withdrawn_by, withdrawn_reason, changed_xid from casesheet.readings where patient_uid = '${patientUid}'`,
    )
  await post('withdraw', { ...reading, reason: 'first' })
  const before = await rows()
  assert.equal((await post('withdraw', { ...reading, reason: 'second' })).status, 200)
  assert.deepEqual(await rows(), before)
  await post('restore', reading)
  const after = await rows()
  assert.equal((await post('restore', reading)).status, 200)
  assert.deepEqual(await rows(), after)
})

test('adding the same content again answers Ok and does not bring it back', async () => {
  const { named, post, get, readings, token } = await patientWith([1_000])
  const [reading] = named
  const {
    readingId: _,
    measuredAt: __,
    receivedAt: ___,
    ...sent
  } = readings[0] as Named & Record<string, unknown>
  assert.ok(reading)
  await post('withdraw', reading)
  const again = await rounds.call('/casesheet/readings/add', { token, body: sent })
  assert.equal(again.json.code, 'Ok')
  assert.deepEqual((await get()).json.data, [])
})

test('the patient and staff with the scope may withdraw; others are refused, whether or not the reading exists', async () => {
  const { named, post } = await patientWith([1_000])
  const stranger = await patientWith([1_000])
  const [reading] = named
  assert.ok(reading)
  assertRefused(await post('withdraw', reading, stranger.token), 403, 'PatientMismatch')
  assertRefused(await post('withdraw', reading, reader), 403, 'ScopeMissing')
  assertRefused(await post('withdraw', { ...reading, timestamp: 5 }, stranger.token), 403, 'PatientMismatch')
  assert.equal((await post('withdraw', reading, clinician)).status, 200)
})

test('a reading that is not there is 404 to those who may act for the patient', async () => {
  const { named, post } = await patientWith([1_000])
  const [reading] = named
  assert.ok(reading)
  assertRefused(await post('withdraw', { ...reading, timestamp: 5 }), 404, 'ReadingNotFound')
  assertRefused(await post('restore', { ...reading, timestamp: 5 }, clinician), 404, 'ReadingNotFound')
})

test('the serving role can change neither the time of a withdrawal nor its place among the changes', async () => {
  for (const column of ['changed_xid', 'withdrawn_at', 'details', 'received_at', 'patient_uid']) {
    await assert.rejects(
      runSql(rounds.serveUrl, `update casesheet.readings set ${column} = ${column}`),
      /permission denied/,
    )
  }
})

// Earlier releases accepted a field of this name. Each with what is left of it while the reading is withdrawn.
const STORED_WITH_WITHDRAWN: Record<string, string> = {
  '{"withdrawn":true}': '{',
  '{"withdrawn":{"at":"no"},"n":1e+300}': '{"n":1e+300,',
  '{"a":"\\u0007 ä","withdrawn":[1,{"withdrawn":2}],"9":0.1,"1":{"withdrawn":-0.5e-7}}':
    '{"a":"\\u0007 ä","9":0.1,"1":{"withdrawn":-0.5e-7},',
  '{"k\\"\\\\":"withdrawn","withdrawn":null}': '{"k\\"\\\\":"withdrawn",',
  '{"b":"\\"withdrawn\\":1"}': '{"b":"\\"withdrawn\\":1",',
  '{}': '{',
}

test('a field "withdrawn" that an earlier release stored gives way while the reading is withdrawn, and is as sent before and after', async () => {
  const { patientUid, token } = await newPatient(rounds)
  const set = (withdrawnBy: string | null) =>
    runSql(rounds.ownerUrl, 'update casesheet.readings set withdrawn_by = $2 where patient_uid = $1', [
      patientUid,
      withdrawnBy,
    ])
  const stored = Object.keys(STORED_WITH_WITHDRAWN)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp(nth), gen_random_uuid(), 'acme.x' || nth, nth, details, 'x'
     from unnest($2::json[]) with ordinality as stored (details, nth)`,
    [patientUid, stored],
  )
  const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
  const read = async (path: string, as: string) =>
    (await rounds.call(`/casesheet/readings/${path}`, { token: as })).text
  /** The feed, once it shows them all in this state: a transaction of any database of the cluster delays it. */
  const changesAs = async (state: string) => {
    let text = ''
    await until(async () => {
      text = await read('changes?limit=1000', service)
      const { data } = JSON.parse(text) as { data: { state: string; reading?: Named }[] }
      const own = data.filter(({ reading }) => reading?.patientUid === patientUid)
      return own.length === stored.length && own.every((change) => change.state === state)
    })
    return text
  }
  const texts = async (state: string) => {
    const { output } = await runPatientCommand(['export', patientUid, ...BY], rounds.ownerUrl)
    return {
      get: await read('get?withdrawn=include&limit=9', token),
      'of some types': await read('get?withdrawn=include&readingType=acme.x1&readingType=acme.x2', token),
      latest: await read('latest?withdrawn=include', token),
      changes: await changesAs(state),
      export: output,
    }
  }
  const asSent = await texts('present')
  for (const [name, text] of Object.entries(asSent))
    for (const details of name === 'of some types' ? stored.slice(0, 2) : stored)
      assert.ok(text.includes(details.slice(1, -1)), `${name}: ${details}`)
  await set('me')
  for (const [name, text] of Object.entries(await texts('withdrawn'))) {
    const timeless = text.replaceAll(/"at":"20[^"]+Z"/g, '"at":"TIME"')
    for (const details of name === 'of some types' ? stored.slice(0, 2) : stored) {
      const rest = (STORED_WITH_WITHDRAWN[details] ?? '').slice(1)
      const corrections = name === 'changes' || name === 'export' ? '' : ',"corrections":[]'
      const expected = `Z",${rest}"withdrawn":{"at":"TIME","by":"me","allowedAs":null,"reason":null${corrections}}}`
      assert.ok(timeless.includes(expected), `${name}: ${expected}`)
    }
    assert.ok(!/"withdrawn":(true|\[|null|{"at":"no")/.test(timeless), name)
  }
  await set(null)
  assert.deepEqual((await texts('present')).get, asSent.get)
})
