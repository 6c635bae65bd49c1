import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDatabase, runSql } from '../../test/support/harness.ts'
import { runCommand } from '../../test/support/process.ts'
import { sizeOf as sizeWith } from './sizing.ts'
import measured from './sizing-figures.json' with { type: 'json' }

const demand = {
  patients: 10_000_000,
  readingsPerDay: 20,
  readingsPerAdd: 1,
  readsPerDay: 2,
  years: 1,
  hasFhir: false,
}

const sizeOf = (wanted: typeof demand) => sizeWith(wanted, measured.disk.bytes)

test('the bytes of WAL that are calculated are those that were measured', () => {
  const { usual, withFhir } = measured.wal
  for (const [hasFhir, { adds }] of [[false, usual] as const, [true, withFhir] as const])
    for (const { betweenCheckpoints, bytes } of adds) {
      const { walBytesPerAdd } = sizeOf({ ...demand, hasFhir, readingsPerDay: betweenCheckpoints * 12 })
      assert.ok(Math.abs(walBytesPerAdd / bytes - 1) < 0.06, `${walBytesPerAdd} where ${bytes} were measured`)
    }
})

test('the index of FHIR takes disk and memory, where FHIR is served', () => {
  const [without, served] = [sizeOf(demand), sizeOf({ ...demand, hasFhir: true })]
  assert.equal(served.disk.indexes - without.disk.indexes, without.readings * measured.disk.bytes.fhirIndex)
  assert.ok(served.leafBytes > without.leafBytes)
})

test('what is kept longer takes more disk, and then more clusters', () => {
  const million = { ...demand, patients: 1_000_000 }
  const [one, fifty] = [sizeOf(million), sizeOf({ ...million, years: 50 })]
  assert.equal(fifty.disk.rows, 50 * one.disk.rows)
  assert.equal(one.clusters, 1)
  assert.ok(fifty.clusters > 1 && fifty.cost > one.cost)
})

test('a cluster has memory for the index pages that adds change', () => {
  for (const patients of [1_000, 1_000_000, 7_000_000, 10_000_000, 100_000_000]) {
    const { leafBytes, clusters, postgres } = sizeOf({ ...demand, patients })
    assert.ok(leafBytes / clusters <= postgres.memory * 1e9, `${patients} patients`)
  }
})

test('readings that are sent together take less WAL and CPU', () => {
  const [alone, together] = [sizeOf(demand), sizeOf({ ...demand, readingsPerAdd: 20 })]
  assert.ok(together.walBytesPerDay < alone.walBytesPerDay / 2)
  assert.ok(together.cores.rounds < alone.cores.rounds)
})

test('the smallest and the largest demand have an answer', () => {
  const least = sizeOf({ ...demand, patients: 1, readingsPerDay: 1, readingsPerAdd: 1_000, readsPerDay: 0 })
  const most = sizeOf({
    patients: 9_999_999_999,
    readingsPerDay: 100_000,
    readingsPerAdd: 1,
    readsPerDay: 100_000,
    years: 100,
    hasFhir: true,
  })
  for (const value of [...Object.values(least), ...Object.values(most)])
    if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0)
  assert.equal(least.clusters, 1)
})

test('a clinic fits one machine, a country does not, and every part of the disk is in the sum', () => {
  const [clinic, country] = [sizeOf({ ...demand, patients: 2_000, years: 10 }), sizeOf(demand)]
  assert.equal(clinic.machine?.cores, 2)
  assert.equal(country.machine, undefined)
  assert.ok(country.clusters > 1)
  const sum = Object.values(country.disk).reduce((total, part) => total + part, 0)
  assert.equal(sum, country.diskBytes)
})

test('--json has what was demanded, calculated, assumed and measured', async () => {
  const { code, output } = await runCommand(['sizing', '--patients', '2000', '--json']).ended
  assert.equal(code, 0, output)
  const printed = JSON.parse(output)
  assert.deepEqual(printed.demand, { ...demand, patients: 2_000 })
  assert.deepEqual(printed.size, JSON.parse(JSON.stringify(sizeOf(printed.demand))))
  assert.deepEqual(printed.bytes, measured.disk.bytes)
  assert.deepEqual(printed.measured, measured)
})

test('--measure takes the bytes of the files of a database, also those of pages that are half empty', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  const measure = (url: string, ...options: string[]) =>
    runCommand(['sizing', '--patients', '2000', '--measure', '--json', ...options], { DATABASE_URL: url })
      .ended
  const empty = await measure(ownerUrl)
  assert.equal(empty.code, 1)
  assert.match(empty.output, /^The database has fewer than 100000 readings/)
  assert.match((await measure(serveUrl)).output, /^The role ".*" may not do this/)
  await runSql(
    ownerUrl,
    `insert into casesheet.readings
       (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, added_by)
     select 'patient-' || number % 1000, to_timestamp(number), gen_random_uuid(), 'heartRate', number,
       '{"value":72}', now(), 'patient-' || number % 1000
     from generate_series(1, 200000) as number`,
  )
  const bytesOf = async () => {
    const { code, output } = await measure(ownerUrl)
    assert.equal(code, 0, output)
    return JSON.parse(output).bytes as typeof measured.disk.bytes
  }
  const full = await bytesOf()
  const [files] = await runSql<{ bytes: number }>(
    ownerUrl,
    `select sum(pg_total_relation_size(oid))::float8 as bytes
     from pg_class
     where relkind = 'r' and relname ~ '^readings_[0-9]+$'`,
  )
  const bytes = (files?.bytes ?? 0) / 200_000
  // Each of the three is rounded.
  assert.ok(
    Math.abs(full.row + full.indexes + full.fhirIndex - bytes) <= 1.5,
    JSON.stringify({ full, bytes }),
  )
  // No read was logged.
  assert.equal(full.read, measured.disk.bytes.read)
  await runSql(ownerUrl, 'delete from casesheet.readings where measured_at <= to_timestamp(100000)')
  const half = await bytesOf()
  assert.ok(half.row > 1.9 * full.row && half.indexes > 1.9 * full.indexes)
})

test('the table of docs/scale.md has what the command prints for ten years', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8')
  const rows = [...document.matchAll(/^\| *([\d,]+) \|(.*)\|$/gm)]
  assert.ok(rows.length >= 4)
  for (const [row, patients = '', cells = ''] of rows) {
    const args = ['--patients', patients.replaceAll(',', ''), '--years', '10']
    const { output } = await runCommand(['sizing', ...args]).ended
    for (const cell of cells.split('|'))
      assert.ok(output.includes(cell.trim()), `${row} where it prints\n${output}`)
  }
})

test('a demand that is incomplete or out of range is refused in a sentence', async () => {
  for (const { options, message } of [
    { options: ['--years', '5'], message: 'Say "rounds sizing --patients N".\n' },
    {
      options: ['--patients', '0', '--readings-per-day', '1'],
      message: '--patients must be a whole number from 1 to 9999999999.\n',
    },
  ]) {
    const { code, output } = await runCommand(['sizing', ...options]).ended
    assert.deepEqual([code, output], [1, message])
  }
})
