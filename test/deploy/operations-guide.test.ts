// The other commands of docs/operations, run as written against a Rounds that serves. Deploying has tests of its own.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/dev.ts'
import {
  examplesOf,
  isAsPrinted,
  operationsPages,
  runExamples,
  sectionOf,
} from '../support/document-examples.ts'
import { startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { ERASURE_KEY } from '../support/patient-with-history.ts'

const ROOT = join(import.meta.dirname, '../..')
const guide = operationsPages('alerts', 'install', 'upgrade', 'patients')
const examples = [
  'Is it us, the database or the issuer\\?',
  'Stopping, and load balancers',
  'A new release',
  'Retention, export and erasing',
].flatMap((heading) => examplesOf(sectionOf(guide, heading)))

const rounds = await startRounds()
const patient = await rounds.token({ patientUid: 'patient-1' })
await rounds.call('/casesheet/readings/add', {
  token: patient,
  body: [1, 2].map((timestamp) => ({ patientUid: 'patient-1', readingType: 'acme.x', timestamp })),
})
await rounds.call('/casesheet/readings/get', { token: patient })

const curl = needs('curl')
const outputs = curl.skip
  ? []
  : await runExamples(
      examples.map(({ script }) =>
        script
          .replaceAll('http://localhost:9090', rounds.adminUrl)
          .replaceAll('bin/rounds.js', join(ROOT, 'bin/rounds.js'))
          .replaceAll('deploy/', join(ROOT, 'deploy/')),
      ),
      { environment: { DATABASE_URL: rounds.ownerUrl, ERASURE_KEY }, cwd: temporaryDirectory() },
    )

test('the guide has commands', () => {
  assert.ok(examples.length >= 7, `${examples.length} examples`)
})

for (const [index, { script, printed }] of examples.entries()) {
  if (printed === '') continue
  test(
    `the guide's command answers as printed: ${script.trim().split('\n').at(-1)?.slice(0, 90)}`,
    curl,
    () => {
      const output = outputs[index] ?? ''
      assert.ok(isAsPrinted(output, printed), `printed:\n${printed}\nanswered:\n${output}`)
    },
  )
}
