// Alerts while patients move: one of the two cells evaluates the rules of a patient at any time, and nothing is announced twice or never.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { runSql } from '../support/harness.ts'
import { storeRule } from '../support/stored-alerts.ts'
import { until } from '../support/until.ts'
import { moveArguments, patientsOfRange, runCell } from './aborts.ts'
import { type CellOfTest, startCell } from './two-cells.ts'

const ALERTS = { ALERTS: 'on' }
const old = await startCell({}, ALERTS)
const fresh = await startCell({}, { ...ALERTS, AUTH_ISSUER: old.rounds.issuer.url })
const [openBefore = '', unevaluated = '', silent = ''] = patientsOfRange()
const doctorId = 'doctor-1'

/** A rule that was set before the readings of this test, by hand; and the doctor who may acknowledge. */
async function ruleOf(patientUid: string, terms = {}, ownerUrl = old.ownerUrl) {
  const { ruleId } = await storeRule(ownerUrl, patientUid, terms)
  await runSql(
    ownerUrl,
    "update casesheet.rules set changed_at = changed_at - interval '90 minutes', changed_xid = pg_current_xact_id() where rule_id = $1",
    [ruleId],
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
     values ($1::text, $2, 'manage', $1, 'test')`,
    [patientUid, doctorId],
  )
  return ruleId
}

async function add({ rounds }: CellOfTest, patientUid: string, value: number, timestamp = Date.now()) {
  const token = await old.rounds.token({ patientUid })
  const body = { patientUid, readingType: 'heartRate', value, unit: '/min', timestamp }
  const { status, text } = await rounds.call('/casesheet/readings/add', { token, body })
  assert.equal(status, 200, text)
}

const eventsOf = async ({ ownerUrl }: CellOfTest, ruleId: string) =>
  (
    await runSql<{ event: string }>(
      ownerUrl,
      'select event from casesheet.alert_events where rule_id = $1 order by at',
      [ruleId],
    )
  ).map(({ event }) => event)

async function untilEvents(cell: CellOfTest, ruleId: string, expected: string[], withinMs = 15_000) {
  let events: string[] = []
  const isAsExpected = async () => {
    events = await eventsOf(cell, ruleId)
    return events.join() === expected.join()
  }
  await until(isAsExpected, withinMs, {
    everyMs: 100,
    what: () => `${expected.join()} happened, and not ${events.join()}`,
  })
}

const untilEvaluated = ({ ownerUrl }: CellOfTest) =>
  until(async () => (await runSql(ownerUrl, 'select from care.alert_marks')).length === 0)

const untilWatched = ({ ownerUrl }: CellOfTest) =>
  until(async () => (await runSql(ownerUrl, 'select from care.alert_watch')).length > 0, 20_000)

const rules = {
  openBefore: await ruleOf(openBefore),
  unevaluated: await ruleOf(unevaluated),
  silent: '',
}
await add(old, openBefore, 140)
await untilEvents(old, rules.openBefore, ['opened'])
for (const cell of [old, fresh]) await untilWatched(cell)

test('a move to a cell that evaluates no rules is refused', async () => {
  const without = await startCell()
  const { code, output } = await runCell(moveArguments(without), old)
  assert.equal(code, 1)
  assert.match(
    output,
    /The old cell evaluates rules of alerts, and the new one does not: start the servers of the new cell with ALERTS=on first\./,
  )
  assert.deepEqual(await runSql(old.ownerUrl, 'select from casesheet.cell_moves'), [], 'nothing was recorded')
})

let missingFrom = 0

test('rules move with open alerts; the new cell evaluates what the old one has not', async () => {
  // Held, so that the old cell cannot mark what comes after the comparison.
  const follower = new Client({ connectionString: old.ownerUrl })
  await follower.connect()
  missingFrom = Date.now() + 40_000
  await add(old, silent, 70, missingFrom - 3_600_000)
  rules.silent = await ruleOf(silent, {
    field: null,
    threshold: undefined,
    unit: undefined,
    missing: { for: 'PT1H' },
  })
  await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 0, last: 1_023 },
    limitMs: 30_000,
    changeMap: async () => {},
    onProgress: () => {},
    async onStep(step) {
      if (step === 'copied') {
        const [place] = await runSql<{ xid: string }>(
          fresh.ownerUrl,
          'select pg_current_xact_id()::text as xid',
        )
        await until(async () => {
          const passed = await runSql(
            fresh.ownerUrl,
            "select from casesheet.followers where name = 'alerts:rules' and xid > $1::xid8",
            [place?.xid],
          )
          return passed.length > 0
        }, 20_000)
        for (const table of ['alert_marks', 'rule_clocks'])
          assert.deepEqual(await runSql(fresh.ownerUrl, `select from care.${table}`), [], table)
      }
      if (step === 'compared') {
        await untilEvaluated(old)
        await follower.query('begin')
        await follower.query("select from casesheet.followers where name = 'alerts:rules' for update")
        await add(old, unevaluated, 150)
      }
      if (step === 'opened') await follower.query('commit')
    },
  })
  await follower.end()
  assert.ok(Date.now() < missingFrom, 'the move took less time than readings may be missing')
  await untilEvents(fresh, rules.unevaluated, ['opened'])
  await untilEvaluated(fresh)
  assert.deepEqual(await eventsOf(fresh, rules.openBefore), ['opened'], 'it is not announced again')
  assert.deepEqual(await eventsOf(old, rules.unevaluated), [], 'by the old cell it never was')
})

test('in the new cell an alert is acknowledged, resolved, and opened again once', async () => {
  const token = await old.rounds.token({ sub: 'doctor', doctorId })
  const listed = await fresh.rounds.call('/care/alerts/list', { token })
  assert.equal(listed.status, 200, listed.text)
  assert.deepEqual(
    new Map(listed.json.data.map(({ patientUid, state }) => [patientUid, state])),
    new Map([openBefore, unevaluated].map((patientUid) => [patientUid, 'open'])),
  )
  const alertId = listed.json.data.find(({ patientUid }) => patientUid === openBefore)?.['alertId']
  const body = { patientUid: openBefore, alertId }
  const there = await old.rounds.call('/care/alerts/acknowledge', { token, body })
  assert.deepEqual([there.status, there.json.code], [421, 'WrongCell'])
  const acknowledged = await fresh.rounds.call('/care/alerts/acknowledge', { token, body })
  assert.equal(acknowledged.status, 200, acknowledged.text)
  await add(fresh, openBefore, 100)
  await untilEvents(fresh, rules.openBefore, ['opened', 'acknowledged', 'resolved'])
  await add(fresh, openBefore, 151)
  await untilEvents(fresh, rules.openBefore, ['opened', 'acknowledged', 'resolved', 'opened'])
})

test('readings that are missing since before the move are reported by the new cell alone', async () => {
  await untilEvents(fresh, rules.silent, ['opened'], 60_000)
  const [alert] = await runSql<{ since: Date }>(
    fresh.ownerUrl,
    'select since from casesheet.alerts where rule_id = $1',
    [rules.silent],
  )
  assert.equal(alert?.since.getTime(), missingFrom)
  // Later than the old cell would have reported it.
  await add(fresh, silent, 71)
  await untilEvents(fresh, rules.silent, ['opened', 'resolved'])
  for (const [name, events] of Object.entries({ openBefore: ['opened'], unevaluated: [], silent: [] }))
    assert.deepEqual(await eventsOf(old, rules[name as keyof typeof rules]), events)
})
