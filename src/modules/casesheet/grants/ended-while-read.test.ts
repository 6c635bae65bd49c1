// A grant that ends after a statement has read and before its proof: what was read does not leave, and is not logged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { createDoctor, createSharedPatient, NOON } from '../../../../test/support/shared-patient.ts'
import { until } from '../../../../test/support/until.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care,fhir', ALERTS: 'on' })

const READS: Record<string, string> = {
  'readings/get': '/casesheet/readings/get',
  'readings/latest': '/casesheet/readings/latest',
  'readings/statistics': `/casesheet/readings/statistics?readingType=heartRate&from=${NOON}&to=${NOON + 200}`,
  'readings/access-log': '/casesheet/readings/access-log',
  'reports/days-with-data': `/care/reports/days-with-data?from=${NOON}&to=${NOON + 200}`,
  'targets/list': '/care/targets/list',
  timeline: '/care/timeline',
  'rules/list': '/care/rules/list',
  'alerts/list': '/care/alerts/list',
  'FHIR, by update': '/fhir/Observation?_lastUpdated=ge2020-01-01',
}

for (const [name, path] of Object.entries(READS)) {
  test(name, async (t) => {
    const { patientUid, give } = await createSharedPatient(rounds)
    const { doctorId, token } = await createDoctor(rounds)
    await give(doctorId)
    const named = path.startsWith('/fhir') ? 'patient' : 'patientUid'
    const read = () =>
      rounds.call(`${path}${path.includes('?') ? '&' : '?'}${named}=${patientUid}`, { token })
    const before = await read()
    assert.equal(before.status, 200, before.text)
    const owner = new Client({ connectionString: rounds.ownerUrl })
    await owner.connect()
    t.after(() => owner.end())
    // The log cannot be written until the grant has ended.
    await owner.query('begin')
    await owner.query('lock table casesheet.access_log in share mode')
    const answer = read()
    const isWaiting = async () => {
      const rows = await runSql(
        rounds.ownerUrl,
        "select from pg_locks where relation = 'casesheet.access_log'::regclass and not granted",
      )
      return rows.length > 0
    }
    await until(isWaiting, 5_000, { everyMs: 5 })
    await owner.query("update casesheet.grants set state = 'revoked' where patient_uid = $1", [patientUid])
    await owner.query('commit')
    const { status, text } = await answer
    assert.equal(status, 403, text)
    assert.match(text, /NotShared/)
    const [row] = await runSql(
      rounds.ownerUrl,
      'select count(*)::int as count from casesheet.access_log where patient_uid = $1',
      [patientUid],
    )
    assert.deepEqual(row, { count: 1 })
  })
}
