// `rounds directory export`: what comes out goes in again without a change.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../../../../test/support/dev.ts'
import { fillDirectory, rowsOf } from '../../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { runCommand } from '../../../../test/support/process.ts'
import { importDirectory } from '../import/import-directory.ts'
import { exportDirectory } from './export-directory.ts'

const SAMPLES = join(import.meta.dirname, '../../../../samples')
const { ownerUrl, serveUrl } = await createDatabase()
const dir = temporaryDirectory()
const run = (args: string[], databaseUrl = ownerUrl) =>
  runCommand(['directory', 'export', ...args], { DATABASE_URL: databaseUrl }).ended
const UNCHANGED = { added: 0, changed: 0 }

async function exported(databaseUrl: string, format: 'json' | 'csv'): Promise<string> {
  let text = ''
  await exportDirectory({ databaseUrl, format, write: async (part) => void (text += part) })
  return text
}

/** Imports what was exported, into the same directory and into an empty one; no row of the first is written anew. */
async function assertRoundTrip(databaseUrl: string, format: 'json' | 'csv') {
  const text = await exported(databaseUrl, format)
  const before = await rowsOf(databaseUrl)
  const { specialities, doctors, emptied } = await fillDirectory(databaseUrl, text, format)
  for (const { added, changed } of [specialities, doctors]) assert.deepEqual({ added, changed }, UNCHANGED)
  assert.deepEqual([emptied, await rowsOf(databaseUrl)], [[], before])
  const other = await createDatabase()
  await fillDirectory(other.ownerUrl, text, format)
  assert.equal(await exported(other.ownerUrl, format), text)
}

const HOSTILE = [
  '"; drop table doctors; --',
  'O\'Brien, "Bob"',
  '=cmd|calc',
  '\\.',
  '\\N',
  'null',
  '"',
  'a,b;c|d',
  '{"x": 1}',
  'Zoe\u0308 \ud83e\ude7a 医者 \u0627\u0644\u0637\u0628\u064a\u0628',
  '#comment',
  'x'.repeat(200),
].map((name) => ({
  name,
  specialities: ['Ear, Nose & "Throat"', '| bars |', 'plain'],
  qualifications: ['a, b', '"quoted"', "d'e"],
  city: name.slice(0, 50),
  gender: name.slice(0, 20),
}))

test('the sample and hostile names come out as JSON and as CSV and go in again without a change', async () => {
  await importDirectory({ databaseUrl: ownerUrl, file: join(SAMPLES, 'directory.json') })
  await importDirectory({ databaseUrl: ownerUrl, file: join(SAMPLES, 'directory.csv') })
  await fillDirectory(ownerUrl, {
    specialities: [{ title: 'Unused', isActive: false, specialityId: 'own-id' }],
    doctors: [...HOSTILE, { name: 'Dr. Bare (invented)', specialities: [], isActive: false }],
  })
  const [row] = await runSql<{ count: number }>(
    ownerUrl,
    'select count(*)::int as count from appointments.doctors',
  )
  assert.equal(row?.count, 320 + 8 + HOSTILE.length + 1)
  await assertRoundTrip(ownerUrl, 'json')
  await assertRoundTrip(ownerUrl, 'csv')
})

test('the sample CSV says that its people are invented', () => {
  const [, ...lines] = readFileSync(join(SAMPLES, 'directory.csv'), 'utf8').trim().split('\n')
  assert.equal(lines.length, 8)
  for (const line of lines) assert.match(line, /\(invented\)/)
})

test('an empty directory comes out too, and a list item with a semicolon is for JSON only', async () => {
  const empty = await createDatabase()
  await assertRoundTrip(empty.ownerUrl, 'json')
  await fillDirectory(empty.ownerUrl, { doctors: [{ doctorId: 'd-1', name: 'A', specialities: ['x; y'] }] })
  // As a directory may have them from before such titles were refused.
  await runSql(
    empty.ownerUrl,
    "insert into appointments.specialities (speciality_id, title) values ('s-1', 'Eyes'), ('s-2', 'eyes')",
  )
  await assertRoundTrip(empty.ownerUrl, 'json')
  const file = join(dir, 'refused.csv')
  assert.deepEqual(await run(['--output', file], empty.ownerUrl), {
    code: 1,
    output:
      'CSV cannot hold the specialities of the doctor d-1: ";" stands between the items of a list. Use --format json.\n',
  })
  assert.equal(existsSync(file), false)
})

test('the command writes a new file, in the format of its name, or standard output', async () => {
  const csv = join(dir, 'doctors.csv')
  const json = join(dir, 'directory.json')
  assert.match((await run(['--output', csv])).output, /^Exported \d+ doctors to \S+\.csv\.\n$/)
  assert.match(
    (await run(['--output', json])).output,
    /^Exported \d+ doctors and \d+ specialities to \S+\.json\.\n$/,
  )
  assert.deepEqual(await run(['--format', 'csv']), { code: 0, output: readFileSync(csv, 'utf8') })
  assert.deepEqual(await run([]), { code: 0, output: readFileSync(json, 'utf8') })
  // The serving role may read the directory, and that is all this takes.
  assert.equal((await run([], serveUrl)).code, 0)
  const refusals: [string[], string][] = [
    [['--output', csv], `The file ${csv} cannot be made: it must not be there yet.`],
    [['--format', 'xml'], '--format must be json or csv.'],
    [
      ['--output', join(dir, 'x.csv'), '--format', 'json'],
      'The name of the file must end in .csv with --format csv, and only then.',
    ],
  ]
  for (const [args, sentence] of refusals)
    assert.deepEqual(await run(args), { code: 1, output: `${sentence}\n` })
  assert.deepEqual(await run([], 'postgres://nobody@127.0.0.1:1/none'), {
    code: 1,
    output: 'The database cannot be reached, or the connection was lost. Export again.\n',
  })
})
