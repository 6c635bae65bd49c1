// Bytes on disk of a reading, by table and index, and bytes of WAL of an add. They do not depend on how busy the machine is.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Database, setStage } from '../../bench/stage.ts'
import { measureAdds } from '../../bench/wal.ts'

const PATIENTS = 1_000
/** One reading of each patient an hour. */
const HOURS = Number(process.env['BYTES_HOURS'] ?? 1_200)
const MAX_BYTES = Number(process.env['BYTES_MAX'] ?? 520)
const MAX_WAL = 3_000
const TYPES = ['heartRate', 'respiratoryRate', 'oxygenSaturation', 'acme.steps']

const stage = await setStage()
after(stage.strike)

test('a reading takes little more than its text on disk, in the table and each index', async (t) => {
  const database = await stage.createDatabase('bytes', {})
  await loadHours(database)
  const sizes = await bytesOfReading(database)
  await database.sql('reindex table casesheet.readings')
  const packed = await bytesOfReading(database)
  for (const [name, bytes] of sizes)
    t.diagnostic(`${name}: ${bytes.toFixed(0)} bytes a reading, ${packed.get(name)?.toFixed(0)} packed`)
  const total = sum(sizes)
  t.diagnostic(
    `a reading: ${total.toFixed(0)} bytes, of which ${(total - sum(packed)).toFixed(0)} are the empty halves of index pages`,
  )
  assert.ok(total <= MAX_BYTES, `${total} bytes`)
})

test('an add writes little to the WAL, where each patient adds 20 readings a day', async (t) => {
  const { first, ofDay, of20 } = await measureAdds(stage)
  t.diagnostic(
    `WAL of an add: ${ofDay.toFixed(0)} bytes, ${first.toFixed(0)} of the first one since a checkpoint, ${of20.toFixed(0)} of a reading with 19 others`,
  )
  assert.ok(ofDay <= MAX_WAL, `${ofDay} bytes`)
})

/** An hour after the other, so that pages are filled as they are in production. */
async function loadHours(database: Database) {
  for (let hour = 0; hour < HOURS; hour++)
    await database.sql(
      `insert into casesheet.readings
         (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, added_by)
       select uid, to_timestamp(at), gen_random_uuid(), ($3::text[])[1 + ($2::integer * 7919 + patient) % 4], at, '{"value":72}',
         to_timestamp(at), null
       from generate_series(1, $1::integer) as patient
       cross join lateral (
         select md5('bytes-' || patient)::uuid::text as uid, 1700000000 + $2 * 3600 + patient * 7919 % 3600 as at
       ) as reading`,
      [PATIENTS, hour, TYPES],
    )
}

/** The table under its own name, and each index. */
async function bytesOfReading(database: Database): Promise<Map<string, number>> {
  const rows = await database.sql<{ name: string; bytes: number }>(
    `select parent.relname as name, (sum(pg_table_size(leaf.relid)) / $1::float8)::float8 as bytes
     from pg_class as parent
     cross join lateral pg_partition_tree(parent.oid) as leaf
     where leaf.isleaf
       and (
         parent.oid = 'casesheet.readings'::regclass
         or parent.oid in (select indexrelid from pg_index where indrelid = 'casesheet.readings'::regclass)
       )
     group by parent.oid
     order by parent.oid`,
    [PATIENTS * HOURS],
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

const sum = (sizes: Map<string, number>) => [...sizes.values()].reduce((total, bytes) => total + bytes, 0)
