// What became of alerts, as endpoints that ask for it are told: announced events only, in order, of the patients and types that they name.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { stopEvaluation, storeAlert, storeRule } from '../../../../test/support/stored-alerts.ts'
import { until as untilSo } from '../../../../test/support/until.ts'
import { ANSWERS } from '../../../../test/support/webhook-receiver.ts'
import { managementOf } from '../../../../test/support/webhooks.ts'

const rounds = await startRounds({ ...WITH_WEBHOOKS, MODULES: 'casesheet,care,webhooks' })
const { ownerUrl } = rounds
const { follow } = managementOf(rounds)
await stopEvaluation(ownerUrl)

const until = (isSo: Parameters<typeof untilSo>[0]) => untilSo(isSo, 20_000)
const ALERTS = ['opened', 'reopened', 'acknowledged', 'resolved', 'retracted'].map(
  (event) => `alert.${event}`,
)
type Followed = Awaited<ReturnType<typeof follow>>
const sentTo = ({ received }: Followed) => received.changes().map((change) => change.event ?? change.state)

type Alert = { patientUid: string; alertId: string; ruleId: string; readingType: string }

async function newAlert(patientUid: string, readingType = 'heartRate'): Promise<Alert> {
  const rule = await storeRule(ownerUrl, patientUid, { readingType })
  return { patientUid, readingType, ruleId: rule.ruleId, alertId: await storeAlert(ownerUrl, rule) }
}

/** As the evaluation writes it. */
const happens = (event: string, { patientUid, alertId, ruleId, readingType }: Alert, isAnnounced = true) =>
  runSql(
    ownerUrl,
    `insert into casesheet.alert_events (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why)
     values ($1, $2, $3, $4, $5, 'warning', $6, 'Heart rate 142/min, above 130/min.')`,
    [patientUid, alertId, ruleId, event, isAnnounced, readingType],
  )

test('an endpoint is told what it asked for of alerts, signed and in order, and one of before is not', async () => {
  const doctor = await newDoctor(rounds)
  const [mia, ben] = [await doctor.patient(), await doctor.patient()]
  const [ofMia, ofBen, pressure] = await Promise.all([
    newAlert(mia.patientUid),
    newAlert(ben.patientUid),
    newAlert(mia.patientUid, 'bloodPressure'),
  ])
  const endpoints = {
    all: await follow({ events: ['readings.changed', ...ALERTS] }),
    thin: await follow({ events: ALERTS, thin: true }),
    opened: await follow({ events: ['alert.opened', 'alert.resolved'] }),
    types: await follow({ events: ALERTS, readingTypes: ['bloodPressure'] }),
    patients: await follow({ events: ALERTS, patientUids: [ben.patientUid] }),
    before: await follow({}),
  }
  await happens('opened', ofMia)
  await happens('recorded', ofBen, false)
  await happens('opened', pressure)
  await happens('opened', ofBen)
  await mia.add({ readingType: 'heartRate', value: 150, timestamp: 1 })
  await happens('reopened', ofMia)
  const { status, text } = await rounds.call('/care/alerts/acknowledge', {
    token: doctor.token,
    body: { patientUid: mia.patientUid, alertId: ofMia.alertId, note: 'Called.' },
  })
  assert.equal(status, 200, text)
  await happens('resolved', pressure)
  await happens('retracted', ofBen)
  const expected = {
    all: ['opened', 'opened', 'opened', 'present', 'reopened', 'acknowledged', 'resolved', 'retracted'],
    thin: ['opened', 'opened', 'opened', 'reopened', 'acknowledged', 'resolved', 'retracted'],
    opened: ['opened', 'opened', 'opened', 'resolved'],
    types: ['opened', 'resolved'],
    patients: ['opened', 'retracted'],
  }
  for (const [name, events] of Object.entries(expected)) {
    const endpoint = endpoints[name as keyof typeof endpoints]
    await until(() => sentTo(endpoint).length >= events.length)
    assert.deepEqual(sentTo(endpoint), events, name)
    assert.deepEqual(endpoint.received.wrong, [], name)
  }
  await mia.add({ readingType: 'heartRate', value: 151, timestamp: 2 })
  await until(() => sentTo(endpoints.before).filter((state) => state === 'present').length === 2)
  assert.ok(sentTo(endpoints.before).every((state) => state === 'present'))
  const [acknowledged] = endpoints.all.received.ofType('alert.acknowledged').flatMap(({ changes }) => changes)
  const { eventId, at, ...told } = acknowledged as unknown as Record<string, unknown>
  assert.deepEqual(told, {
    event: 'acknowledged',
    alertId: ofMia.alertId,
    patientUid: mia.patientUid,
    ruleId: ofMia.ruleId,
    severity: 'warning',
    readingType: 'heartRate',
    why: 'Heart rate 142/min, above 130/min.',
    note: 'Called.',
    by: `sub-of-${doctor.doctorId}`,
    doctorId: doctor.doctorId,
  })
  assert.match(String(eventId), /^[0-9a-f-]{36}$/)
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
  const [thin] = endpoints.thin.received.changes()
  assert.deepEqual(Object.keys(thin ?? {}), ['event', 'eventId', 'alertId', 'patientUid', 'at'])
  const logged = await runSql(
    ownerUrl,
    `select operation, readings_count::integer as readings from casesheet.access_log
     where patient_uid = $1 and request_id = $2`,
    [ben.patientUid, endpoints.patients.endpointId],
  )
  assert.ok(logged.length >= 1)
  for (const row of logged) assert.deepEqual(row, { operation: 'webhooks', readings: 0 })
})

test('of a patient who was erased nothing more is told, also not on another attempt', async () => {
  const [gone, left] = [`patient-${randomUUID()}`, `patient-${randomUUID()}`]
  const [first, second] = [await newAlert(gone), await newAlert(left)]
  const endpoint = await follow({ events: ALERTS, patientUids: [gone, left] })
  endpoint.answer(ANSWERS.fails)
  await happens('opened', first)
  await until(() => endpoint.received.messages.length > 0)
  const { code, output } = await runPatientCommand(['erase', gone, ...BY, '--yes'], ownerUrl)
  assert.equal(code, 0, output)
  await happens('opened', second)
  endpoint.answer(ANSWERS.accepts)
  await until(() => endpoint.received.changes().length > 0)
  assert.deepEqual(
    endpoint.received.changes().map(({ patientUid }) => patientUid),
    [left],
  )
})
