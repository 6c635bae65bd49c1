// `rounds patient export` as an operator meets it: everything of a patient comes out.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/dev.ts'
import { startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { BY, countRows, createPatient, runPatientCommand } from '../support/patient-with-history.ts'
import { runProgram } from '../support/process.ts'

const rounds = await startRounds()
const { ownerUrl, serveUrl } = rounds
const run = (args: string[], databaseUrl = ownerUrl) => runPatientCommand(args, databaseUrl)

type Line = {
  export?: Record<string, unknown>
  reading?: Record<string, unknown>
  addedBy?: string
  access?: Record<string, unknown>
  end?: Record<string, unknown>
}

/** Of a patient with readings alone. */
const END = {
  end: {
    readings: 3,
    corrections: 0,
    targets: 0,
    targetChanges: 0,
    reviews: 0,
    rules: 0,
    ruleChanges: 0,
    alerts: 0,
    alertEvents: 0,
    grants: 0,
    grantChanges: 0,
    accesses: 4,
  },
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('an export holds every reading as it was sent, every entry of the log, and first of all itself', async () => {
  const { readings } = await createPatient(rounds, 'export-me')
  const { code, output } = await run(['export', 'export-me', ...BY])
  assert.equal(code, 0, output)
  const [first, ...lines] = linesOf(output)
  assert.deepEqual([first?.export?.['patientUid'], first?.export?.['exportedBy']], ['export-me', BY[1]])
  const exported = lines.flatMap(({ reading }) => (reading ? [reading] : []))
  assert.deepEqual(
    exported.map(({ readingId: _id, measuredAt: _measured, receivedAt: _received, ...sent }) => sent),
    readings,
  )
  for (const { readingId, measuredAt, receivedAt } of exported) {
    assert.match(String(readingId), /^[0-9a-f-]{36}$/)
    assert.match(String(measuredAt), /^2023-11-14T22:13:2\d\.000Z$/)
    assert.ok(Date.now() - new Date(String(receivedAt)).valueOf() < 60_000)
  }
  assert.ok(lines.filter(({ reading }) => reading).every(({ addedBy }) => addedBy === 'sub-of-export-me'))
  const accesses = lines.flatMap(({ access }) => (access ? [access] : []))
  assert.deepEqual(
    accesses.map(({ readBy, allowedAs, operation, readingsCount, readingTypes, rangeFrom }) => [
      readBy,
      allowedAs,
      operation,
      readingsCount,
      readingTypes,
      rangeFrom,
    ]),
    [
      ['sub-of-export-me', 'patient', 'readings/get', 3, null, '-infinity'],
      ['dr-willow', 'staff', 'readings/get', 3, null, '-infinity'],
      ['dr-willow', 'staff', 'readings/get', 1, ['acme.x'], '2023-11-14T22:13:22+00:00'],
      [BY[1], 'operator', 'patient/export', 3, null, '-infinity'],
    ],
  )
  assert.deepEqual(lines.at(-1), END)
  const log = await rounds.call('/casesheet/readings/access-log', {
    token: await rounds.token({ patientUid: 'export-me' }),
  })
  assert.deepEqual([log.json.data[0]?.['readBy'], log.json.data[0]?.['allowedAs']], [BY[1], 'operator'])
})

test('of a reading that the patient added, the export names the patient', async () => {
  const token = await rounds.token({ patientUid: 'own-phone', sub: 'own-phone' })
  const body = { patientUid: 'own-phone', readingType: 'acme.x', timestamp: 1 }
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  const { output } = await run(['export', 'own-phone', ...BY])
  assert.equal(linesOf(output).find(({ reading }) => reading)?.addedBy, 'own-phone')
})

test('an export into a file is for its owner only, and never replaces one', async () => {
  await createPatient(rounds, 'into-file')
  const file = join(temporaryDirectory(), 'export.ndjson')
  const { code, output } = await run(['export', 'into-file', ...BY, '--output', file])
  assert.deepEqual(
    [code, output],
    [
      0,
      `Exported 3 readings, 0 targets, 0 reviews, 0 rules, 0 alerts, 0 grants and 4 entries of the access log to ${file}.\n`,
    ],
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(linesOf(readFileSync(file, 'utf8')).at(-1), END)
  writeFileSync(file, 'mine')
  const again = await run(['export', 'into-file', ...BY, '--output', file])
  assert.deepEqual(again, { code: 1, output: `The file ${file} cannot be made: it must not be there yet.\n` })
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  assert.equal(await countRows(rounds, 'access_log', 'into-file'), 4, 'what was not read is not logged')
  const nowhere = await run(['export', 'into-file', ...BY, '--output', '/nowhere/export.ndjson'])
  assert.deepEqual(nowhere, { code: 1, output: 'The file /nowhere/export.ndjson cannot be made (ENOENT).\n' })
  const refused = join(temporaryDirectory(), 'refused.ndjson')
  assert.equal((await run(['export', 'into-file', ...BY, '--output', refused], serveUrl)).code, 1)
  assert.equal(existsSync(refused), false)
})

test('an export of an id of which nothing is held says so, ends with 1, and leaves neither a file nor an entry', async () => {
  const file = join(temporaryDirectory(), 'nothing.ndjson')
  for (const output of [[], ['--output', file], ['--output', file]])
    assert.deepEqual(await run(['export', 'mistyped', ...BY, ...output]), {
      code: 1,
      output:
        'Nothing is held under this id: no reading, no target, no review, no rule, no grant, and no entry of the access log. Check how it is spelt.\n',
    })
  assert.equal(existsSync(file), false)
  assert.equal(await countRows(rounds, 'access_log', 'mistyped'), 0)
})

test('an export that cannot be written does not blame the database', needs('linux'), async () => {
  await createPatient(rounds, 'onto-full-disk')
  const command = `"${process.execPath}" src/cli.ts patient export onto-full-disk --by operator > /dev/full`
  const full = await runProgram('sh', ['-c', command], { DATABASE_URL: ownerUrl }).ended
  assert.deepEqual(full, { code: 1, output: 'The export is incomplete: it could not be written (ENOSPC).\n' })
})
