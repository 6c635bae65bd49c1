// `rounds import` as a person runs it: a real server, database and issuer. All files are invented.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../support/process.ts'
import { startStage } from '../support/simulate-stage.ts'

const stage = await startStage()
const directory = mkdtempSync(join(tmpdir(), 'rounds-import-'))
after(() => rmSync(directory, { recursive: true }))

function fileOf(name: string, content: string): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

const run = (args: string[], environment: Record<string, string> = stage.environment) =>
  runCommand(['import', ...args, '--url', stage.url], environment).ended

const entry = (minutes: number, sgv: number) => ({
  type: 'sgv',
  sgv,
  date: 1_770_000_000_000 + minutes * 60_000,
  device: 'invented',
})
const ENTRIES = fileOf(
  'entries.json',
  JSON.stringify([entry(0, 118), entry(5, 5), { type: 'cal', slope: 1 }, entry(10, 1_200)]),
)

test('it says what the file holds, adds it once the person agrees, and stores nothing the second time', async () => {
  const dry = await run([ENTRIES, '--patient', 'invented-1', '--dry-run'])
  assert.equal(dry.code, 0, dry.output)
  assert.match(dry.output, /^This is entries of Nightscout\.$/m)
  assert.match(dry.output, /^ {2}interstitialGlucose {2}mg\/dL {9}2 {2}2026-02-02 {2}2026-02-02$/m)
  assert.match(dry.output, /^Not understood, and left out:\n +1 {2}cal$/m)
  assert.match(
    dry.output,
    /^ +1 {2}It is an error code of the sensor \(below 39\), and no value\. \(entry 2: 5\)$/m,
  )
  assert.match(dry.output, /^Nothing was added\.$/m)
  const unasked = await run([ENTRIES, '--patient', 'invented-1'])
  assert.equal(unasked.code, 1)
  assert.match(unasked.output, /stdin is not a terminal: pass --yes to confirm\.$/m)
  assert.equal(await stage.countStored(), 0)

  const first = await run([ENTRIES, '--patient', 'invented-1', '--yes'])
  assert.match(
    first.output,
    /^1 reading stored, 0 there already, 1 refused\.\nRefused, among others:\n {2}line 4: .*value.*$/m,
  )
  assert.equal(first.code, 1, 'the service refused one')
  const again = await run([ENTRIES, '--patient', 'invented-1', '--yes'], {
    ROUNDS_TOKEN: await stage.token({ patientUids: ['invented-1'] }),
  })
  assert.match(again.output, /^0 readings stored, 1 there already, 1 refused\.$/m)
  assert.equal(await stage.countStored(), 1)
  assert.doesNotMatch(first.output + again.output, /eyJ/)
})

test('what is missing or wrong is a sentence, and nothing is added', async () => {
  const header =
    'Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL,,,,,,,,,Strip Glucose mg/dL,Ketone mmol/L'
  const libre = fileOf('libre.csv', `Glucose Data\n${header}\nLibre,1,02-03-2026 08:00,0,104,,,,,,,,,,,\n`)
  const before = await stage.countStored()
  const cases: [args: string[], message: RegExp][] = [
    [[], /^Say "rounds import FILE --patient UID"/m],
    [[ENTRIES], /^Say "rounds import FILE --patient UID"/m],
    [
      ['nowhere.zip', '--patient', 'invented-1'],
      /^The file nowhere\.zip cannot be read: it is not there\.$/m,
    ],
    [[directory, '--patient', 'invented-1'], /cannot be read: it is no file\.$/m],
    [
      [fileOf('x.txt', 'hello'), '--patient', 'invented-1'],
      /^The file is none of these: export\.zip of Apple Health/m,
    ],
    [
      [libre, '--patient', 'invented-1', '--yes'],
      /^The times of this file are local\. Say with --zone.*\nIts dates can be read in two ways/m,
    ],
    [
      [libre, '--patient', 'invented-1', '--day-first', '--month-first'],
      /^Say either --day-first or --month-first\.$/m,
    ],
    [[libre, '--patient', 'invented-1', '--zone', 'Mars/Base'], /^This time zone is not known\./m],
    [
      [fileOf('empty.json', '[]'), '--patient', 'invented-1', '--yes'],
      /^The file holds nothing that can be added\.$/m,
    ],
  ]
  for (const [args, message] of cases) {
    const { code, output } = await run(args)
    assert.equal(code, 1, output)
    assert.match(output, message)
    assert.doesNotMatch(output, /\n {4}at /)
  }
  const { code, output } = await run([ENTRIES, '--patient', 'invented-2', '--yes'], {
    ROUNDS_TOKEN: await stage.token({ patientUids: ['invented-1'] }),
  })
  assert.equal(code, 1, output)
  assert.equal(await stage.countStored(), before)
  const added = await run([
    libre,
    '--patient',
    'invented-3',
    '--zone',
    'Europe/Berlin',
    '--day-first',
    '--yes',
  ])
  assert.equal(added.code, 0, added.output)
  assert.match(added.output, /^1 reading stored, 0 there already, 0 refused\.$/m)
})
