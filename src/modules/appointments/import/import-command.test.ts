// `rounds directory import` as an operator meets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryFile } from '../../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { runCommand } from '../../../../test/support/process.ts'

const { ownerUrl, serveUrl } = await createDatabase()
const DOCTOR = { name: 'Dr. Fine (invented)', specialities: ['A'] }
const SAY = 'Say "rounds directory import FILE", with one file, or "rounds directory export --output FILE".'
const run = async (args: string[], databaseUrl = ownerUrl) =>
  runCommand(['directory', ...args], { DATABASE_URL: databaseUrl }).ended

test('the command imports a file and says what it did', async () => {
  const file = await directoryFile({ specialities: [{ title: 'B' }], doctors: [DOCTOR] })
  assert.deepEqual(await run(['import', '--dry-run', file]), {
    code: 0,
    output: `Nothing was changed. An import of this file would change:
  specialities  2 added, 0 changed, 0 unchanged
  doctors       1 added, 0 changed, 0 unchanged
Specialities added because doctors name them: "A"
`,
  })
  const first = await run(['import', file])
  assert.match(first.output, /^The file was imported:\n.*2 added, 0 changed, 0 unchanged\n/)
  const again = await run(['import', file])
  assert.deepEqual(again, {
    code: 0,
    output: `The file was imported:
  specialities  0 added, 0 changed, 1 unchanged
  doctors       0 added, 0 changed, 1 unchanged
`,
  })
})

test('mistakes in the file are reported with their place, and the exit code is 1', async () => {
  const file = await directoryFile({ doctors: [{ ...DOCTOR, experienceYears: -1 }] })
  assert.deepEqual(await run(['import', file]), {
    code: 1,
    output:
      'The directory was not changed. Fix these and import again:\n' +
      '  doctors[0].experienceYears must be a whole number from 0 to 100\n',
  })
})

test('what an operator can fix is a sentence and never a stack', async () => {
  const file = await directoryFile({ doctors: [DOCTOR] })
  const unmigrated = new URL(ownerUrl)
  unmigrated.pathname = 'postgres'
  const older = (await createDatabase()).ownerUrl
  await runSql(older, 'drop function appointments.list_doctors(text, text)')
  const cases: [string[], string, string][] = [
    [
      ['import', file],
      serveUrl,
      'The role of DATABASE_URL may not change the directory. Use the role that ran "rounds migrate".',
    ],
    [['import', file], unmigrated.href, 'The database has no directory yet. Run "rounds migrate" first.'],
    [['import', file], older, 'The database is older than this release. Run "rounds migrate" first.'],
    [
      ['import', file],
      'postgres://nobody@127.0.0.1:1/x',
      'The database cannot be reached, or the connection was lost. Import again: repeating an import is safe.',
    ],
    [['import', '/nowhere.json'], ownerUrl, 'The file /nowhere.json cannot be read.'],
    [['import', '/'], ownerUrl, 'The file / cannot be read.'],
    [
      ['import', file, '--dryrun'],
      ownerUrl,
      '"rounds directory" has no option "dryrun". "rounds directory --help" lists them.',
    ],
    [['import'], ownerUrl, SAY],
    [['import', file, file], ownerUrl, SAY],
    [['export', file], ownerUrl, SAY],
    [['export', '--dry-run'], ownerUrl, SAY],
    [['import', file, '--format', 'csv'], ownerUrl, SAY],
  ]
  for (const [args, databaseUrl, sentence] of cases) {
    assert.deepEqual(await run(args, databaseUrl), { code: 1, output: `${sentence}\n` })
  }
})

test('help says what the file looks like', async () => {
  const { code, output } = await run(['--help'])
  assert.equal(code, 0)
  assert.match(output, /FILE is JSON:[^]*DATABASE_URL/)
})
