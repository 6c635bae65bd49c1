// What becomes of alerts, as endpoints that ask for it are told: announced events only, at once, of the patients and types that they name.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until as untilSo } from '../../../../test/support/until.ts'
import { ANSWERS } from '../../../../test/support/webhook-receiver.ts'
import { managementOf } from '../../../../test/support/webhooks.ts'

const rounds = await startRounds({ ...WITH_WEBHOOKS, MODULES: 'casesheet,care,webhooks' })
const { ownerUrl } = rounds
const { follow } = managementOf(rounds)

const until = (isSo: Parameters<typeof untilSo>[0]) => untilSo(isSo, 20_000)
const ALERTS = ['opened', 'reopened', 'acknowledged', 'ended'].map((event) => `alert.${event}`)

type Event = Record<string, unknown> & { patient_uid: string; alert_id: string; event: string }

const newAlert = (fields: Partial<Event> = {}): Event => ({
  event: 'opened',
  patient_uid: `patient-${randomUUID()}`,
  alert_id: randomUUID(),
  rule_id: randomUUID(),
  is_announced: true,
  author_kind: 'doctor',
  author_id: 'doctor-invented',
  severity: 'warning',
  label: 'Heart rate above 130',
  reading_type: 'heartRate',
  field: 'value',
  value: 142,
  unit: '/min',
  measured_at: '2026-11-17T08:00:00Z',
  received_at: '2026-11-17T08:00:01Z',
  why: 'Heart rate 142/min, above 130/min.',
  ...fields,
})

const share = (patientUid: string) =>
  runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by) values ($1, 'doctor-invented', 'manage', 'x', 'test')
     on conflict do nothing`,
    [patientUid],
  )

/** As the evaluation writes them: in one statement. */
async function happen(...events: Event[]) {
  for (const { patient_uid } of events) await share(patient_uid)
  const names = [...new Set(events.flatMap(Object.keys))]
  await runSql(
    rounds.serveUrl,
    `insert into casesheet.alert_events (${names.join()})
     select ${names.join()} from jsonb_populate_recordset(null::casesheet.alert_events, $1)`,
    [JSON.stringify(events)],
  )
}

type Followed = Awaited<ReturnType<typeof follow>>
const sentTo = ({ received }: Followed) => received.changes().map((change) => change.event ?? change.state)

const toldOf = ({ received }: Followed, alertId: string) =>
  received
    .changes()
    .flatMap((change) => (change.alertId === alertId ? [String(change.event).replace('alert.', '')] : []))
    .join(' ')

const deliveries = ({ endpointId }: Followed) =>
  runSql<{ event: string; state: string; is_pending: boolean; name: string }>(
    ownerUrl,
    `select event, state, is_pending, name from casesheet.alert_deliveries where endpoint_id = $1 order by delivery_id`,
    [endpointId],
  )
const statesOf = async (endpoint: Followed) => (await deliveries(endpoint)).map(({ state }) => state)

async function addReading(patientUid: string) {
  const body = [{ patientUid, readingType: 'acme.step', timestamp: 1 }]
  const token = await rounds.token({ patientUid })
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
}

// First, while no other endpoint asks for all alerts.
test('the list of alerts says to whom an alert was sent, and to nobody where nobody asked', async () => {
  const doctor = await newDoctor(rounds)
  const [mia, ben] = [await doctor.patient(), await doctor.patient()]
  const pager = await follow({
    events: ['alert.opened'],
    patientUids: [mia.patientUid],
    description: 'Pager',
  })
  const rule = {
    readingType: 'heartRate',
    field: 'value',
    unit: '/min',
    severity: 'urgent',
    value: { above: 130 },
  }
  for (const { patientUid, add } of [mia, ben]) {
    const { status, text } = await rounds.call('/care/rules/set', {
      token: doctor.token,
      body: { patientUid, ...rule },
    })
    assert.equal(status, 200, text)
    await add({ readingType: 'heartRate', value: 142, unit: '/min', timestamp: Date.now() })
  }
  const sentToOf = async ({ patientUid }: typeof mia) => {
    const { json } = await rounds.call(`/care/alerts/list?patientUid=${patientUid}`, { token: doctor.token })
    const [alert] = json.data as unknown as { sentTo: { name: string; state: string }[] }[]
    return alert?.sentTo.map(({ name, state }) => `${name} ${state}`)
  }
  await until(async () => (await sentToOf(mia))?.[0] === 'Pager accepted')
  await until(async () => (await sentToOf(ben)) !== undefined)
  assert.deepEqual(await sentToOf(ben), [])
  assert.deepEqual(sentTo(pager), ['alert.opened'])
})

test('an endpoint is told what it asked for of alerts, urgent ones first, and one of before is not', async () => {
  const [mia, ben] = [newAlert(), newAlert({ severity: 'urgent' })]
  const pressure = newAlert({ patient_uid: mia.patient_uid, reading_type: 'bloodPressure' })
  const endpoints = {
    all: await follow({ events: ALERTS, description: 'The pager' }),
    thin: await follow({ events: ALERTS, thin: true }),
    opened: await follow({ events: ['alert.opened', 'alert.ended'] }),
    types: await follow({ events: ALERTS, readingTypes: ['bloodPressure'] }),
    patients: await follow({ events: ALERTS, patientUids: [ben.patient_uid] }),
    before: await follow({ events: ['readings.changed'] }),
  }
  await happen({ ...mia, event: 'ended', ended_because: 'values' }, mia, ben, { ...mia, is_announced: false })
  await happen({ ...mia, event: 'reopened' })
  await happen({ ...ben, event: 'acknowledged', note: 'Called.', visible_to: 'doctors' })
  await happen(pressure)
  const nothing = { value: null, unit: null, measured_at: null, received_at: null, why: null }
  await happen({ ...ben, ...nothing, event: 'ended', ended_because: 'grantEnded' })
  const all = ['opened acknowledged ended', 'opened ended reopened', 'opened']
  const expected = {
    all,
    thin: all,
    opened: ['opened ended', 'opened ended', 'opened'],
    types: ['', '', 'opened'],
    patients: ['opened acknowledged ended', '', ''],
  }
  for (const [name, events] of Object.entries(expected)) {
    const endpoint = endpoints[name as keyof typeof endpoints]
    await until(() => sentTo(endpoint).length >= events.join(' ').trim().split(' ').length)
    assert.deepEqual(
      [ben, mia, pressure].map(({ alert_id }) => toldOf(endpoint, alert_id)),
      events,
      name,
    )
    assert.deepEqual(endpoint.received.wrong, [], name)
  }
  const [urgent] = endpoints.all.received.changes() as unknown as Record<string, unknown>[]
  const { eventId, at, ...told } = urgent ?? {}
  assert.deepEqual(told, {
    event: 'alert.opened',
    alertId: ben.alert_id,
    patientUid: ben.patient_uid,
    doctorId: 'doctor-invented',
    practiceId: null,
    ruleId: ben['rule_id'],
    label: 'Heart rate above 130',
    severity: 'urgent',
    readingType: 'heartRate',
    field: 'value',
    value: 142,
    unit: '/min',
    measuredAt: '2026-11-17T08:00:00.000Z',
    receivedAt: '2026-11-17T08:00:01.000Z',
    endedBecause: null,
    why: 'Heart rate 142/min, above 130/min.',
  })
  assert.match(String(eventId), /^[0-9a-f-]{36}$/)
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
  const ended = endpoints.all.received
    .changes()
    .find(({ alertId, event }) => alertId === ben.alert_id && event === 'alert.ended')
  const named = ['event', 'eventId', 'at', 'alertId', 'patientUid', 'doctorId', 'practiceId', 'ruleId']
  assert.deepEqual(Object.keys(ended ?? {}), named)
  const [thin] = endpoints.thin.received.changes()
  assert.deepEqual(Object.keys(thin ?? {}), ['event', 'eventId', 'at', 'alertId', 'patientUid'])
  await until(async () => (await statesOf(endpoints.all)).every((state) => state === 'accepted'))
  assert.equal((await deliveries(endpoints.all))[0]?.name, 'The pager')
  assert.equal((await deliveries(endpoints.types))[0]?.name, new URL(endpoints.types.url).host)
  await addReading(mia.patient_uid)
  await until(() => sentTo(endpoints.before).includes('present'))
  assert.ok(sentTo(endpoints.before).every((state) => state === 'present'))
})

test('an alert is told at once while a transaction is open elsewhere, for which the readings wait', async () => {
  const endpoint = await follow({ events: ['readings.changed', ...ALERTS] })
  const other = new pg.Client(ownerUrl)
  await other.connect()
  await other.query('begin; select pg_current_xact_id()')
  const alert = newAlert()
  await addReading(alert.patient_uid)
  const began = performance.now()
  await happen(alert)
  await until(() => sentTo(endpoint).length === 1)
  assert.ok(performance.now() - began < 2_000, `${performance.now() - began} ms`)
  assert.deepEqual(sentTo(endpoint), ['alert.opened'])
  await other.query('commit')
  await other.end()
  await until(() => sentTo(endpoint).length === 2)
  assert.deepEqual(sentTo(endpoint), ['alert.opened', 'present'])
})

test('an event is sent until it is accepted, under one id, and stands in the access log once', async () => {
  const endpoint = await follow({ events: ALERTS })
  endpoint.answer(ANSWERS.storesThenFails, ANSWERS.cutsBeforeStoring, ANSWERS.accepts)
  const alert = newAlert()
  await happen(alert)
  await until(async () => (await statesOf(endpoint))[0] === 'failed')
  await until(async () => {
    await endpoint.hurry()
    return (await statesOf(endpoint))[0] === 'accepted'
  })
  assert.equal(new Set(endpoint.received.messages.map(({ id }) => id)).size, 1)
  assert.equal(endpoint.received.messages.length, 3)
  const { failures, behindSince } = await endpoint.about()
  assert.deepEqual([failures, behindSince], [0, null])
  const logged = await runSql(
    ownerUrl,
    `select operation, reading_types, readings_count::integer as readings from casesheet.access_log
     where patient_uid = $1 and request_id = $2`,
    [alert.patient_uid, endpoint.endpointId],
  )
  assert.deepEqual(logged, [{ operation: 'webhooks', reading_types: ['heartRate'], readings: 0 }])
})

test('an event that is always refused holds up the readings until it is skipped, and a replay sends it again', async () => {
  const endpoint = await follow({ events: ['readings.changed', ...ALERTS] })
  endpoint.answer(ANSWERS.fails)
  const alert = newAlert()
  await happen(alert)
  await until(async () => (await statesOf(endpoint))[0] === 'failed')
  await addReading(alert.patient_uid)
  const [refused] = endpoint.received.messages
  endpoint.answer(ANSWERS.accepts)
  await endpoint.manage('skip', { messageId: refused?.id })
  await until(() => sentTo(endpoint).includes('present'))
  assert.deepEqual(sentTo(endpoint), ['present'])
  const [skipped] = await deliveries(endpoint)
  assert.deepEqual([skipped?.state, skipped?.is_pending], ['failed', false])
  await endpoint.manage('replay', { since: 'beginning' })
  await until(() => sentTo(endpoint).filter((event) => event === 'alert.opened').length === 1)
  const again = endpoint.received.ofType('alert.opened').at(-1)
  assert.notEqual(again?.id, refused?.id)
  await until(async () => (await statesOf(endpoint))[0] === 'accepted')
})

test('what was not sent while it was shared says nothing of readings', async () => {
  const endpoint = await follow({ events: ALERTS })
  await endpoint.manage('pause')
  const [mia, ben, leo] = [newAlert(), newAlert(), newAlert({ severity: 'urgent' })]
  await happen(mia)
  await happen(ben)
  await runSql(ownerUrl, "update casesheet.grants set permission = 'view' where patient_uid = $1", [
    mia.patient_uid,
  ])
  await runSql(
    ownerUrl,
    "update casesheet.grants set reading_types = '{bodyWeight}' where patient_uid = $1",
    [ben.patient_uid],
  )
  await happen(leo)
  await endpoint.manage('resume')
  await until(() => sentTo(endpoint).length === 3)
  const told = endpoint.received.changes() as unknown as Record<string, unknown>[]
  assert.deepEqual(
    told.map(({ alertId, value }) => [alertId, value]),
    [
      [leo.alert_id, 142],
      [mia.alert_id, undefined],
      [ben.alert_id, undefined],
    ],
  )
})

test('what waits for an endpoint that is removed was not told', async () => {
  const endpoint = await follow({ events: ALERTS })
  await endpoint.manage('pause')
  await happen(newAlert())
  assert.deepEqual(await statesOf(endpoint), ['waiting'])
  await endpoint.manage('remove')
  assert.deepEqual(await statesOf(endpoint), ['failed'])
})

test('of a patient who was erased nothing more is told, also not on another attempt', async () => {
  const [first, second] = [newAlert(), newAlert()]
  const endpoint = await follow({ events: ALERTS, patientUids: [first.patient_uid, second.patient_uid] })
  endpoint.answer(ANSWERS.fails)
  await happen(first)
  await until(async () => (await statesOf(endpoint))[0] === 'failed')
  const { code, output } = await runPatientCommand(['erase', first.patient_uid, ...BY, '--yes'], ownerUrl)
  assert.equal(code, 0, output)
  await happen(second)
  endpoint.answer(ANSWERS.accepts)
  await endpoint.hurry()
  await until(() => endpoint.received.changes().length > 0)
  assert.deepEqual(
    endpoint.received.changes().map(({ patientUid }) => patientUid),
    [second.patient_uid],
  )
  assert.deepEqual(await statesOf(endpoint), ['accepted'])
})
