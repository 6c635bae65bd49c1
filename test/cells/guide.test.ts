// The commands of docs/operations/cells.md, run as written.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { findPostgres } from '../../tools/dev/find-postgres.ts'
import { temporaryDirectory } from '../support/dev.ts'
import {
  examplesOf,
  isAsPrinted,
  operationsPages,
  runExamples,
  sectionOf,
} from '../support/document-examples.ts'
import { createEmptyDatabase, onServer, startRounds } from '../support/harness.ts'
import { skipUnless } from '../support/needs.ts'
import { runCommand } from '../support/process.ts'
import { startCell } from './two-cells.ts'

const ROOT = join(import.meta.dirname, '../..')
const guide = operationsPages('cells')
const { binDir } = await findPostgres()
// The npm package of PostgreSQL has none.
const withPgDump = skipUnless(existsSync(join(binDir, 'pg_dump')), 'pg_dump is not installed')
const [old, fresh] = [await startCell(), await startCell()]
const all = Array.from({ length: 20 }, (_, patient) => `patient-${patient}`)
const backup = join(temporaryDirectory(), 'backup')

test('a cell is added, filled, cleaned and restored as the guide says', withPgDump, async () => {
  for (const patientUid of all) {
    const token = await old.rounds.token({ patientUid })
    const body = { patientUid, readingType: 'acme.step', timestamp: 1 }
    assert.equal((await old.rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  }
  execFileSync(join(binDir, 'pg_dump'), ['-Fc', '-f', backup, old.ownerUrl])
  const restored = await onServer(old.ownerUrl, createEmptyDatabase)
  const examples = examplesOf(sectionOf(guide, 'Cells'))
  assert.equal(examples.length, 5)
  // The last one is about a database that was restored.
  execFileSync(join(binDir, 'pg_restore'), ['-d', restored, backup])
  assert.equal((await runCommand(['migrate'], { DATABASE_URL: restored }).ended).code, 0)
  const outputs = await runExamples(
    examples.map(({ script }) => script.replaceAll('bin/rounds.js', join(ROOT, 'bin/rounds.js'))),
    {
      environment: {
        PATH: `${binDir}:${process.env['PATH']}`,
        DATABASE_URL: old.ownerUrl,
        NEW_CELL: fresh.ownerUrl,
        RESTORED: restored,
      },
      cwd: temporaryDirectory(),
    },
  )
  for (const [index, { printed }] of examples.entries()) {
    const output = outputs[index] ?? ''
    assert.ok(isAsPrinted(output, printed), `printed:\n${printed}\nanswered:\n${output}`)
  }
  const { rounds } = old
  const serveUrl = new URL(restored)
  serveUrl.username = new URL(rounds.serveUrl).username
  const again = await startRounds({ DATABASE_URL: serveUrl.href, AUTH_ISSUER: rounds.issuer.url })
  for (const patientUid of all) {
    const token = await rounds.token({ patientUid })
    const { status, json } = await again.call('/casesheet/readings/get', { token })
    if (slotOf(patientUid) >= 3_072) assert.deepEqual([status, json.code], [421, 'WrongCell'])
    else assert.deepEqual([status, json.data.length], [200, 1])
  }
  const cleaned = await runCommand(['cell', 'clean', '--after-hours', '0', '--yes'], {
    DATABASE_URL: restored,
  }).ended
  assert.match(cleaned.output, /Slots 3072-4095: deleted [1-9]/)
})
