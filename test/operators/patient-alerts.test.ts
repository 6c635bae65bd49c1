// Rules and alerts in `rounds patient export` and `rounds patient erase`: they come out with their history, and go with the patient.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import {
  acknowledge,
  alertsOf,
  raise,
  removeRule,
  resolve,
  setRule,
  setRuleText,
} from '../support/alerts-by-hand.ts'
import { runSql, startRounds } from '../support/harness.ts'
import { BY, ERASURE_KEY, runPatientCommand } from '../support/patient-with-history.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'

const { ownerUrl, serveUrl } = await startRounds({ ERASURE_KEY })
const ERASE = [...BY, '--yes', '--announce-days', '0']

type Line = Record<
  'rule' | 'ruleChange' | 'alert' | 'alertEvent' | 'end',
  Record<string, unknown> | undefined
>

test('an export holds every rule with its history and every alert with its events, also where nothing else is held', async () => {
  const patientUid = 'alerting'
  const ruleId = await setRule(serveUrl, { patientUid, above: 130 })
  await setRule(serveUrl, { patientUid, ruleId, above: 120, label: 'Fast' })
  const removed = await setRule(serveUrl, { patientUid, readingType: 'bodyTemperature' })
  await removeRule(serveUrl, patientUid, removed)
  const alertId = await raise(serveUrl, { patientUid, ruleId })
  await acknowledge(serveUrl, patientUid, alertId, 'Called them.')
  const ended = await raise(serveUrl, { patientUid, ruleId, why: 'Ended.' })
  await resolve(serveUrl, patientUid, ended)
  await raise(serveUrl, { patientUid, ruleId, condition: 'pending', why: 'Begins.' })
  await setRule(serveUrl, { patientUid: 'alerting-neighbour' })
  const { code, output } = await runPatientCommand(['export', patientUid, ...BY], ownerUrl)
  assert.equal(code, 0, output)
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const all = (kind: keyof Line) => lines.map((line) => line[kind]).filter((found) => found !== undefined)
  const terms = (readingType: string, above: number, more = {}) => ({
    readingType,
    field: 'value',
    unit: '/min',
    severity: 'urgent',
    threshold: { above },
    doctorId: 'doctor-1',
    ...more,
  })
  const by = 'sub-of-doctor-1'
  const changes = all('ruleChange')
  assert.deepEqual(
    changes.map(({ at: _at, ...rest }) => rest),
    [
      { ruleId, ...terms('heartRate', 130), action: 'set', by },
      { ruleId, ...terms('heartRate', 120, { label: 'Fast' }), action: 'set', by },
      { ruleId: removed, ...terms('bodyTemperature', 130), action: 'set', by },
      { ruleId: removed, ...terms('bodyTemperature', 130), action: 'remove', by },
    ],
  )
  assert.deepEqual(all('rule'), [
    {
      ruleId,
      ...terms('heartRate', 120, { label: 'Fast' }),
      state: 'set',
      changedBy: by,
      changedAt: changes[1]?.['at'],
    },
    {
      ruleId: removed,
      ...terms('bodyTemperature', 130),
      state: 'removed',
      changedBy: by,
      changedAt: changes[3]?.['at'],
    },
  ])
  const alerts = all('alert')
  assert.deepEqual(
    alerts.map(({ state, why, readings }) => ({ state, why, readings })),
    [
      ['acknowledged', 'Heart rate 140/min.'],
      ['resolved', 'Ended.'],
      ['pending', 'Begins.'],
    ].map(([state, why]) => ({ state, why, readings: [{ value: 140, unit: '/min' }] })),
  )
  for (const { since, openedAt } of alerts)
    for (const at of [since, openedAt]) assert.match(String(at), /^\d{4}-.*\.(\d{3}|\d{6})Z$/)
  assert.deepEqual(
    all('alertEvent').map(({ at: _at, ...rest }) => rest),
    [
      {
        alertId,
        event: 'opened',
        isAnnounced: true,
        why: 'Heart rate 140/min.',
        note: null,
        by: null,
        doctorId: null,
      },
      {
        alertId,
        event: 'acknowledged',
        isAnnounced: true,
        why: 'Heart rate 140/min.',
        note: 'Called them.',
        by,
        doctorId: 'doctor-1',
      },
      {
        alertId: ended,
        event: 'opened',
        isAnnounced: true,
        why: 'Ended.',
        note: null,
        by: null,
        doctorId: null,
      },
    ],
  )
  const [end] = all('end')
  assert.deepEqual(
    [end?.['rules'], end?.['ruleChanges'], end?.['alerts'], end?.['alertEvents'], end?.['accesses']],
    [2, 4, 3, 3, 1],
  )
})

test('an erasure deletes rules, alerts and what was derived for them, of this patient alone', async () => {
  const patientUid = 'alerts-no-more'
  for (const uid of [patientUid, 'alerts-on']) {
    const ruleId = await setRule(serveUrl, { patientUid: uid })
    await raise(serveUrl, { patientUid: uid, ruleId })
    await raise(serveUrl, { patientUid: uid, ruleId, condition: 'pending' })
    await runSql(
      serveUrl,
      `with mark as (
         insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to) values ($1, 'heartRate', now(), now())
       ), clock as (
         insert into care.rule_clocks (patient_uid, rule_id, reading_type, due_at) values ($1, gen_random_uuid(), 'heartRate', now())
       )
       insert into care.alert_looks (doctor_id, patient_uid, looked_on) values ('doctor-1', $1, now())`,
      [uid],
    )
  }
  const counted = /\n {2}rules deleted, with their history +1\n {2}alerts deleted, with their events +2\n/
  const { output: planned } = await runPatientCommand(['erase', patientUid, ...BY, '--dry-run'], ownerUrl)
  assert.match(planned, counted)
  const { code, output } = await runPatientCommand(['erase', patientUid, ...ERASE], ownerUrl)
  assert.equal(code, 0, output)
  assert.match(output, counted)
  assert.deepEqual(await alertsOf(ownerUrl, patientUid), [])
  assert.equal((await alertsOf(ownerUrl, 'alerts-on')).length, 5)
  for (const table of ['alert_marks', 'rule_clocks', 'alert_looks'])
    assert.deepEqual(
      await runSql(ownerUrl, `select patient_uid from care.${table}`),
      [{ patient_uid: 'alerts-on' }],
      table,
    )
})

test('rules and alerts that are being written as the erasure begins are waited for and deleted', async () => {
  const patientUid = 'alerts-meanwhile'
  const client = new Client({ connectionString: serveUrl })
  await client.connect()
  after(() => client.end())
  const ruleId = await setRule(serveUrl, { patientUid })
  await client.query('begin')
  await client.query(...setRuleText({ patientUid, readingType: 'bodyTemperature' }))
  // As an evaluation does: the rule is locked, and its alert is written.
  await client.query('select from casesheet.rules where rule_id = $1 for share', [ruleId])
  await client.query(
    `insert into casesheet.alerts
       (patient_uid, alert_id, rule_id, version_id, reading_type, severity, condition, since, since_id, opened_at, readings, why)
     values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'heartRate', 'notice', 'open', now(), gen_random_uuid(), now(), '[]', 'x')`,
    [patientUid, ruleId],
  )
  const command = runCommand(['patient', 'erase', patientUid, ...ERASE], {
    DATABASE_URL: ownerUrl,
    ERASURE_KEY,
  })
  await until(async () => {
    assert.equal(command.child.exitCode, null, command.output())
    const polling = await runSql(
      ownerUrl,
      `select
       from pg_stat_activity
       where application_name = 'rounds operator'
         and datname = current_database()
         and backend_xid is not null
         and query like '%RowExclusiveLock%'`,
    )
    return polling.length > 0
  })
  await client.query('commit')
  const { code, output } = await command.ended
  assert.equal(code, 0, output)
  assert.deepEqual(await alertsOf(ownerUrl, patientUid), [])
})
