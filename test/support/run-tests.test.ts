// The runner of the tests, on files made for it: whatever fails in a file fails the run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const dir = mkdtempSync(join(tmpdir(), 'rounds-runner-'))

/** What a run of files with these texts ends with. */
function runOf(...texts: string[]) {
  const files = texts.map((text, nth) => {
    const file = join(dir, `${nth}.test.mjs`)
    writeFileSync(file, `import { after, test } from 'node:test'\n${text}`)
    return file
  })
  // A runner that is started by another one would only report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run-tests.ts'), ...files],
    {
      encoding: 'utf8',
      env,
    },
  )
  return { status, runs: stdout.match(/^ℹ tests \d+$/gm)?.length ?? 0, stdout }
}

const PASSES = "test('passes', () => {})"
const FAILS = "test('fails', () => { throw new Error('always') })"

test('a run ends with the failure of a test, of a hook of its file and of its process', (t) => {
  t.after(() => rmSync(dir, { recursive: true }))
  assert.deepEqual([runOf(PASSES).status, runOf(PASSES).runs], [0, 1])
  const failing = [
    FAILS,
    `${PASSES}\nafter(() => { throw new Error('hook') })`,
    `${PASSES}\nprocess.exitCode = 7`,
  ]
  for (const text of failing) {
    const { status, runs, stdout } = runOf(PASSES, text)
    assert.deepEqual([status, runs], [1, 2], stdout)
  }
  const onceOnly = `import { existsSync, writeFileSync } from 'node:fs'
    test('luck', () => {
      if (existsSync('${dir}/seen')) return
      writeFileSync('${dir}/seen', '')
      throw new Error('the first time')
    })`
  const lucky = runOf(onceOnly)
  assert.deepEqual([lucky.status, lucky.runs], [0, 2], lucky.stdout)
  assert.match(lucky.stdout, /^Failed, and run once more, alone:\n.*0\.test\.mjs$/m)
  const many = runOf(FAILS, FAILS, FAILS, FAILS)
  assert.deepEqual([many.status, many.runs], [1, 1], 'four failures are no luck')
})
