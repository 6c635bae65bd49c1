// Which tests a change runs: on the sources as they are.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createChooser, readSources } from './changed-tests.ts'
import { TESTS_OF } from './tests-of-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const choose = createChooser(readSources())
const DIRECTORY = 'src/modules/appointments/list-doctors.ts'

/** Changed files, some tests that they choose, some that they do not, and how many at most. */
const CASES: [changed: string, chosen: string[], left: string[], atMost: number][] = [
  [
    DIRECTORY,
    ['src/modules/appointments/list-doctors.test.ts', 'test/directory/directory-versions.test.ts'],
    ['src/modules/care/alerts/alerts.test.ts', 'clients/console/test/today.test.ts'],
    40,
  ],
  [
    'src/modules/care/rules/set-rule.ts',
    ['src/modules/care/rules/rules.test.ts', 'src/modules/care/evaluation/keep-alerts.test.ts'],
    ['src/modules/appointments/list-doctors.test.ts'],
    30,
  ],
  [
    'src/db/isolate.ts',
    ['src/db/isolate.test.ts', 'test/http/routes.test.ts'],
    ['src/modules/care/reports/report-figures.test.ts'],
    60,
  ],
  [
    'src/commands/sizing.ts',
    ['src/commands/sizing.test.ts', 'test/operators/commands.test.ts'],
    ['test/operators/simulate.test.ts'],
    15,
  ],
  [
    'migrations/0002-directory.sql',
    ['test/database/migrations.test.ts', 'src/modules/appointments/page-versions.test.ts'],
    ['src/modules/webhooks/endpoints/endpoints.test.ts'],
    45,
  ],
  [
    'clients/console/src/screens/charts/charts.tsx',
    ['clients/console/test/charts.test.ts', 'clients/console/test/screens.test.ts'],
    ['clients/console/test/doctors.test.ts', 'src/db/isolate.test.ts'],
    30,
  ],
  ['docs/mcp.md', ['test/documents/mcp-guide.test.ts'], ['test/documents/api-guide.test.ts'], 8],
  ['samples/receiver.mts', ['test/operators/dev-webhook.test.ts'], ['test/operators/simulate.test.ts'], 5],
  [
    'deploy/haproxy/rounds.cfg',
    ['test/deploy/haproxy-tls.test.ts'],
    ['test/deploy/runbook-rights.test.ts'],
    12,
  ],
  [
    'clients/python/rounds_client/__init__.py',
    ['clients/python/test/conformance.test.ts'],
    ['clients/typescript/test/operations.test.ts'],
    5,
  ],
  ['test/support/webhook-receiver.ts', ['src/modules/webhooks/delivery/delivery.test.ts'], [], 10],
]

for (const [changed, chosen, left, atMost] of CASES) {
  test(`a change of ${changed} runs the tests that it touches, and few others`, () => {
    const { tests, unknown } = choose([changed])
    assert.deepEqual(unknown, [])
    assert.deepEqual(
      chosen.filter((file) => !tests.includes(file)),
      [],
      'left out',
    )
    assert.deepEqual(
      left.filter((file) => tests.includes(file)),
      [],
      'chosen',
    )
    assert.ok(tests.length <= atMost, `${tests.length} tests`)
  })
}

test('a test that changed runs, and one that was deleted does not', () => {
  const { tests } = choose(['test/http/routes.test.ts', 'test/http/gone.test.ts'])
  assert.deepEqual(tests, ['test/http/routes.test.ts'])
})

test('a file that nothing maps runs everything, and is named', () => {
  const { tests, unknown } = choose([DIRECTORY, 'surprise.toml', 'migrations/0099-surprise.sql'])
  assert.deepEqual(unknown, ['surprise.toml', 'migrations/0099-surprise.sql'])
  assert.equal(tests.length, choose(['package-lock.json']).tests.length)
  assert.ok(tests.length > 300)
})

test('every file of the repository has tests, or is named as one that no test reads', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
  assert.deepEqual(choose(files).unknown, [])
})

test('every row of the table names tests or labs that exist', () => {
  const globs = TESTS_OF.flatMap(([, tests]) => tests.split(/\s+/).filter(Boolean))
  const exists = (glob: string) =>
    globSync(glob.replace(/test\.ts$/, '{test,lab}.ts'), { cwd: ROOT }).length > 0
  assert.deepEqual(
    [...new Set(globs)].filter((glob) => !exists(glob)),
    [],
  )
})
