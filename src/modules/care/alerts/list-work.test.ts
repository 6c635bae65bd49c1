// What the lists of alerts ask of the tables, counted by PostgreSQL while the program serves as in production: alerts are found by index,
// and no more of them than are open or make a page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../../../../test/support/harness.ts'
import { serveForLoad } from '../../../../test/support/process.ts'
import { stopEvaluation } from '../../../../test/support/stored-alerts.ts'
import type { Answer } from './list-contract.ts'

const PATIENTS = 1_000
const OPEN = 5
const OVER = 45
const DOCTOR = 'dr-many'

const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
await stopEvaluation(ownerUrl)
// What keeps the lists looks whether there are grants.
await runSql(ownerUrl, "delete from casesheet.followers where name = 'care:list'")
// Others share with other doctors, and have alerts too.
await runSql(
  ownerUrl,
  `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
   select 'patient-' || n, case when n <= ${PATIENTS} then '${DOCTOR}' else 'dr-other' end, 'manage', 'patient-' || n, 'test'
   from generate_series(1, ${2 * PATIENTS}) n`,
)
await runSql(
  ownerUrl,
  `with stored as (
     insert into casesheet.rules (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
     select 'patient-' || n, gen_random_uuid(), 'heartRate', 'value', (array['notice', 'warning', 'urgent'])[1 + n % 3],
       '{"readingType":"heartRate","field":"value","unit":"/min","severity":"notice","threshold":{"above":130}}', 'test', 'dr-' || n
     from generate_series(1, ${2 * PATIENTS}) n
     returning patient_uid, rule_id, version_id, severity
   )
   insert into casesheet.alerts
     (patient_uid, alert_id, rule_id, version_id, reading_type, field, severity, condition, since, since_id, until, opened_at, resolved_at,
       readings, why)
   select patient_uid, gen_random_uuid(), rule_id, version_id, 'heartRate', 'value', severity,
     case when n <= ${OPEN} then 'open' else 'resolved' end, at, gen_random_uuid(), case when n > ${OPEN} then at end, at,
     case when n > ${OPEN} then at end, '[]', 'Heart rate 142/min, above 130/min.'
   from stored, generate_series(1, ${OPEN + OVER}) n,
     lateral (select now() - n * interval '1 hour' - hashtext(rule_id::text) % 3600 * interval '1 second' as at) as times`,
)
const token = await issuer.token({ sub: 'doctor', doctorId: DOCTOR })

type Work = { scans: number; alerts: number; scansOfGrants: number }

async function counted(): Promise<Work> {
  const [row] = await runSql<Work>(
    ownerUrl,
    `select sum(seq_scan) filter (where relname like 'alert%' or relname like 'rule%')::integer as scans,
       sum(idx_tup_fetch) filter (where relname = 'alerts')::integer as alerts,
       sum(seq_scan) filter (where relname = 'grants')::integer as "scansOfGrants"
     from pg_stat_user_tables`,
  )
  assert.ok(row)
  return row
}

/** What a process that is asked this has read. It has ended then, so nothing is left to be counted. */
async function workOf(queries: string[]): Promise<Work & { ms: number[] }> {
  const before = await counted()
  const server = await serveForLoad({
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    ALERTS: 'on',
  })
  const ms: number[] = []
  for (const query of queries) {
    const began = performance.now()
    const answer = await fetch(`${server.url}/care/alerts/list${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.status, 200, await answer.clone().text())
    const { counts } = (await answer.json()) as Answer
    ms.push(Math.round(performance.now() - began))
    const { urgent = 0, warning = 0, notice = 0 } = counts?.open ?? {}
    assert.equal(urgent + warning + notice, PATIENTS * OPEN)
  }
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
  const after = await counted()
  return {
    scans: after.scans - before.scans,
    alerts: after.alerts - before.alerts,
    scansOfGrants: after.scansOfGrants - before.scansOfGrants,
    ms,
  }
}

test('the inbox of a doctor reads what is open, and its page', async (t) => {
  const times = 8
  const { scans, alerts, scansOfGrants, ms } = await workOf(Array.from({ length: times }, () => '?limit=200'))
  t.diagnostic(`${ms.join(', ')} ms; ${alerts / times} alerts`)
  assert.deepEqual([scans, scansOfGrants], [0, 0])
  assert.ok(alerts <= times * (PATIENTS * OPEN + 200), `${alerts} alerts`)
})

test('a page of what is over reads as many alerts as it may show, beside what is open and one of each patient', async (t) => {
  const queries = ['resolved', 'retracted', 'all'].flatMap((state) =>
    ['', '&severity=urgent'].map((severity) => `?state=${state}&limit=200${severity}`),
  )
  const { scans, alerts, scansOfGrants, ms } = await workOf(queries)
  t.diagnostic(`${ms.join(', ')} ms; ${alerts / queries.length} alerts`)
  assert.deepEqual([scans, scansOfGrants], [0, 0])
  // At most two of each patient, of its conditions, decide how far a page reaches; then those that are newer are read.
  const most = PATIENTS * OPEN + 2 * PATIENTS + 201 + 200 * 201
  assert.ok(alerts <= queries.length * most, `${alerts} alerts`)
})
