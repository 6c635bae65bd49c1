// What readings, reads, lists and alerts take on disk, with every module switched on. Rows are inserted in the order of their times
// under all indexes, with ids as long and as random as those that issuers give, so that pages are filled as they are in production.
import { setTimeout as pause } from 'node:timers/promises'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { untilMade } from './patient-list.ts'
import type { Database, Stage } from './stage.ts'

const DOCTOR = 'bench-of-storage'
/** Each has a target and a rule, and is in the list of the doctor. */
export const LISTED = 1_000
/** A value beyond the bound of the rule, then one within it: an alert that opens and is resolved. */
const HOURS_BETWEEN_ALERTS = 20
const READS = { hours: 50 }
const TYPES = ['heartRate', 'respiratoryRate', 'oxygenSaturation', 'acme.steps']
const WAIT_MS = 600_000

type Size = { patients: number; hours: number }

/** An hour after the other, up to now: a reading of each patient. */
export async function loadPatients(database: Database, { patients, hours }: Size) {
  for (let hour = 0; hour < hours; hour++)
    await database.sql(
      `insert into casesheet.readings
         (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, added_by)
       select uid, to_timestamp(at), gen_random_uuid(),
         case when patient < ${LISTED} then 'heartRate' else ($4::text[])[1 + (hour * 7919 + patient) % 4] end,
         at, json_build_object('value', case when hour % ${HOURS_BETWEEN_ALERTS} = 7 then 140 else 72 end),
         to_timestamp(at), null
       from (select $3::integer as hour) as one
       cross join generate_series(0, $1::integer - 1) as patient
       cross join lateral (
         select md5('storage-' || patient)::uuid::text as uid,
           floor(extract(epoch from now())) - ($2::integer - hour) * 3600 + patient % 3600 as at
       ) as reading`,
      [patients, hours, hour, TYPES],
    )
  for (let hour = 0; hour < READS.hours; hour++)
    await database.sql(
      `insert into casesheet.access_log
         (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
       select md5('storage-' || patient)::uuid::text, at, gen_random_uuid()::text, 0, md5('storage-' || patient)::uuid::text,
         'patient', 'readings/get', at - interval '1 day', at, 20
       from generate_series(0, $1::integer - 1) as patient
       cross join lateral (select now() - make_interval(hours => ${READS.hours} - $2::integer) as at) as read`,
      [patients, hour],
    )
  await database.sql('vacuum analyze casesheet.readings, casesheet.access_log')
}

/** How many times smaller the files of readings become: by a file system (zstd, 128 KiB at a time), and in a backup (gzip). */
export async function measureCompression(database: Database) {
  // Pages that were never written out are zeros in the file.
  await database.sql('checkpoint')
  const files = await database.sql<{ path: string; size: number }>(`
    select pg_relation_filepath(oid) as path, pg_relation_size(oid)::float8 as size
    from pg_class
    where oid = any (array['casesheet.readings_0'::regclass, 'casesheet.readings_1'::regclass]::oid[])
      or oid in (
        select indexrelid
        from pg_index
        where indrelid in ('casesheet.readings_0'::regclass, 'casesheet.readings_1'::regclass)
      )`)
  const block = 128 * 1_024
  const total = { plain: 0, zstd: 0, gzip: 0 }
  for (const { path, size } of files)
    for (let offset = 0; offset < size; offset += block) {
      const [row] = await database.sql<{ bytes: Buffer }>(
        'select pg_read_binary_file($1, $2::bigint, $3::bigint) as bytes',
        [path, offset, block],
      )
      if (!row) throw new Error(`PostgreSQL did not read ${path}.`)
      total.plain += row.bytes.length
      total.zstd += zstdCompressSync(row.bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }).length
      total.gzip += gzipSync(row.bytes, { level: 6 }).length
    }
  const times = (bytes: number) => Number((total.plain / bytes).toFixed(1))
  return { fileSystem: times(total.zstd), backup: times(total.gzip) }
}

/** Bytes on disk of a patient in a doctor's list, with a target and a rule; and of an alert with what became of it. */
export async function measureCare(stage: Stage, database: Database) {
  const before = await sizeOfCare(database)
  const listed = `select md5('storage-' || n)::uuid::text as uid from generate_series(0, ${LISTED - 1}) as n`
  await database.sql(`
    insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
    select uid, '${DOCTOR}', 'manage', uid, uid from (${listed}) as listed;
    insert into casesheet.targets (patient_uid, author_kind, author_id, reading_type, unit, fields, expect_every, set_by)
    select uid, 'doctor', '${DOCTOR}', 'heartRate', '/min', '{"value": {"low": 60, "high": 120, "actAbove": 130}}', 'P1D', 'bench'
    from (${listed}) as listed;
    insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, field, severity, terms, set_by)
    select gen_random_uuid(), 'doctor', '${DOCTOR}', uid, 'heartRate', 'value', 'warning',
      '{"unit": "/min", "value": {"above": 130, "times": 1}}', 'bench'
    from (${listed}) as listed;
    update casesheet.grants set given_at = given_at - interval '30 days';
    update casesheet.rules set version_at = version_at - interval '30 days'`)
  await stage.startServer(['src/cli.ts', 'serve'], {
    DATABASE_URL: database.url,
    MODULES: 'casesheet,care',
    ALERTS: 'on',
  })
  await untilMade(database, LISTED)
  await untilEvaluated(database)
  const [after, [alerts]] = [
    await sizeOfCare(database),
    await database.sql<{ count: number }>('select count(*)::float8 as count from casesheet.alerts'),
  ]
  const count = alerts?.count ?? 0
  if (count < LISTED) throw new Error(`There are ${count} alerts, fewer than patients.`)
  return {
    listedPatient: Math.round((after.lists - before.lists) / LISTED),
    alert: Math.round((after.alerts - before.alerts) / count),
  }
}

/** Until every rule has looked at every reading. */
async function untilEvaluated(database: Database) {
  for (const end = Date.now() + WAIT_MS; ; await pause(500)) {
    if (Date.now() > end) throw new Error('The alerts were not made in ten minutes.')
    const [left] = await database.sql<{ is_done: boolean }>(
      'select exists (select from casesheet.alerts) and not exists (select from care.alert_marks) as is_done',
    )
    if (left?.is_done) return
  }
}

async function sizeOfCare(database: Database): Promise<{ lists: number; alerts: number }> {
  const [size] = await database.sql<{ lists: number; alerts: number }>(`
    select
      sum(pg_total_relation_size(oid)) filter (where oid not in (${ALERTS}))::float8 as lists,
      sum(pg_total_relation_size(oid)) filter (where oid in (${ALERTS}))::float8 as alerts
    from pg_class
    where relkind = 'r'
      and (
        relnamespace = 'care'::regnamespace
        or oid in (
          'casesheet.grants'::regclass, 'casesheet.grant_changes'::regclass, 'casesheet.targets'::regclass,
          'casesheet.target_changes'::regclass, 'casesheet.rules'::regclass, 'casesheet.rule_changes'::regclass, ${ALERTS}
        )
      )`)
  return size ?? { lists: Number.NaN, alerts: Number.NaN }
}

const ALERTS = "'casesheet.alerts'::regclass, 'casesheet.alert_events'::regclass"
