// Alerts and rules of a doctor whose patients are divided between cells: the router answers for none of them, and the client makes one list
// of the lists of all. What names a patient is led by the patient.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '../../clients/typescript/src/client.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { type Envelope, runSql } from '../support/harness.ts'
import { setSlots, UPPER } from '../support/slots.ts'
import { storeAlert, storeRule } from '../support/stored-alerts.ts'
import { halfOf, patientsOfBoth, startTwoCells } from './patients-of-doctor.ts'

const doctorId = 'doctor-of-both'
const { cells, routers, token, doctorOf } = await startTwoCells([doctorId], { ALERTS: 'on' })
const [router] = routers
const doctor = await doctorOf(doctorId)
const bearer = await token({ sub: 'doctor', doctorId })
const cellOf = (patientUid: string) => cells[halfOf(slotOf(patientUid)) === 0 ? 0 : 1]

// Without readings the alerts of this test would be retracted.
for (const { ownerUrl } of cells)
  await runSql(ownerUrl, "delete from casesheet.followers where name = 'alerts:rules'")

const MINUTE = 60_000
const START = Date.parse('2026-11-17T08:00:00.000Z')
const instant = (minutes: number) => new Date(START + minutes * MINUTE).toISOString()
const ACKNOWLEDGED = {
  acknowledged_at: instant(0),
  acknowledged_point: instant(0),
  acknowledged_by: 'doctor',
  acknowledged_doctor: doctorId,
}
const SNOOZED = {
  snoozed_until: new Date(Date.now() + 60 * MINUTE).toISOString(),
  snoozed_by: 'doctor',
  snoozed_doctor: doctorId,
}
const OVER = { condition: 'resolved', until: instant(60), resolved_at: instant(61) }

const uids = patientsOfBoth(3)
const severities = ['urgent', 'warning', 'notice'] as const
type Stored = { alertId: string; rank: number; openedAt: number }
const active: Stored[] = []
const resolved: Stored[] = []
const ruleIds: string[] = []
for (const [index, patientUid] of uids.entries()) {
  const { ownerUrl } = cellOf(patientUid)
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
     values ($1, $2, 'manage', $3::text, $3, 'patient')`,
    [patientUid, doctorId, `Mia ${index}`],
  )
  for (const [nth, severity] of severities.entries()) {
    const rule = await storeRule(ownerUrl, patientUid, { severity })
    ruleIds.push(rule.ruleId)
    for (const [state, fields] of [{}, ACKNOWLEDGED, SNOOZED, OVER].entries()) {
      // Of both cells by turns; the last two patients at the same time.
      const openedAt = Math.min(uids.length - 1 - index, 4)
      const alertId = await storeAlert(ownerUrl, rule, { ...fields, opened_at: instant(openedAt) })
      const list = state === 3 ? resolved : active
      list.push({ alertId, rank: 3 * state + nth, openedAt })
    }
  }
}

async function get(path: string) {
  const response = await fetch(`${router?.url}${path}`, { headers: { authorization: `Bearer ${bearer}` } })
  return { status: response.status, json: (await response.json()) as Envelope & Record<string, unknown> }
}

test('the router names the cells and answers for none, unless the query names a patient', async () => {
  for (const path of ['/care/alerts/list', '/care/alerts/list?state=all', '/care/rules/list?limit=5']) {
    const { status, json } = await get(path)
    assert.deepEqual([status, json.code, json.cells], [400, 'CellMissing', ['cell_a', 'cell_b']], path)
  }
  for (const path of ['/care/alerts%2Flist', '/care/alerts/lis%74', '/care/rules%2flist']) {
    const { status, json } = await get(path)
    assert.deepEqual([status, json.code], [404, 'NotFound'], path)
  }
  for (const path of ['alerts/list', 'rules/list']) {
    for (const patientUid of uids.slice(0, 2)) {
      const { status, json } = await get(`/care/${path}?patientUid=${patientUid}`)
      assert.equal(status, 200, JSON.stringify(json))
      assert.deepEqual(new Set(json.data.map((of) => of['patientUid'])), new Set([patientUid]))
    }
    for (const [name, slots] of Object.entries({ cell_a: '0-2047', cell_b: '2048-4095' })) {
      const { status, json } = await get(`/cells/${name}/care/${path}`)
      assert.deepEqual([status, (json['cell'] as { slots: string }).slots], [200, slots])
    }
  }
})

test('writes are led by the patient of the body', async () => {
  for (const patientUid of uids.slice(0, 2)) {
    const terms = { readingType: 'heartRate', field: 'value', unit: '/min', severity: 'notice' } as const
    const { data: rule } = await doctor.rules.set({ patientUid, ...terms, threshold: { above: 190 } })
    const found = await runSql(
      cellOf(patientUid).ownerUrl,
      'select from casesheet.rules where rule_id = $1',
      [rule.ruleId],
    )
    assert.equal(found.length, 1)
    await doctor.rules.remove({ patientUid, ruleId: rule.ruleId })
  }
})

async function pagesOf(query: Parameters<typeof doctor.alerts.list>[0]): Promise<Alert[]> {
  const found: Alert[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await doctor.alerts.list({ ...query, limit: 7, cursor })
    assert.deepEqual([page.cells?.asked, page.cells?.missing], [['cell_a', 'cell_b'], []])
    assert.deepEqual(page.counts, {
      open: { urgent: 6, warning: 6, notice: 6 },
      acknowledged: 18,
      snoozed: 18,
      beyond: 0,
    })
    found.push(...page.data)
    if (page.nextCursor === null) return found
    cursor = page.nextCursor
  }
}

const placeOf = (list: Stored[]) => new Map(list.map((of) => [of.alertId, of]))

test('alerts of all cells are one list, in pages: what needs somebody first, then the oldest', async () => {
  const found = await pagesOf({})
  const places = placeOf(active)
  const given = found.map(({ alertId }) => places.get(alertId))
  assert.equal(new Set(given).size, active.length, 'each once')
  assert.deepEqual(
    given.map((place) => [place?.rank, place?.openedAt]),
    active
      .map(({ rank, openedAt }) => [rank, openedAt])
      .toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d),
  )
  assert.ok(found.every(({ sharedAs }) => sharedAs?.startsWith('Mia ')))
})

test('those that are over stand newest first', async () => {
  const found = await pagesOf({ state: 'resolved' })
  const places = placeOf(resolved)
  const given = found.map(({ alertId }) => places.get(alertId))
  assert.equal(new Set(given).size, resolved.length)
  assert.deepEqual(
    given.map((place) => place?.openedAt),
    resolved.map(({ openedAt }) => openedAt).toSorted((a, b) => b - a),
  )
})

test('rules of all cells are one list, by the names of the patients', async () => {
  const found: { patientUid: string; ruleId: string }[] = []
  for await (const rule of doctor.rules.each({ limit: 4 })) found.push(rule)
  assert.deepEqual(found.map(({ ruleId }) => ruleId).toSorted(), ruleIds.toSorted())
  assert.deepEqual([...new Set(found.map(({ patientUid }) => patientUid))], uids)
})

/** A call is repeated while patients are being moved. */
const WITHIN = { timeoutMs: 1_500 }

test('the part of a cell that does not answer is named, and is in no count', async () => {
  const [, second] = cells
  await setSlots(second.ownerUrl, { open: '{}', closing: UPPER })
  const here = new Set(uids.filter((patientUid) => cellOf(patientUid) === cells[0]))
  const alerts = await doctor.alerts.list({}, WITHIN)
  const rules = await doctor.rules.list({}, WITHIN)
  for (const page of [alerts, rules]) {
    assert.deepEqual(
      page.cells?.missing.map(({ cell }) => cell),
      ['cell_b'],
    )
    assert.deepEqual(new Set(page.data.map(({ patientUid }) => patientUid)), here)
  }
  assert.deepEqual(alerts.counts?.open, { urgent: 3, warning: 3, notice: 3 })
  await assert.rejects(doctor.alerts.each({}, WITHIN).next(), { retryable: true })
  await assert.rejects(doctor.rules.each({}, WITHIN).next(), { retryable: true })
  await setSlots(second.ownerUrl, { open: UPPER })
  assert.deepEqual((await doctor.alerts.list()).cells?.missing, [])
})
