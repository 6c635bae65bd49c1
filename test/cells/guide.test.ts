// The commands of docs/operations.md about cells, run as written.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../dev.ts'
import { examplesOf, isAsPrinted, runExamples, sectionOf } from '../document-examples.ts'
import { startCell } from './two-cells.ts'

const ROOT = join(import.meta.dirname, '../..')
const guide = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')

test('a cell is added, filled and cleaned as the guide says', async () => {
  const [old, fresh] = [await startCell(), await startCell()]
  for (let patient = 0; patient < 20; patient++) {
    const patientUid = `patient-${patient}`
    const token = await old.rounds.token({ patientUid })
    const body = { patientUid, readingType: 'acme.step', timestamp: 1 }
    assert.equal((await old.rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  }
  const examples = examplesOf(sectionOf(guide, 'Cells'))
  assert.equal(examples.length, 4)
  const outputs = await runExamples(
    examples.map(({ script }) => script.replaceAll('src/cli.ts', join(ROOT, 'src/cli.ts'))),
    { environment: { DATABASE_URL: old.ownerUrl, NEW_CELL: fresh.ownerUrl }, cwd: temporaryDirectory() },
  )
  for (const [index, { printed }] of examples.entries()) {
    const output = outputs[index] ?? ''
    assert.ok(isAsPrinted(output, printed), `printed:\n${printed}\nanswered:\n${output}`)
  }
})
