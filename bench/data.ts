// The data that the bench runs on: invented, and saying so. Readings arrive in order of time, so those of one patient lie
// scattered among those of others, as they would in practice.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './stage.ts'

export const PATIENTS = 100_000
/** Those whose ranges are read; each has a reading a minute. All others share the remaining readings. */
export const WATCHED = { patients: 40, each: 10_000 }
export const FIRST_S = 1_600_000_000
export const SPACING_S = 60
/** Those with a long history: a reading every five minutes for a year, and types that were not measured since its first hour. */
export const LONG = { patients: 4, each: 100_000, spacingS: 300 }
const LONG_END_S = FIRST_S + LONG.each * LONG.spacingS
export const LAST_90_DAYS = { from: LONG_END_S - 90 * 86_400, to: LONG_END_S }

export const COLUMNS =
  'patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, added_by'

/** Fills a database with `total` readings by COPY, in two streams. */
export async function loadReadings(database: Database, total: number, onProgress: (share: number) => void) {
  await withoutIndexes(database, () => copyReadings(database, total, onProgress))
  await database.sql('vacuum analyze casesheet.readings')
  await database.sql('checkpoint')
}

/** The keys and indexes of readings are made after the work, which is faster. */
export async function withoutIndexes(database: Pick<Database, 'sql'>, work: () => Promise<void>) {
  const indexes = await database.sql<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index
    where indrelid = 'casesheet.readings'::regclass
      and not indisprimary`)
  await database.sql('alter table casesheet.readings drop constraint readings_pkey')
  for (const { name } of indexes) await database.sql(`drop index ${name}`)
  await work()
  const made = [
    'alter table casesheet.readings add primary key (patient_uid, measured_at, reading_id)',
    ...indexes.map(({ definition }) => definition),
  ]
  for (const text of made) await database.sql(`set maintenance_work_mem = '2GB'; ${text}`)
}

async function copyReadings(database: Database, total: number, onProgress: (share: number) => void) {
  let minutesDone = 0
  const streams = [0, 1].map(async (remainder) => {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const minutes = function* () {
      for (let minute = remainder; minute < WATCHED.each; minute += 2) {
        yield minuteOfReadings(minute, total)
        onProgress(++minutesDone / WATCHED.each)
      }
    }
    await pipeline(
      Readable.from(minutes(), { highWaterMark: 2 }),
      client.query(copyFrom(`copy casesheet.readings (${COLUMNS}) from stdin`)),
    )
    await client.end()
  })
  await Promise.all(streams)
}

function minuteOfReadings(minute: number, total: number): string {
  const at = FIRST_S + minute * SPACING_S
  const received = new Date(at * 1_000).toISOString()
  const lines: string[] = []
  const add = (patient: string, seconds: number) =>
    lines.push(
      `${patient}\t${new Date(seconds * 1_000).toISOString()}\t${crypto.randomUUID()}\theartRate\t${seconds}\t{"value":72}\t${received}\tbench\n`,
    )
  for (let patient = 0; patient < WATCHED.patients; patient++) add(`watched-${patient}`, at)
  const others = total / WATCHED.each - WATCHED.patients
  for (let n = 0; n < others; n++) add(`p-${(minute * others + n) % PATIENTS}`, at + (n % SPACING_S))
  return lines.join('')
}

/** What the devices of a patient with a long history send in an hour. */
const HOUR_OF_TYPES = [
  ...Array<string>(6).fill('heartRate'),
  ...Array<string>(4).fill('interstitialGlucose'),
  'oxygenSaturation',
  'respiratoryRate',
]

/** The types that were sent in the first hour of a long history and never again. */
const OLD_TYPES = Array.from({ length: 12 }, (_, index) => `acme.type-${index + 1}`)
export const TYPES_OF_LONG = [...new Set([...OLD_TYPES, ...HOUR_OF_TYPES])]

/** Adds the long histories, in no order, so that a reading does not lie beside the one before it. */
export async function loadLongHistories(database: Database) {
  await database.sql(
    `insert into casesheet.readings (${COLUMNS})
     select 'long-' || patient, to_timestamp(at), gen_random_uuid(), type, at, json_build_object('value', 4 + nth * 7919 % 900 / 100.0), now(), 'bench'
     from generate_series(0, $1::int - 1) as patient
     cross join generate_series(1, $2::int) as nth
     cross join lateral (
       select $3::int + nth * $4::int as at,
         coalesce(($6::text[])[nth], ($5::text[])[1 + nth % 12]) as type
     ) as reading
     order by random()`,
    [LONG.patients, LONG.each, FIRST_S, LONG.spacingS, HOUR_OF_TYPES, OLD_TYPES],
  )
  await database.sql('vacuum analyze casesheet.readings')
}

/** With whom the watched patients share, and so many others. */
export const DOCTOR = 'bench-1'
export const PATIENTS_OF_DOCTOR = 10_000

export async function loadGrants(database: Database) {
  await database.sql(
    `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
     select uid, $1, 'view', name, lower(name), uid
     from (
       select case when n < $2 then 'watched-' else 'p-' end || n, 'Invented ' || md5(n::text)
       from generate_series(0, $3 - 1) n
     ) as sharing (uid, name)`,
    [DOCTOR, WATCHED.patients, PATIENTS_OF_DOCTOR],
  )
  await database.sql('vacuum analyze casesheet.grants')
}

export const SPECIALITIES = 50

export async function loadDirectory(database: Database, doctors: number) {
  await database.sql(`
    insert into appointments.specialities (speciality_id, title)
    select 'bench-' || n, 'Invented Speciality ' || n from generate_series(0, ${SPECIALITIES} - 1) n`)
  // Indexes of parts are made after the rows, which is faster.
  const parts = await database.sql<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     join pg_class on pg_class.oid = indexrelid
     join pg_am on pg_am.oid = relam
     where indrelid = 'appointments.doctors'::regclass
       and amname = 'gin'`,
  )
  for (const { name } of parts) await database.sql(`drop index ${name}`)
  await database.sql(
    `insert into appointments.doctors (doctor_id, name, name_key, languages, language_keys, city, city_key)
     select 'bench-' || n, 'Dr. Invented ' || md5(n::text), 'dr. invented ' || md5(n::text), '{en}', '{en}', 'Sample City', 'sample city'
     from generate_series(1, $1::int) n`,
    [doctors],
  )
  for (const { definition } of parts) await database.sql(`set maintenance_work_mem = '2GB'; ${definition}`)
  await database.sql(`
    insert into appointments.doctor_specialities (speciality_id, name_key, doctor_id, position)
    select 'bench-' || row_number() over () % ${SPECIALITIES}, name_key, doctor_id, 0 from appointments.doctors`)
  // As an import ends.
  await database.sql('select appointments.list_doctors()')
  await database.sql(
    'vacuum (analyze) appointments.doctors, appointments.doctor_specialities, appointments.specialities, appointments.listed_doctors',
  )
}

/** What a reading takes on disk, in bytes, in the table and in its indexes. */
export async function bytesPerReading(database: Database): Promise<{ table: number; index: number }> {
  const [sizes] = await database.sql<{ table: number; index: number }>(`
    select sum(pg_table_size(oid)) / sum(reltuples) as table, sum(pg_indexes_size(oid)) / sum(reltuples) as index
    from pg_class
    where relkind = 'r' and oid in (select relid from pg_partition_tree('casesheet.readings'))`)
  return { table: Number(sizes?.table), index: Number(sizes?.index) }
}
