// What the role that serves may do, whether by a grant of its own or by one to everybody: what serving needs, and no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../support/harness.ts'

const { ownerUrl, serveUrl } = await createDatabase()
const role = new URL(serveUrl).username

test('the serving role holds exactly these rights, on whatever our schemas hold', async () => {
  const rights = await runSql<{ held: string }>(
    ownerUrl,
    `with ours as (select oid, nspname from pg_namespace where nspname in ('appointments', 'care', 'casesheet', 'webhooks', 'rounds', 'public')),
      held (what, name, right_) as (
        select 'schema', nspname, right_
        from ours
        cross join unnest(array['USAGE', 'CREATE']) as right_
        where has_schema_privilege($1, ours.oid, right_)
        union all
        select 'table', nspname || '.' || relname, right_
        from pg_class
        join ours on ours.oid = relnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as right_
        where has_table_privilege($1, pg_class.oid, right_) or (
          right_ in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege($1, pg_class.oid, right_)
        )
        union all
        select 'sequence', nspname || '.' || relname, right_
        from pg_class
        join ours on ours.oid = relnamespace and relkind = 'S'
        cross join unnest(array['USAGE', 'SELECT', 'UPDATE']) as right_
        where has_sequence_privilege($1, pg_class.oid, right_)
        union all
        select 'function', nspname || '.' || proname, 'EXECUTE'
        from pg_proc
        join ours on ours.oid = pronamespace
        where has_function_privilege($1, pg_proc.oid, 'EXECUTE')
          and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      )
    select distinct what || ' ' || regexp_replace(name, 'readings_[0-9]+', 'readings_N') || ': ' || string_agg(right_, ', ' order by right_) as held
    from held
    group by what, name
    order by 1`,
    [role],
  )
  assert.deepEqual(
    rights.map(({ held }) => held),
    [
      // A trigger's function: called by itself, it fails.
      'function appointments.tell_specialities_changed: EXECUTE',
      'function casesheet.clear_erasure_notices: EXECUTE',
      'function casesheet.has_first_page: EXECUTE',
      'function casesheet.is_served_here: EXECUTE',
      'function casesheet.refuse_erased: EXECUTE',
      'schema appointments: USAGE',
      'schema care: USAGE',
      'schema casesheet: USAGE',
      'schema public: USAGE',
      'schema rounds: USAGE',
      'schema webhooks: USAGE',
      'sequence care.mark_versions: USAGE',
      'table appointments.directory: SELECT',
      'table appointments.doctor_specialities: SELECT',
      'table appointments.doctors: SELECT',
      'table appointments.doctors_to_list: SELECT',
      'table appointments.listed_doctors: SELECT',
      'table appointments.specialities: SELECT',
      'table care.alert_clocks: DELETE, INSERT, SELECT, UPDATE',
      'table care.alert_looks: DELETE, INSERT, SELECT, UPDATE',
      'table care.alert_marks: DELETE, INSERT, SELECT, UPDATE',
      'table care.alert_watch: DELETE, INSERT, SELECT, UPDATE',
      'table care.days: DELETE, INSERT, SELECT, UPDATE',
      'table care.evidence: DELETE, INSERT, SELECT, UPDATE',
      'table care.list_looks: DELETE, INSERT, SELECT, UPDATE',
      'table care.marks: DELETE, INSERT, SELECT, UPDATE',
      'table care.newest: DELETE, INSERT, SELECT, UPDATE',
      'table care.outages: DELETE, INSERT, SELECT, UPDATE',
      'table care.patients: DELETE, INSERT, SELECT, UPDATE',
      'table casesheet.access_log: INSERT, SELECT',
      'table casesheet.alert_deliveries: SELECT, UPDATE',
      'table casesheet.alert_events: INSERT, SELECT',
      'table casesheet.alerts: INSERT, SELECT, UPDATE',
      'table casesheet.corrections: INSERT, SELECT',
      'table casesheet.erasure_notices: SELECT',
      'table casesheet.feed: SELECT',
      'table casesheet.feed_deliveries: INSERT, SELECT, UPDATE',
      'table casesheet.feed_marks: DELETE, INSERT, SELECT',
      'table casesheet.follower_processes: DELETE, INSERT, SELECT, UPDATE',
      'table casesheet.followers: DELETE, INSERT, SELECT, UPDATE',
      'table casesheet.grant_changes: SELECT',
      'table casesheet.grants: INSERT, SELECT, UPDATE',
      'table casesheet.looks: INSERT, SELECT, UPDATE',
      'table casesheet.readings: INSERT, SELECT, UPDATE',
      'table casesheet.refused_patients: SELECT',
      'table casesheet.rule_changes: SELECT',
      'table casesheet.rules: INSERT, SELECT, UPDATE',
      'table casesheet.target_changes: SELECT',
      'table casesheet.targets: INSERT, SELECT, UPDATE',
      'table rounds.migration_files: SELECT',
      'table webhooks.attempts: DELETE, INSERT, SELECT, UPDATE',
      'table webhooks.endpoints: DELETE, INSERT, SELECT, UPDATE',
    ],
  )
})

test('the serving role is nobody else: no superuser, no maker of roles or databases, a member of one role', async () => {
  const rows = await runSql(
    ownerUrl,
    `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
       array(select roleid::regrole::text from pg_auth_members where member = pg_roles.oid) as member_of
     from pg_roles
     where rolname in ($1, 'rounds_server')
     order by rolname = 'rounds_server'`,
    [role],
  )
  const no = {
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
  }
  assert.deepEqual(rows, [
    { ...no, member_of: ['rounds_server'] },
    { ...no, member_of: [] },
  ])
})

test('the serving role cannot change or remove what was stored, nor make anything', async () => {
  const attempts = [
    'update casesheet.readings set added_by = added_by',
    'delete from casesheet.readings',
    'truncate casesheet.readings',
    'update casesheet.access_log set read_by = read_by',
    'delete from casesheet.access_log',
    'truncate casesheet.access_log',
    'delete from casesheet.readings_0',
    'update casesheet.readings_0 set added_by = added_by',
    'insert into casesheet.readings_0 (patient_uid) values (null)',
    'insert into casesheet.refused_patients (refused_until) values (now())',
    'delete from casesheet.refused_patients',
    'select from casesheet.erasures',
    'update casesheet.corrections set reason = reason',
    'delete from casesheet.corrections',
    'truncate casesheet.corrections',
    'update casesheet.grants set grant_id = grant_id',
    'update casesheet.grants set patient_uid = patient_uid',
    'update casesheet.grants set changed_at = now()',
    'delete from casesheet.grants',
    'delete from casesheet.grant_changes',
    'update casesheet.rules set rule_id = rule_id',
    'update casesheet.rules set version_id = version_id',
    'update casesheet.rules set patient_uid = patient_uid',
    'update casesheet.rules set set_at = now()',
    'delete from casesheet.rules',
    'delete from casesheet.rule_changes',
    'update casesheet.alert_events set why = why',
    'delete from casesheet.alert_events',
    'update casesheet.targets set target_id = target_id',
    'update casesheet.targets set patient_uid = patient_uid',
    'update casesheet.targets set set_at = now()',
    'delete from casesheet.targets',
    'delete from casesheet.target_changes',
    "update casesheet.looks set note = 'x'",
    'update casesheet.looks set at = now()',
    'delete from casesheet.looks',
    'update casesheet.readings set changed_xid = changed_xid',
    'update casesheet.readings set withdrawn_at = now()',
    'update casesheet.erasure_notices set patient_uid = null',
    'update casesheet.erasure_notices set announced_until = now()',
    "insert into casesheet.erasure_notices (erasure_id, announced_until) values (gen_random_uuid(), 'infinity')",
    'delete from casesheet.erasure_notices',
    'update casesheet.feed set generation = gen_random_uuid()',
    'delete from casesheet.feed',
    'delete from casesheet.feed_deliveries',
    "insert into appointments.specialities (speciality_id, title) values ('x', 'x')",
    'delete from appointments.doctors',
    'create table casesheet.mine (id integer)',
    'create schema mine',
    'create table public.mine (id integer)',
    'alter table casesheet.readings disable trigger all',
    'drop table casesheet.readings',
    'set role postgres',
    "copy casesheet.readings to program 'cat'",
    'insert into rounds.migration_files (name) values (null)',
  ]
  for (const attempt of attempts) await assert.rejects(runSql(serveUrl, attempt), { code: '42501' }, attempt)
})

const READING = [
  'patient_uid',
  'measured_at',
  'reading_id',
  'reading_type',
  'sent_timestamp',
  'details',
  'added_by',
]
const VALUES = "'p', now(), gen_random_uuid(), 'x', 1, '{}', 'test'"
const insertReading = (columns: string[], values: string) =>
  runSql(serveUrl, `insert into casesheet.readings (${columns.join()}) values (${values})`)

test('the serving role cannot say when a reading was received, and adds as every release does', async () => {
  await insertReading(READING, VALUES)
  await assert.rejects(insertReading([...READING, 'received_at'], `${VALUES}, '2001-01-01'`), {
    code: '42501',
  })
  await assert.rejects(insertReading([...READING, 'received_at'], `${VALUES}, now()`), { code: '42501' })
  const [row] = await runSql(
    ownerUrl,
    "select received_at > now() - interval '1 minute' as is_new from casesheet.readings",
  )
  assert.deepEqual(row, { is_new: true })
})

const logRead = (at: string, { requestId = 'r1', page = 0, patientUid = 'p' } = {}) =>
  runSql(
    serveUrl,
    `insert into casesheet.access_log
       (patient_uid, at, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
     values ($1, ${at}, 'readings/get', '-infinity', 'infinity', $2, $3, 'test', 'patient', 1)
     returning at::text as at`,
    [patientUid, requestId, page],
  )

test('the serving role cannot say when a read happened: it is now, or a later page of one that began so', async () => {
  const forged = [
    "'2001-01-01'",
    "now() - interval '1 microsecond'",
    "now() + interval '1 second'",
    "'infinity'",
  ]
  for (const at of forged) await assert.rejects(logRead(at), { code: '42501' }, at)
  const [first] = await logRead('now()')
  const began = `'${String(first?.['at'])}'`
  await logRead(began, { page: 1 })
  await logRead(began, { page: 2 })
  for (const other of [{ page: 0 }, { page: 1, requestId: 'r2' }, { page: 1, patientUid: 'q' }])
    await assert.rejects(logRead(began, other), { code: '42501' }, JSON.stringify(other))
  for (const at of forged) await assert.rejects(logRead(at, { page: 1 }), { code: '42501' }, at)
})

test('a role of the operator that was granted something on the log keeps it', async () => {
  const url = new URL(serveUrl)
  url.username = `${role}_reports`
  await runSql(ownerUrl, `create role ${url.username} login`)
  await runSql(ownerUrl, `grant usage on schema casesheet to ${url.username}`)
  await runSql(ownerUrl, `grant select, delete on casesheet.access_log to ${url.username}`)
  await logRead('now()', { patientUid: 'reported' })
  const select = "select patient_uid from casesheet.access_log where patient_uid = 'reported'"
  assert.equal((await runSql(url.href, select)).length, 1)
  await runSql(url.href, "delete from casesheet.access_log where patient_uid = 'reported'")
  assert.equal((await runSql(ownerUrl, select)).length, 0)
})
