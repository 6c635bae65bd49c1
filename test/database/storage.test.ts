import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDatabase, runSql } from '../support/harness.ts'

const { ownerUrl, serveUrl } = await createDatabase()

test('readings, corrections and access log are each divided by patient into 32', async () => {
  const rows = await runSql(
    ownerUrl,
    `select parent.relname as name, pg_get_partkeydef(parent.oid) as key, count(*)::int as partitions
     from pg_inherits
     join pg_class parent on parent.oid = inhparent
     where parent.relkind = 'p'
     group by parent.oid
     order by parent.relname`,
  )
  assert.deepEqual(rows, [
    { name: 'access_log', key: 'HASH (patient_uid)', partitions: 32 },
    { name: 'corrections', key: 'HASH (patient_uid)', partitions: 32 },
    { name: 'readings', key: 'HASH (patient_uid)', partitions: 32 },
  ])
})

test('one index of one partition answers a range, whatever the history', async () => {
  await runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n % 500, to_timestamp(n), gen_random_uuid(), 'x', n, '{}', 'test'
     from generate_series(1, 50000) n`,
  )
  await runSql(ownerUrl, 'analyze casesheet.readings')
  const plan = await runSql<{ 'QUERY PLAN': string }>(
    serveUrl,
    `explain select reading_id from casesheet.readings
     where patient_uid = 'p7' and (measured_at, reading_id) > ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
     order by measured_at, reading_id
     limit 20`,
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(text, /Index (Only )?Scan using readings_\d+_pkey/)
  assert.doesNotMatch(text, /Seq Scan|Sort|Append/)
})

test('docs/tables.md names every table once and no other, and only columns that are there', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/tables.md'), 'utf8')
  const items = document.split(/\n(?=- |\n)/).filter((item) => item.startsWith('- **'))
  const named = items.flatMap((item) => [...item.matchAll(/\*\*(\w+)\*\*/g)].map(([, table = '']) => table))
  const stored = await runSql<{ table: string; columns: string[] }>(
    ownerUrl,
    `select relname as table, array_agg(attname::text) as columns
     from pg_class
     join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace in ('appointments'::regnamespace, 'care'::regnamespace, 'casesheet'::regnamespace, 'webhooks'::regnamespace)
       and relkind in ('r', 'p')
       and not relispartition
     group by relname
     order by relname collate "C"`,
  )
  assert.deepEqual(
    named.toSorted(),
    stored.map(({ table }) => table),
  )
  const columnsOf = new Map(stored.map(({ table, columns }) => [table, columns]))
  const shown = items.flatMap((item) => {
    const [, table = '', columns = ''] = /^- \*\*(\w+)\*\*(?: \([^)]*\))?:(.*)$/s.exec(item) ?? []
    return [...columns.replace(/ \([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, column = '']) => ({
      table,
      column,
    }))
  })
  assert.ok(shown.length > 35)
  assert.deepEqual(
    shown.filter(({ table, column }) => !columnsOf.get(table)?.includes(column)),
    [],
  )
})
