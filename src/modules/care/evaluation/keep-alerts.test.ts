// Rules are evaluated while readings come, late ones and corrections too, by whichever process holds the follower.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { evaluateAgain } from './evaluate-again.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
const doctor = await newDoctor(rounds)

type Stored = {
  alert_id: string
  condition: string
  since: Date
  until: Date | null
  why: string
  quiet: string | null
  announced_at: Date | null
}

/** A rule as it is stored, set an hour ago unless it says otherwise. */
async function setRule(patientUid: string, terms: Record<string, unknown>, secondsAgo = 3_600) {
  const ruleId = randomUUID()
  const whole = {
    readingType: 'heartRate',
    ...(!('missing' in terms) && { field: 'value', unit: '/min', maxAge: 'P1D' }),
    severity: 'warning',
    ...terms,
  }
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.rules (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
     values ($1, $2, $3, $4, $5, $6, 'test', 'doctor')`,
    [
      patientUid,
      ruleId,
      whole.readingType,
      'field' in whole ? whole.field : null,
      whole.severity,
      JSON.stringify(whole),
    ],
  )
  await runSql(
    rounds.ownerUrl,
    `update casesheet.rules set changed_at = changed_at - $2::float8 * interval '1 second', changed_xid = pg_current_xact_id() where rule_id = $1`,
    [ruleId, secondsAgo],
  )
  return ruleId
}

const alertsOf = (ruleId: string) =>
  runSql<Stored>(rounds.ownerUrl, 'select * from casesheet.alerts where rule_id = $1 order by since', [
    ruleId,
  ])

const eventsOf = async (ruleId: string) =>
  (
    await runSql<{ event: string }>(
      rounds.ownerUrl,
      'select event from casesheet.alert_events where rule_id = $1 order by at',
      [ruleId],
    )
  ).map(({ event }) => event)

async function untilAlerts(ruleId: string, isTrue: (alerts: Stored[]) => boolean) {
  let alerts: Stored[] = []
  await until(
    async () => {
      alerts = await alertsOf(ruleId)
      return isTrue(alerts)
    },
    10_000,
    { everyMs: 50, what: () => `the alerts are as expected, and not ${JSON.stringify(alerts)}` },
  )
  return alerts
}

const heartRate = (value: number, minutesAgo: number) => ({
  readingType: 'heartRate',
  value,
  timestamp: Date.now() - minutesAgo * 60_000,
})

test('an alert opens at a reading beyond the bound, and resolves after so many clear ones', async () => {
  const patient = await doctor.patient()
  const ruleId = await setRule(patient.patientUid, {
    threshold: { above: 130 },
    clear: { below: 120, count: 2 },
  })
  await patient.add(heartRate(140, 30))
  const [open] = await untilAlerts(ruleId, ([alert]) => alert?.condition === 'open')
  assert.equal(open?.why, 'Heart rate was 140/min, above 130/min.')
  await patient.add(heartRate(110, 20), heartRate(125, 15), heartRate(115, 10))
  await patient.add(heartRate(118, 5))
  const [resolved] = await untilAlerts(ruleId, ([alert]) => alert?.condition === 'resolved')
  assert.equal(resolved?.alert_id, open?.alert_id)
  assert.deepEqual(await eventsOf(ruleId), ['opened', 'resolved'])
})

test('a reading that arrives late lets the alert begin earlier, and a withdrawn one retracts it', async () => {
  const patient = await doctor.patient()
  const ruleId = await setRule(patient.patientUid, {
    threshold: { above: 130 },
    clear: { atMost: 130, count: 1 },
  })
  await patient.add(heartRate(140, 10))
  const [open] = await untilAlerts(ruleId, ([alert]) => alert?.condition === 'open')
  await patient.add(heartRate(150, 20))
  const earlier = await untilAlerts(ruleId, ([alert]) => Number(alert?.since) < Number(open?.since))
  assert.deepEqual(
    earlier.map(({ alert_id }) => alert_id),
    [open?.alert_id],
  )
  const rows = await runSql<{ reading_id: string; sent_timestamp: number }>(
    rounds.ownerUrl,
    'select reading_id, sent_timestamp from casesheet.readings where patient_uid = $1',
    [patient.patientUid],
  )
  for (const row of rows) await patient.withdraw(row.sent_timestamp, row.reading_id)
  await untilAlerts(ruleId, ([alert]) => alert?.condition === 'retracted')
  assert.deepEqual(await eventsOf(ruleId), ['opened', 'retracted'])
})

test('missing fires when its time has come, though nothing arrives, and ends with a reading', async () => {
  const patient = await doctor.patient()
  const ruleId = await setRule(patient.patientUid, { missing: { for: 'PT1H' } }, 3_598)
  assert.deepEqual(await alertsOf(ruleId), [])
  const [open] = await untilAlerts(ruleId, ([alert]) => alert?.condition === 'open')
  assert.equal(open?.why, 'No reading of heart rate for 1 hour.')
  await patient.add(heartRate(70, 0))
  await untilAlerts(ruleId, ([alert]) => alert?.condition === 'resolved')
})

test('evaluated again from when they were set, rules give the alerts that are there, and announce none again', async () => {
  const patient = await doctor.patient()
  const ruleId = await setRule(patient.patientUid, {
    threshold: { above: 130 },
    clear: { atMost: 130, count: 1 },
  })
  await patient.add(heartRate(140, 30), heartRate(100, 20), heartRate(150, 10))
  const before = await untilAlerts(ruleId, (alerts) => alerts.length === 2)
  assert.ok((await evaluateAgain(rounds.ownerUrl)) > 0)
  await until(async () => (await runSql(rounds.ownerUrl, 'select from care.alert_marks')).length === 0)
  assert.deepEqual(await alertsOf(ruleId), before)
  assert.deepEqual(await eventsOf(ruleId), ['opened', 'resolved', 'opened'])
})

test('a rule that is set opens at once what holds, and also at a reading measured a second before', async () => {
  for (const isAddedFirst of [true, false]) {
    const patient = await doctor.patient({ permission: 'manage' })
    const rule = { readingType: 'heartRate', severity: 'urgent', threshold: { above: 130 } }
    const set = async () => {
      const body = { patientUid: patient.patientUid, ...rule }
      const { status, json, text } = await rounds.call('/care/rules/set', { token: doctor.token, body })
      assert.equal(status, 200, text)
      return String(Object(json.data)['ruleId'])
    }
    const inWholeSeconds = { ...heartRate(150, 0), timestamp: Math.floor(Date.now() / 1_000) - 1 }
    if (isAddedFirst) await patient.add(inWholeSeconds)
    const ruleId = await set()
    if (!isAddedFirst) await patient.add(inWholeSeconds)
    await untilAlerts(ruleId, ([alert]) => alert?.condition === 'open')
    await until(async () => (await eventsOf(ruleId)).join() === 'opened')
  }
})
