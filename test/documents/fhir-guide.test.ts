// docs/fhir.md, run as an integrator would: every `sh` block, in order, in one shell, against a real `rounds dev`; what is
// printed is compared with the `text` block below it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startDev, temporaryDirectory } from '../support/dev.ts'
import { examplesOf, isAsPrinted, runExamples } from '../support/document-examples.ts'
import { needs } from '../support/needs.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/fhir.md'), 'utf8')
const examples = examplesOf(guide)

test('the session of the guide answers as printed', needs('curl'), async () => {
  const TMPDIR = temporaryDirectory()
  const dev = await startDev({ TMPDIR, PG_BIN: process.env['PG_BIN'] ?? '' })
  const { origin } = new URL(dev.casesheetUrl)
  const outputs = await runExamples(
    examples.map(({ script }) => script.replaceAll('http://localhost:8080', origin)),
    { environment: { TMPDIR, HOME: TMPDIR, npm_config_loglevel: 'error' } },
  )
  assert.ok(examples.filter(({ printed }) => printed !== '').length >= 3)
  for (const [index, { printed }] of examples.entries()) {
    const output = (outputs[index] ?? '').replaceAll('\r', '')
    assert.ok(isAsPrinted(output, printed), `printed:\n${printed}\nanswered:\n${output}`)
  }
})
