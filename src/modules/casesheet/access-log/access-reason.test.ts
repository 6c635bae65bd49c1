// Staff say why they read a patient: every read operation takes the reason, and requires it where the operator does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from '../../../../test/support/event-stream.ts'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'
import { patientWithReadings } from '../../../../test/support/patient.ts'
import { createSharedPatient, NOON } from '../../../../test/support/shared-patient.ts'
import { until } from '../../../../test/support/until.ts'

const MODULES = 'appointments,casesheet,fhir'
const [optional, required] = await Promise.all([
  startRounds({ MODULES }),
  startRounds({ MODULES, STAFF_REASON: 'required' }),
])
type Rounds = typeof optional

const READS = ['get', 'get?limit=1', 'latest', 'statistics?readingType=acme.step&from=0&to=9', 'access-log']

/** A patient with readings, whom staff read. */
async function readByStaff(rounds: Rounds, times = [1, 2, 3]) {
  const patient = await patientWithReadings(rounds, times)
  const { patientUid } = patient
  const staff = await rounds.token({ sub: 'dr-invented', scope: 'readings:read' })
  const call = (path: string, reason?: string, token = staff) =>
    rounds.call(path, { token, headers: reason === undefined ? {} : { 'x-access-reason': reason } })
  const addresses = READS.map((read) => `/casesheet/readings/${read}`)
  const named = [...addresses, '/fhir/Observation'].map((address) => {
    const name = address.startsWith('/fhir') ? 'patient' : 'patientUid'
    return `${address}${address.includes('?') ? '&' : '?'}${name}=${patientUid}`
  })
  const log = async () => (await call('/casesheet/readings/access-log', undefined, patient.token)).json.data
  return { ...patient, staff, call, named, log }
}

test('where it is required, every read without a reason is refused, and leaves no entry', async () => {
  const { call, named, log, staff, patientUid } = await readByStaff(required)
  for (const path of named) {
    const answer = await call(path)
    assert.equal(answer.status, 403, path)
    if (path.startsWith('/casesheet')) assertRefused(answer, 403, 'ReasonRequired')
    else assert.match(answer.text, /"OperationOutcome".*Staff must give a reason/)
  }
  const stream = await required.call(`/casesheet/readings/stream?patientUid=${patientUid}`, { token: staff })
  assertRefused(stream, 403, 'ReasonRequired')
  assert.deepEqual(await log(), [])
})

test('a reason that is malformed is refused, also where none is required', async () => {
  const { call, named, log } = await readByStaff(optional)
  const malformed = [
    '',
    '  ',
    'ab',
    '%20%20ab%20',
    'x'.repeat(201),
    encodeURIComponent('€'.repeat(201)),
    'é raw',
    '%C3%28 is no UTF-8',
    '100%',
    'one%0Atwo',
    'a%00bc',
    'turned %E2%80%AE around',
  ]
  for (const reason of malformed) assertRefused(await call(named[0] ?? '', reason), 400, 'ValidationFailed')
  assert.deepEqual(await log(), [])
})

test('patients and services that follow changes need no reason, and what they send is ignored', async () => {
  const { call, token, addAt } = await readByStaff(required)
  const service = await required.token({ sub: 'a-service', scope: 'readings:changes' })
  for (const reason of [undefined, 'mine alone', '%']) {
    assert.equal((await call('/casesheet/readings/get', reason, token)).status, 200)
    assert.equal((await call('/casesheet/readings/changes?limit=1', reason, service)).status, 200)
  }
  const { socket, text } = await openStream(required.url, token)
  await addAt([9])
  assert.match(text(), /event: open/)
  socket.destroy()
})

test('the patient sees the reason of each read, of FHIR and of a stream too, decoded and trimmed', async () => {
  const { patientUid, patient } = await createSharedPatient(required)
  const staff = await required.token({ sub: 'dr-invented', scope: 'readings:read' })
  const reason = 'Übergabe, 夜勤 🚑'
  const headers = { 'x-access-reason': ` ${encodeURIComponent(reason)}%20` }
  const read = async (path: string) => {
    const { status, text } = await required.call(path, { token: staff, headers })
    assert.equal(status, 200, text)
    return text
  }
  for (const what of ['get', 'access-log']) await read(`/casesheet/readings/${what}?patientUid=${patientUid}`)
  const found = JSON.parse(await read(`/fhir/Observation?patient=${patientUid}`)) as {
    entry: { resource: { id: string } }[]
  }
  await read(`/fhir/Observation/${found.entry[0]?.resource.id}`)
  const stream = await openStream(
    required.url,
    staff,
    `x-access-reason:${headers['x-access-reason']}\r\n`,
    `?patientUid=${patientUid}`,
  )
  const added = { patientUid, readingType: 'heartRate', timestamp: NOON + 9, value: 61 }
  assert.equal((await required.call('/casesheet/readings/add', { token: patient, body: added })).status, 200)
  await until(() => stream.text().includes(`"timestamp":${NOON + 9},`))
  stream.socket.destroy()
  const log = async () =>
    (await required.call('/casesheet/readings/access-log', { token: patient })).json.data
  const entries = (await log()).map((entry) => [entry['operation'], entry['allowedAs'], entry['reason']])
  assert.deepEqual(
    // What was added before may come by the stream too, as a page before, where transactions of other tests held it back.
    entries.filter((entry, at) => entry[0] !== 'readings/stream' || entries[at - 1]?.[0] !== entry[0]),
    // FHIR reads with readings/get.
    ['stream', 'get', 'get', 'access-log', 'get'].map((what) => [`readings/${what}`, 'staff', reason]),
  )
  assert.equal('reason' in ((await log())[0] ?? {}), false)
})
