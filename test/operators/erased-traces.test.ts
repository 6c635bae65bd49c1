// What an erasure leaves in the database beside rows: statistics of the planner, and bytes of the data files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { DELETE_READINGS } from '../../src/modules/operators/erase-patient.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { give, grantsOf } from '../support/grants-by-hand.ts'
import { createDatabase, createEmptyDatabase, runSql } from '../support/harness.ts'
import { BY, runPatientCommand } from '../support/patient-with-history.ts'
import { review, reviewsOf } from '../support/reviews-by-hand.ts'
import { alertsOf, storeAlert, storeEvent, storeRule } from '../support/stored-alerts.ts'
import { set, targetsOf } from '../support/targets-by-hand.ts'

// A cluster of its own: the command waits for transactions in any database, and other tests hold some open.
const postgres = await startThrowawayPostgres()
after(() => postgres.stop())
process.env['TEST_DATABASE_URL'] = postgres.url
const { ownerUrl, serveUrl } = await createDatabase()
const erase = (patientUid: string, ...options: string[]) =>
  runPatientCommand(['erase', patientUid, ...BY, '--yes', ...options], ownerUrl)

const addReadings = (patientUid: string, count: number, details = '{}') =>
  runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp(n), gen_random_uuid(), 'x', n, $3::json, 'sub-of-' || $1
     from generate_series(1, $2::integer) n`,
    [patientUid, count, details],
  )

/** The statistics that name somebody, as a role sees them. */
const statisticsThatName = (url: string, text: string) =>
  runSql<{ tablename: string }>(
    url,
    `select distinct tablename
     from pg_stats
     where schemaname in ('casesheet', 'care')
       and concat(most_common_vals::text, histogram_bounds::text) like '%' || $1 || '%'`,
    [text],
  )

test('no statistics of the planner hold the id, the subject or a value of an erased patient', async () => {
  await addReadings('watched-1', 3_000)
  await addReadings('watched-2', 3_000)
  await runSql(
    ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
     select 'watched-1', 'r' || n, 0, 'staff', 'staff', 'readings/get', '-infinity', 'infinity', 1
     from generate_series(1, 500) n`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
     select 'watched-1', 'doctor-' || n, 'view', 'name-of-watched-1', 'name-of-watched-1', 'sub-of-watched-1'
     from generate_series(1, 100) n`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.targets (patient_uid, author_kind, author_id, reading_type, unit, fields, label, set_by)
     select 'watched-1', 'patient', 'watched-1', 'type-' || n, '%', '{"value": {"low": 1}}', 'label-of-watched-1', 'sub-of-watched-1'
     from generate_series(1, 100) n`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.looks
       (patient_uid, review_id, doctor_id, looked_by, seen_up_to, saw, acknowledged, note, visible_to, date_says)
     select 'watched-1', gen_random_uuid(), 'doctor-' || n, 'sub', 0, '{}', '{}', 'note-of-watched-1', 'doctors', 'keep'
     from generate_series(1, 100) n`,
  )
  for (let count = 1; count <= 50; count++) {
    const rule = await storeRule(ownerUrl, 'watched-1', { label: 'rule-of-watched-1' })
    await storeEvent(ownerUrl, await storeAlert(ownerUrl, rule, { why: 'why-of-watched-1' }))
  }
  await runSql(
    ownerUrl,
    `insert into care.list_looks (doctor_id, patient_uid, looked_on)
     select 'doctor-' || n, 'watched-1', now() from generate_series(1, 100) n`,
  )
  await runSql(
    ownerUrl,
    `analyze casesheet.readings, casesheet.access_log, casesheet.grants, casesheet.grant_changes, casesheet.targets,
       casesheet.target_changes, casesheet.looks, casesheet.rules, casesheet.rule_changes, casesheet.alerts,
       casesheet.alert_events, care.list_looks`,
  )
  assert.ok((await statisticsThatName(serveUrl, 'watched-1')).length > 0, 'the serving role can read it')
  assert.ok((await statisticsThatName(ownerUrl, 'sub-of-watched-1')).length > 0)
  assert.equal((await erase('watched-1')).code, 0)
  for (const url of [serveUrl, ownerUrl]) assert.deepEqual(await statisticsThatName(url, 'watched-1'), [])
  const placeholders = await runSql(
    ownerUrl,
    "select from casesheet.readings where reading_type = 'placeholder' union all select from casesheet.access_log where operation = 'placeholder'",
  )
  assert.deepEqual(placeholders, [], 'nothing else is left either')
  assert.ok((await statisticsThatName(ownerUrl, 'watched-2')).length > 0, 'the statistics are still there')
})

/** The files of the tables that hold readings, and of what belongs to them, that contain a text. */
async function filesThatHold(text: string): Promise<string[]> {
  await runSql(ownerUrl, 'checkpoint')
  const files = await runSql<{ path: string }>(
    ownerUrl,
    `select current_setting('data_directory') || '/' || pg_relation_filepath(pg_class.oid) as path
     from pg_class
     where relkind in ('r', 'i', 't')
       and (relnamespace in ('casesheet'::regnamespace, 'care'::regnamespace, 'webhooks'::regnamespace) or relname ~ '^pg_toast_' or relname = 'pg_statistic')
       and pg_relation_filepath(pg_class.oid) is not null`,
  )
  return files.map(({ path }) => path).filter((path) => readFileSync(join(path)).includes(text))
}

test('after --rewrite no data file holds an erased reading; without it some may, as the command says', async () => {
  // A small one, and a large one that is stored beside the table and not compressed.
  await addReadings('rewritten-1', 50, '{"note":"a-canary-in-the-page"}')
  const large = Array.from({ length: 20_000 }, () =>
    String.fromCodePoint(33 + Math.floor(Math.random() * 60)),
  )
  const note = `a-canary-beside-the-table${large.join('').replaceAll(/["\\]/g, 'x')}`
  await addReadings('rewritten-1', 1, JSON.stringify({ note }))
  const canaries = [
    'a-canary-in-the-page',
    'a-canary-beside-the-table',
    'a-canary-that-shares',
    'a-canary-as-reason',
    'a-canary-as-label',
    'a-canary-as-note',
    'a-canary-in-a-rule',
    'a-canary-as-why',
    'a-canary-as-answer',
    'rewritten-1',
  ]
  await give(ownerUrl, { patientUid: 'rewritten-1', doctorId: 'doctor-1', sharedAs: 'a-canary-that-shares' })
  await give(ownerUrl, { patientUid: 'kept-1', doctorId: 'doctor-1' })
  const target = { readingType: 'oxygenSaturation', low: 92 }
  await set(ownerUrl, { patientUid: 'rewritten-1', ...target, label: 'a-canary-as-label' })
  await set(ownerUrl, { patientUid: 'rewritten-1', ...target, label: 'another' })
  await set(ownerUrl, { patientUid: 'kept-1', ...target })
  await review(ownerUrl, { patientUid: 'rewritten-1', note: 'a-canary-as-note' })
  await review(ownerUrl, { patientUid: 'kept-1' })
  const rule = await storeRule(ownerUrl, 'rewritten-1', { label: 'a-canary-in-a-rule' })
  const alertId = await storeAlert(ownerUrl, rule, { why: 'a-canary-as-why' })
  await storeEvent(ownerUrl, alertId, { note: 'a-canary-as-answer', visible_to: 'doctors' })
  await storeRule(ownerUrl, 'kept-1')
  await runSql(ownerUrl, "insert into care.patients (patient_uid) values ('rewritten-1'), ('kept-1')")
  for (const uid of ['rewritten-1', 'kept-1'])
    await runSql(
      ownerUrl,
      `with mark as (
         insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to) values ($1, 'heartRate', now(), now())
       ), clock as (
         insert into care.alert_clocks (patient_uid, reading_type, due_at) values ($1, 'heartRate', now())
       )
       insert into care.alert_looks (doctor_id, patient_uid, looked_on) values ('doctor-1', $1, now())`,
      [uid],
    )
  await runSql(
    ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count, reason)
     values ('rewritten-1', 'r', 0, 'ward-1', 'staff', 'readings/get', '-infinity', 'infinity', 1, 'a-canary-as-reason')`,
  )
  await addReadings('kept-1', 10)
  await runSql(
    ownerUrl,
    `insert into webhooks.endpoints (url, events, patient_uids, secret, key_id, added_by)
     values ('https://receiver.example/', '{patient.erased}', '{rewritten-1,kept-1}', '', '', 'test')`,
  )
  for (const canary of canaries) assert.notDeepEqual(await filesThatHold(canary), [], canary)
  await addReadings('left-over-1', 50, '{"note":"a-canary-left-over"}')
  assert.equal((await erase('left-over-1')).code, 0)
  assert.notDeepEqual(await filesThatHold('a-canary-left-over'), [])
  const { code, output } = await erase('rewritten-1', '--rewrite', '--announce-days', '0')
  assert.equal(code, 0, output)
  assert.match(
    output,
    /\nThe data files that held them were written anew\. Their bytes stay in the WAL and in backups /,
  )
  for (const what of ['targets', 'rules', 'grants'].map((name) => `${name} deleted, with their history`))
    assert.match(output, new RegExp(`^ {2}${what} +1$`, 'm'))
  assert.match(output, /^ {2}alerts deleted, with their events +1$/m)
  for (const canary of canaries) assert.deepEqual(await filesThatHold(canary), [], canary)
  for (const table of ['alert_marks', 'alert_clocks', 'alert_looks']) {
    const left = await runSql(ownerUrl, `select patient_uid from care.${table}`)
    assert.deepEqual(left, [{ patient_uid: 'kept-1' }], table)
  }
  const [endpoint] = await runSql(ownerUrl, 'select patient_uids from webhooks.endpoints')
  assert.deepEqual(endpoint, { patient_uids: ['kept-1'] })
  assert.deepEqual(
    await runSql(
      ownerUrl,
      "select count(*)::integer as count from casesheet.readings where patient_uid = 'kept-1'",
    ),
    [{ count: 10 }],
  )
  assert.equal((await grantsOf(ownerUrl, 'kept-1')).length, 2)
  assert.equal((await targetsOf(ownerUrl, 'kept-1')).length, 2)
  assert.equal((await reviewsOf(ownerUrl, 'kept-1')).length, 1)
  assert.equal((await alertsOf(ownerUrl, 'kept-1')).length, 2)
})

test('a session that is older than the erasure keeps the rows on disk, and the command waits for its end', async () => {
  await addReadings('seen-1', 20, '{"note":"a-canary-that-is-seen"}')
  const older = new Client({ connectionString: ownerUrl })
  await older.connect()
  await older.query('begin isolation level repeatable read; select from casesheet.readings limit 1')
  const erased = erase('seen-1', '--rewrite')
  while ((await runSql(ownerUrl, "select from casesheet.readings where patient_uid = 'seen-1'")).length > 0);
  await older.query('commit')
  await older.end()
  assert.equal((await erased).code, 0)
  assert.deepEqual(await filesThatHold('a-canary-that-is-seen'), [])
})

test('an erasure succeeds while an older session reads and other patients are written all the time', async () => {
  await addReadings('in-use-1', 20)
  await runSql(ownerUrl, "insert into care.patients (patient_uid) values ('in-use-2')")
  await set(ownerUrl, { patientUid: 'in-use-2', readingType: 'oxygenSaturation', low: 92 })
  const older = new Client({ connectionString: ownerUrl })
  await older.connect()
  await older.query('begin isolation level repeatable read; select from casesheet.readings limit 1')
  const command = { isOver: false }
  const erased = erase('in-use-1').finally(() => (command.isOver = true))
  while (!command.isOver) {
    await runSql(
      ownerUrl,
      "update care.patients set patient_uid = patient_uid where patient_uid = 'in-use-2'",
    )
    await runSql(ownerUrl, "update casesheet.targets set label = label where patient_uid = 'in-use-2'")
  }
  await older.query('commit')
  await older.end()
  const { code, output } = await erased
  assert.equal(code, 0, output)
  assert.match(output, /^The patient was erased:/)
  assert.match(
    output,
    /\nA later vacuum removes the rows that transactions older than the erasure can still read\. /,
  )
})

const otherUrl = await createEmptyDatabase()
const OLDER_TRANSACTIONS = [
  { where: 'this database', url: ownerUrl, begin: 'begin isolation level repeatable read; select 1' },
  // "vacuum (full)" goes by its own snapshot too, which begins where the oldest transaction of the cluster does.
  {
    where: 'another database',
    url: otherUrl,
    begin: 'begin; select pg_current_xact_id()',
  },
]

for (const { where, url, begin } of OLDER_TRANSACTIONS)
  test(`an older transaction in ${where} keeps statistics on disk, and the command waits for its end`, async () => {
    const patientUid = `measured-in-${where}`
    const eraseNow = (...options: string[]) => erase(patientUid, '--announce-days', '0', ...options)
    await addReadings(patientUid, 1)
    assert.equal((await eraseNow()).code, 0)
    // Of this patient only statistics are left, so the command waits for no rows.
    await addReadings(patientUid, 3_000)
    await runSql(ownerUrl, 'analyze casesheet.readings')
    await runSql(ownerUrl, 'delete from casesheet.readings where patient_uid = $1', [patientUid])
    await runSql(ownerUrl, 'vacuum casesheet.readings')
    assert.notDeepEqual(await statisticsThatName(ownerUrl, patientUid), [])
    const older = new Client({ connectionString: url })
    await older.connect()
    await older.query(begin)
    const command = { isOver: false }
    const erased = eraseNow('--rewrite').finally(() => (command.isOver = true))
    while (!command.isOver && !(await isWaitingForSnapshots()));
    await older.query('commit')
    await older.end()
    const { code, output } = await erased
    assert.equal(code, 0, output)
    assert.deepEqual(await filesThatHold(patientUid), [])
  })

/** Asked from another database: a session of this one would have a snapshot here. */
async function isWaitingForSnapshots() {
  const sessions = await runSql(
    otherUrl,
    "select from pg_stat_activity where datname = $1 and state = 'idle' and query like '%pg_snapshot_xmin%'",
    [new URL(ownerUrl).pathname.slice(1)],
  )
  return sessions.length > 0
}

test('a notice that holds the id is named, with its end, and so is one of an earlier erasure', async () => {
  await addReadings('announced-1', 1)
  const { output } = await erase('announced-1', '--announce-days', '3')
  const [, until = ''] =
    /\nThe patient's id stays in casesheet\.erasure_notices until (\S+): /.exec(output) ?? []
  const days = (Date.parse(until) - Date.now()) / 86_400_000
  assert.ok(days > 2.99 && days < 3.01, output)
  const again = await erase('announced-1', '--announce-days', '0', '--rewrite')
  assert.equal(again.code, 0, again.output)
  assert.ok(again.output.includes(`until ${until}: `), again.output)
  await runSql(ownerUrl, 'update casesheet.erasure_notices set announced_until = now()')
  await runSql(ownerUrl, 'select casesheet.clear_erasure_notices()')
  await runSql(ownerUrl, 'analyze casesheet.erasure_notices')
  const last = await erase('announced-1', '--announce-days', '0', '--rewrite')
  assert.equal(last.code, 0, last.output)
  assert.doesNotMatch(last.output, /erasure_notices/)
  assert.deepEqual(await filesThatHold('announced-1'), [])
})

test('the last batch of a deletion costs what the first did: it does not walk over what was deleted', async () => {
  const [batches, size] = [20, 500]
  await addReadings('long', batches * size)
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('begin')
  const blocks: number[] = []
  let last: Record<string, string> = {
    measured_at: '-infinity',
    reading_id: '00000000-0000-0000-0000-000000000000',
  }
  for (let batch = 0; batch < batches; batch++) {
    const values = ['long', last['measured_at'], last['reading_id'], size]
    await client.query('savepoint before')
    const { rows: plan } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${DELETE_READINGS}`,
      values,
    )
    const root = plan[0]?.['QUERY PLAN'][0].Plan ?? {}
    blocks.push((root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0))
    await client.query('rollback to before')
    const { rows } = await client.query<Record<string, string>>(DELETE_READINGS, values)
    last = rows[0] ?? assert.fail('nothing was deleted')
    assert.equal(last['count'], size)
  }
  await client.query('rollback')
  await client.end()
  const [first = 0, end = 0] = [blocks[1], blocks.at(-1)]
  assert.ok(end < first * 1.5, `blocks of each batch: ${blocks.join()}`)
})
