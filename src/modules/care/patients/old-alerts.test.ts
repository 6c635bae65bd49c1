// What a poll of the list of patients reads does not grow with the alerts that its patients once had.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { openConnections } from '../../../db/connections.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { listStatement } from './list-statement.ts'

const PATIENTS = 40
const ALERTS_OF_EACH = 500

const rounds = await startRounds({ MODULES: 'appointments,casesheet,care', ALERTS: 'on' })
await runSql(
  rounds.ownerUrl,
  `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
   select 'patient-' || n, 'doctor-1', 'view', 'Patient ' || n, 'patient ' || n, 'patient-' || n
   from generate_series(1, ${PATIENTS}) n`,
)
const pools = openConnections({
  url: rounds.serveUrl,
  poolSize: 4,
  warn: () => undefined,
  metrics: createMetrics(),
})
after(() => Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end())))

/** Blocks that are read to find what has changed since a moment ago. */
async function blocksOfPoll(): Promise<number> {
  const [now] = await runSql<{ xid: string }>(rounds.ownerUrl, 'select pg_current_xact_id()::text as xid')
  const { text, values } = listStatement({
    doctorId: 'doctor-1',
    timeZone: 'UTC',
    now: Date.now(),
    statuses: null,
    isNew: null,
    find: null,
    silentAfter: null,
    worseBy: null,
    changedSince: now?.xid ?? null,
    limit: 20,
    after: null,
    sort: 'attention',
    order: 'asc',
    requestId: 'test',
    subject: 'test',
    hasAlerts: true,
  })
  const session = await pools.feed.connect()
  try {
    const { rows } = await session.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, buffers) ${text}`,
      values,
    })
    const [, hit, read = 0] =
      /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(rows.map((row) => row['QUERY PLAN']).join()) ?? []
    return Number(hit) + Number(read)
  } finally {
    session.release()
  }
}

test('a poll for news reads no alerts that ended long ago', async () => {
  const before = await blocksOfPoll()
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.alerts
       (patient_uid, alert_id, rule_id, version_id, reading_type, severity, condition, since, since_id, until, opened_at, resolved_at,
        readings, why, changed_xid)
     select 'patient-' || n, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'heartRate', 'notice', 'resolved',
       now() - k * interval '1 hour', gen_random_uuid(), now() - k * interval '1 hour', now(), now(), '[]', 'An invented one.',
       pg_current_xact_id()
     from generate_series(1, ${ALERTS_OF_EACH}) k, generate_series(1, ${PATIENTS}) n`,
  )
  await runSql(rounds.ownerUrl, 'analyze casesheet.alerts')
  const blocks = (await blocksOfPoll()) - before
  // A few for each patient.
  assert.ok(blocks < 12 * PATIENTS, `${blocks} blocks`)
})
