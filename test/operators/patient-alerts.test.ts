// Rules and alerts in `rounds patient export` and `rounds patient erase`: they come out with their history, and go with the
// patient, also those that are being written. That nothing of them is left is in erased-traces.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../support/harness.ts'
import {
  BY,
  ERASURE_KEY,
  openTransaction,
  runPatientCommand,
  startErasing,
  untilErasing,
} from '../support/patient-with-history.ts'
import { alertsOf, changeRule, storeAlert, storeEvent, storeRule } from '../support/stored-alerts.ts'

const { ownerUrl, serveUrl } = await startRounds({ ERASURE_KEY })

type Line = Record<
  'rule' | 'ruleChange' | 'alert' | 'alertEvent' | 'end',
  Record<string, unknown> | undefined
>

test('an export holds every rule with its history and every alert with its events, also where nothing else is held', async () => {
  const patientUid = 'alerting'
  const rule = await storeRule(serveUrl, patientUid)
  const { ruleId } = rule
  await changeRule(
    serveUrl,
    ruleId,
    `label = 'Fast', terms = '{"unit": "/min", "value": {"above": 120, "times": 1}}'`,
  )
  const { ruleId: removed } = await storeRule(serveUrl, patientUid, { reading_type: 'bodyTemperature' })
  await changeRule(serveUrl, removed, "state = 'removed'")
  const seen = {
    acknowledged_at: '2026-11-17T09:00:00Z',
    acknowledged_by: 'sub',
    acknowledged_name: 'Dr Sample',
  }
  const alertId = await storeAlert(serveUrl, rule, seen)
  await storeEvent(serveUrl, alertId)
  for (const visible_to of ['patient', 'doctors'])
    await storeEvent(serveUrl, alertId, {
      event: 'acknowledged',
      note: `For ${visible_to}.`,
      visible_to,
      by: 'sub',
      by_name: 'Dr Sample',
      doctor_id: 'doctor-1',
    })
  const ended_at = '2026-11-17T10:00:00Z'
  const over = { opened_at: ended_at, until: ended_at, ended_at, ended_because: 'values' }
  const ended = await storeAlert(serveUrl, rule, over)
  await storeEvent(serveUrl, ended, { event: 'ended', ended_because: 'values' })
  await storeRule(serveUrl, 'alerting-neighbour')
  const { code, output } = await runPatientCommand(['export', patientUid, ...BY], ownerUrl)
  assert.equal(code, 0, output)
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const all = (kind: keyof Line) => lines.map((line) => line[kind]).filter((found) => found !== undefined)
  const said = (id: string, readingType: string, above: number, label: string | null) => ({
    ruleId: id,
    readingType,
    field: 'value',
    severity: 'warning',
    terms: { unit: '/min', value: { above, times: 1 } },
    label,
    authorKind: 'doctor',
    authorId: `doctor-${id}`,
    authorName: 'Dr Sample',
  })
  const by = 'sub-of-doctor-1'
  const changes = all('ruleChange')
  assert.deepEqual(
    changes.map(({ at: _at, ...rest }) => rest),
    [
      { ...said(ruleId, 'heartRate', 130, null), action: 'set', by },
      { ...said(ruleId, 'heartRate', 120, 'Fast'), action: 'set', by },
      { ...said(removed, 'bodyTemperature', 130, null), action: 'set', by },
      { ...said(removed, 'bodyTemperature', 130, null), action: 'remove', by },
    ],
  )
  assert.deepEqual(all('rule'), [
    { ...said(ruleId, 'heartRate', 120, 'Fast'), state: 'set', setBy: by, setAt: changes[1]?.['at'] },
    {
      ...said(removed, 'bodyTemperature', 130, null),
      state: 'removed',
      setBy: by,
      setAt: changes[3]?.['at'],
    },
  ])
  const alerts = all('alert')
  assert.deepEqual(
    alerts.map(({ alertId: id, kind, acknowledgedName, endedBecause, worst }) => [
      [id, kind, acknowledgedName, endedBecause],
      Object(worst).value,
    ]),
    [
      [[alertId, 'value', 'Dr Sample', null], 182],
      [[ended, 'value', null, 'values'], 182],
    ],
  )
  for (const { since, openedAt } of alerts)
    for (const at of [since, openedAt]) assert.match(String(at), /^\d{4}-\d\d-\d\dT.*\+00:00$/)
  assert.deepEqual(
    all('alertEvent').map(({ alertId: id, event, note, byName }) => [id, event, note, byName]),
    [
      [alertId, 'opened', null, null],
      [alertId, 'acknowledged', 'For patient.', 'Dr Sample'],
      [alertId, 'acknowledged', null, 'Dr Sample'],
      [ended, 'ended', null, null],
    ],
  )
  assert.doesNotMatch(output, /For doctors/)
  const [end] = all('end')
  assert.deepEqual(
    [end?.['rules'], end?.['ruleChanges'], end?.['alerts'], end?.['alertEvents'], end?.['accesses']],
    [2, 4, 2, 4, 1],
  )
})

test('rules and alerts that are being written as the erasure begins are waited for and deleted', async () => {
  const patientUid = 'alerts-meanwhile'
  const client = await openTransaction(serveUrl)
  const { ruleId } = await storeRule(serveUrl, patientUid)
  await client.query(
    `insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, severity, terms, set_by)
     values (gen_random_uuid(), 'doctor', 'doctor-1', $1, 'heartRate', 'warning', '{"missing": {"for": "P1D"}}', 'x')`,
    [patientUid],
  )
  // As an evaluation does: the rule is locked, and its alert is written.
  await client.query('select from casesheet.rules where rule_id = $1 for share', [ruleId])
  await client.query(
    `insert into casesheet.alerts
       (patient_uid, alert_id, rule_id, version_id, author_kind, author_id, reading_type, severity, kind, is_late, since, since_id, opened_at, why)
     values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'doctor', 'doctor-1', 'heartRate', 'warning', 'missing', false, now(), gen_random_uuid(), now(), 'x')`,
    [patientUid, ruleId],
  )
  const command = startErasing(patientUid, ownerUrl)
  await untilErasing(command, ownerUrl)
  await client.query('commit')
  const { code, output } = await command.ended
  assert.equal(code, 0, output)
  assert.deepEqual(await alertsOf(ownerUrl, patientUid), [])
})
