// docs/api.md and docs/issuers.md, run as a reader would: every `sh` block, in order, in one shell, against a real `rounds dev`; what is
// printed is compared with the `text` block below it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startDev, temporaryDirectory } from '../support/dev.ts'
import { examplesOf, framesOf, isAsPrinted, runExamples } from '../support/document-examples.ts'
import { needs } from '../support/needs.ts'

const guide = ['api.md', 'issuers.md']
  .map((name) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'))
  .join('\n')
const blocks = framesOf(guide)
const examples = examplesOf(guide)

const TMPDIR = temporaryDirectory()
const dev = await startDev({ TMPDIR, PG_BIN: process.env['PG_BIN'] ?? '' })
const curl = needs('curl')
// Only what is printed counts; npx may warn about settings of whoever runs this.
const outputs = curl.skip
  ? []
  : await runExamples(
      examples.map(({ script }) =>
        script.replaceAll('http://localhost:8080', new URL(dev.casesheetUrl).origin),
      ),
      { environment: { TMPDIR, HOME: TMPDIR, npm_config_loglevel: 'error' } },
    )

test('the guide has examples, and everything else in a frame is an answer or a setting', () => {
  assert.ok(examples.length >= 8, `${examples.length} examples`)
  assert.deepEqual(new Set(blocks.map(({ language }) => language)), new Set(['sh', 'text', 'js', 'ini']))
  const answers = blocks.filter(({ language }) => language === 'text')
  assert.equal(
    answers.length,
    examples.filter(({ printed }) => printed !== '').length,
    'an answer to nothing',
  )
})

for (const [index, { script, printed }] of examples.entries()) {
  const title = script.trim().split('\n').at(-1) ?? ''
  test(`the guide's example answers as printed: ${title.slice(0, 90)}`, curl, () => {
    const output = (outputs[index] ?? '').replaceAll('\r', '')
    assert.ok(isAsPrinted(output, printed), `printed:\n${printed}\nanswered:\n${output}`)
  })
}
