// What hostile requests are sent to: `rounds serve` in a process with a small heap, patients whose readings are as large and
// as many as they may be, and a directory of invented doctors.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { importDirectory } from '../../src/modules/appointments/import/import-directory.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { writeInventedDirectory } from '../support/invented-directory.ts'
import { serveInProcess } from '../support/process.ts'
import { ALERT_ID, ALERTED } from './alert-cases.ts'

export const HEAP_MIB = 384
/** Of all rows: small in the lab's short form. */
const SHARE = Number(process.env['LIMITS_SHARE'] ?? 1)
const shareOf = (whole: number) => Math.ceil(SHARE * whole)
const DOCTORS = shareOf(120_000)
const FIRST_S = 1_700_000_000

export type LimitsStage = Awaited<ReturnType<typeof setLimitsStage>>

export async function setLimitsStage(settings: Record<string, string> = {}) {
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  const { ownerUrl } = database
  await storeWorstReadings(ownerUrl)
  await storeWorstLog(ownerUrl)
  await storeWorstGrants(ownerUrl)
  await storeWorstTargets(ownerUrl)
  await storeWorstLooks(ownerUrl)
  await storeWorstRules(ownerUrl)
  await storeWorstAlerts(ownerUrl)
  await storeWorstEndpoints(ownerUrl)
  await fillDirectory(ownerUrl)
  await runSql(ownerUrl, 'vacuum analyze')
  const server = await serveInProcess({
    DATABASE_URL: database.serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    ...settings,
  })
  const owner = new Client({ connectionString: ownerUrl, application_name: 'limits' })
  await owner.connect()
  /** A header with a new token; each has a subject of its own. */
  const bearer = async (claims: object) => ({ authorization: `Bearer ${await issuer.token({ ...claims })}` })
  async function strike() {
    server.child.kill('SIGTERM')
    await server.ended
    await owner.end()
    await issuer.stop()
  }
  return { ...database, issuer, server, owner, bearer, strike }
}

/** The endpoint with most of everything. */
export const ENDPOINT_ID = '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20'

/** 900 endpoints that are paused, as many of them with 1,000 patients as a page has, and two more, and a month of attempts. */
async function storeWorstEndpoints(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `insert into webhooks.endpoints
       (endpoint_id, url, description, events, reading_types, patient_uids, secret, key_id, added_by, state, paused_because, added_at)
     select case nth when 1 then '${ENDPOINT_ID}'::uuid else gen_random_uuid() end, 'https://receiver.invalid/' || nth,
       repeat('😀', 200), '{patient.erased}', array(select repeat(md5(type::text), 2) from generate_series(1, 50) type),
       case when nth <= 5 then
         array(select md5(nth || '-' || patient) || repeat('😀', 96) from generate_series(1, 1000) patient)
       end,
       '', '', 'limits', 'paused', 'asked', now() + nth * interval '1 millisecond'
     from generate_series(1, ${shareOf(900)}) nth`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.followers (name, generation, xid, id)
     select 'webhook:' || endpoint_id, generation, '0', gen_random_uuid()
     from webhooks.endpoints
     cross join casesheet.feed`,
  )
  await runSql(
    ownerUrl,
    `insert into webhooks.attempts (endpoint_id, at, event, status, error, changes, bytes, longest_ms, last_message_id)
     select '${ENDPOINT_ID}', date_trunc('minute', now()) - minute * interval '1 minute', 'readings.changed', 503, 'status', 1, 1, 1, repeat('m', 36)
     from generate_series(1, ${shareOf(43_000)}) minute`,
  )
}

/** Texts that do not compress, so that what is stored is as large as it looks. */
const text = (bytes: number) =>
  `(select string_agg(md5(seed || '-' || part), '') from generate_series(1, ${Math.ceil(bytes / 32)}) part)`

async function storeWorstReadings(ownerUrl: string) {
  const insert = (rows: string) =>
    runSql(
      ownerUrl,
      `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
       select uid, to_timestamp(at), gen_random_uuid(), type, at, details, 'limits'
       from (${rows}) as sent (uid, at, type, details)`,
    )
  // 300 readings of 64 KiB.
  await insert(`select 'large', ${FIRST_S} + seed, 'acme.large', json_build_object('text', ${text(65_000)})
                from generate_series(1, ${shareOf(300)}) seed`)
  // The same, full of what CSV and formulas must escape.
  await insert(`select 'quoted', ${FIRST_S} + seed, 'acme.quoted', json_build_object('text', repeat('";=', 21000))
                from generate_series(1, ${shareOf(300)}) seed`)
  // 200 types of 64 KiB.
  await insert(`select 'types', ${FIRST_S} + seed, 'acme.' || seed, json_build_object('text', ${text(65_000)})
                from generate_series(1, ${shareOf(200)}) seed`)
  // As many fields as fit into 64 KiB, in readings that were stored before fields were counted.
  await insert(`select 'fields', ${FIRST_S} + seed, 'acme.fields', (
                  select json_object_agg('f' || field, field) from generate_series(1, 4000) field
                )
                from generate_series(1, ${shareOf(200)}) seed`)
  // A reading every five minutes for a year; and one with a thousand short fields in each.
  await insert(`select 'year', ${FIRST_S} + 300 * seed, 'interstitialGlucose', '{"value":5.5,"unit":"mmol/L"}'::json
                from generate_series(1, ${shareOf(105_120)}) seed`)
  await insert(`select 'small', ${FIRST_S} + seed, 'heartRate', '{"value":72}'::json
                from generate_series(1, ${shareOf(20_000)}) seed`)
  // A year of readings that were all withdrawn, but for the oldest one.
  await insert(`select 'withdrawn', ${FIRST_S} + 300 * seed, 'interstitialGlucose', '{"value":5.5,"unit":"mmol/L"}'::json
                from generate_series(0, ${shareOf(105_120)}) seed`)
  await runSql(
    ownerUrl,
    `update casesheet.readings set withdrawn_by = 'limits', withdrawn_reason = repeat('x', 500) where patient_uid = 'withdrawn' and sent_timestamp > ${FIRST_S}`,
  )
  // The last in the sequence of changes: 300 readings of 64 KiB, then as many patients as one page may hold, twice.
  await insert(`select 'changed', ${FIRST_S} + seed, 'acme.large', json_build_object('text', ${text(65_000)})
                from generate_series(1, ${shareOf(300)}) seed`)
  await insert(`select 'one-of-many-' || seed, ${FIRST_S} + seed, 'heartRate', '{"value":72}'::json
                from generate_series(1, ${shareOf(2_000)}) seed`)
}

/** Cursors of readings/changes: behind which the readings of a patient come. */
export async function changesBefore({ ownerUrl, server, bearer }: LimitsStage, patientUid: string) {
  const headers = await bearer({ sub: 'consumer', scope: 'readings:changes' })
  const answer = await fetch(`${server.url}/casesheet/readings/changes?start=now`, { headers })
  const { nextCursor } = (await answer.json()) as { nextCursor: string }
  const [row] = await runSql<{ xid: string }>(
    ownerUrl,
    'select min(changed_xid::text::bigint) as xid from casesheet.readings where patient_uid = $1',
    [patientUid],
  )
  const [version, position = ''] = Buffer.from(nextCursor, 'base64url').toString().split(' ')
  const parts = position.split(',').with(3, String(row?.xid))
  return Buffer.from(`${version} ${parts.join()}`).toString('base64url')
}

/** 100,000 reads: many of one instant, with request ids that their caller chose alike, and with as many types as can be asked for. */
async function storeWorstLog(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, reading_types, readings_count)
     select 'log', to_timestamp(${FIRST_S} + read / 100), 'the-same', 0, 'reader-' || read, 'staff', 'readings/get', '-infinity',
       'infinity', case when read % 10 = 0 then (
         select array_agg(rpad('type-' || wanted, 64, 'x')) from generate_series(1, 50) wanted
       ) end, 1
     from generate_series(1, ${shareOf(100_000)}) read`,
  )
}

/** As many grants as a patient may give, each of as many types and as long a name as it may have; and doctors with 20,000 patients. */
async function storeWorstGrants(ownerUrl: string) {
  const insert = (rows: string) =>
    runSql(
      ownerUrl,
      `insert into casesheet.grants
         (patient_uid, doctor_id, permission, reading_types, valid_until, shared_as, list_key, changed_by)
       select uid, doctor, 'view', types, until, name, name, 'limits'
       from (${rows}) as given (uid, doctor, types, until, name)`,
    )
  const types = "(select array_agg(rpad('type-' || n, 64, 'x')) from generate_series(1, 50) n)"
  await insert(`select 'sharing', 'doctor-' || n, ${types}, 'infinity'::timestamptz, repeat('😀', 100)
                from generate_series(1, 100) n`)
  for (const [doctor, until] of [
    ['doctor', 'infinity'],
    ['formerDoctor', '2026-01-01'],
  ])
    await insert(`select 'shares-' || n, '${doctor}', null::text[], '${until}'::timestamptz, 'invented ' || md5(n::text)
                  from generate_series(1, ${shareOf(20_000)}) n`)
  await insert(`select uid, doctor, types, 'infinity'::timestamptz, 'invented' from (values
                  ('large', 'doctor', null),
                  ('types', 'doctor', (select array_agg('acme.' || n) from generate_series(1, 50) n)),
                  ('year', 'limitedDoctor', ${types}),
                  ('log', 'limitedDoctor', ${types})
                ) as given (uid, doctor, types)`)
  // A history as long as a patient may make it in some days.
  await runSql(
    ownerUrl,
    `insert into casesheet.grant_changes
       (patient_uid, grant_id, doctor_id, action, permission, reading_types, valid_until, shared_as, changed_by, changed_at)
     select 'sharing', gen_random_uuid(), 'doctor-1', 'change', 'view', ${types}, 'infinity', repeat('😀', 100), 'limits', now()
     from generate_series(1, ${shareOf(5_000)})`,
  )
}

/** Targets of many types and of two hundred doctors, each with the longest label, and a history as long as a patient may make it in some days. */
async function storeWorstTargets(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `insert into casesheet.targets (patient_uid, author_kind, author_id, reading_type, unit, fields, label, set_by)
     select 'sharing', 'patient', 'sharing', 'type-' || n, '%', ${FIELDS}, repeat('😀', 100), 'limits'
     from generate_series(1, 32) n
     union all
     select 'sharing', 'doctor', 'doctor-' || n, 'heartRate', '/min', ${FIELDS}, repeat('😀', 100), 'limits'
     from generate_series(1, 100) n
     union all
     select null, 'doctor', 'doctor-' || n, 'heartRate', '/min', ${FIELDS}, repeat('😀', 100), 'limits'
     from generate_series(1, 100) n`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.target_changes
       (at, target_id, author_kind, author_id, patient_uid, reading_type, action, unit, fields, label, by)
     select now(), gen_random_uuid(), 'patient', 'sharing', 'sharing', 'type-1', 'set', '%', ${FIELDS}, repeat('😀', 100), 'limits'
     from generate_series(1, ${shareOf(5_000)}) n`,
  )
}

const FIELDS = `'{"value": {"low": 1}}'::jsonb`

/** More looks at a patient than anybody takes, with the longest notes, most of them by other doctors than the limited one. */
async function storeWorstLooks(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, reading_types, list_key, changed_by)
     values ('reviewed', 'doctor', 'manage', null, '', 'limits'),
       ('reviewed', 'limitedDoctor', 'manage', '{heartRate}', '', 'limits')`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.looks
       (patient_uid, review_id, doctor_id, looked_by, seen_up_to, saw, acknowledged, note, visible_to, date_says)
     select 'reviewed', gen_random_uuid(), case n when 1 then 'limitedDoctor' else 'doctor' end, 'limits', n,
       array[repeat('x', 100)], '{}', repeat('😀', 1000), 'patient', 'keep'
     from generate_series(1, ${shareOf(5_000)}) n`,
  )
}

/** Fifty rules of a doctor for a patient, fifty of another for all, and a patient with a reading every two minutes. */
async function storeWorstRules(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
     values ('ruled', 'doctor', 'manage', '', 'limits'), ('full', 'doctor', 'manage', '', 'limits')`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, field, severity, terms, label, set_by)
     select gen_random_uuid(), 'doctor', doctor, uid, 'heartRate', 'value', 'warning',
       jsonb_build_object('unit', '/min', 'value', jsonb_build_object('above', 100 + n, 'times', 1)), repeat('😀', 50), 'limits'
     from (values ('doctor', 'full'), ('limitedDoctor', null)) as authors (doctor, uid), generate_series(1, 50) n`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, received_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'ruled', at, at, gen_random_uuid(), 'interstitialGlucose', extract(epoch from at),
       json_build_object('value', 4 + n / 10 % 2 * 2, 'unit', 'mmol/L'), 'limits'
     from (select n, now() - n * interval '2 minutes' as at from generate_series(1, ${shareOf(60_000)}) n) as times`,
  )
}

/**
 * An open alert of each of 10,000 patients; of one patient 50 that are open and 5,000 that are over, with the longest texts. They have no
 * rules, so nothing evaluates them.
 */
async function storeWorstAlerts(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, reading_types, list_key, changed_by)
     values ('${ALERTED}', 'doctor', 'manage', null, '', 'limits'), ('${ALERTED}', 'limitedDoctor', 'manage', '{heartRate}', '', 'limits')`,
  )
  const alerted = `select uid, n, case when n = 1 then '${ALERT_ID}' else gen_random_uuid() end as alert_id, now() - n * interval '1 hour' as at
    from (
      select '${ALERTED}' as uid, generate_series(1, 5050) as n
      union all
      select 'shares-' || n, -n from generate_series(1, ${shareOf(10_000)}) n
    ) as patients`
  await runSql(
    ownerUrl,
    `insert into casesheet.alerts (
       patient_uid, alert_id, rule_id, version_id, author_kind, author_id, reading_type, field, severity, kind, is_late, label, unit, "limit",
       beyond, since, since_id, opened_at, until, ended_at, ended_because, worst, newest, why, acknowledged_at, acknowledged_by
     )
     select uid, alert_id, gen_random_uuid(), gen_random_uuid(), 'doctor', 'another', 'bodyWeight', 'value', 'urgent', 'value', false,
       repeat('😀', 50), 'kg', 130, 1.012, at, gen_random_uuid(), at, ended, ended, case when n > 50 then 'values' end, reading, reading,
       repeat('Body weight 131.5 kg. ', 10), case when n <= 50 then at end, case when n <= 50 then 'limits' end
     from (
       select *, case when n > 50 then at end as ended, json_build_object(
           'readingId', gen_random_uuid(), 'value', 131.5, 'unit', 'kg', 'measuredAt', at, 'receivedAt', at
         ) as reading
       from (${alerted}) as alerted
     ) as alerted`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.alert_events
       (patient_uid, alert_id, rule_id, author_kind, author_id, event, is_announced, severity, reading_type, why, note, visible_to)
     select '${ALERTED}', '${ALERT_ID}', gen_random_uuid(), 'doctor', 'another', 'reopened', false, 'urgent', 'bodyWeight', 'It holds again.',
       repeat('😀', 500), 'patient'
     from generate_series(1, ${shareOf(5_000)})`,
  )
}

async function fillDirectory(ownerUrl: string) {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-limits-'))
  const file = join(dir, 'directory.json')
  await writeInventedDirectory(file, { doctors: DOCTORS, specialities: 1_000 })
  await importDirectory({ databaseUrl: ownerUrl, file })
  await rm(dir, { recursive: true })
}
