import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/dev.ts'
import { runProgram } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')

const runTests = (args: string[]) => runProgram(process.execPath, ['--test', ...args], {}).ended

test('a test file that needs a database and has none fails at once, and says how to run it', async () => {
  const startedAt = performance.now()
  const { code, output } = await runTests(['test/documents/words.test.ts', 'src/db/listen.test.ts'])
  assert.equal(code, 1)
  const sentence = /This test needs a database\. .*--test-global-setup=test\/support\/global-setup\.ts FILE/g
  assert.equal(output.match(sentence)?.length, 2, output)
  assert.ok(performance.now() - startedAt < 60_000)
})

test('a test file that never ends is killed and named: one that waits, one that spins and one that leaves a handle', async () => {
  const dir = temporaryDirectory()
  const write = (name: string, content: string) => {
    writeFileSync(join(dir, name), content)
    return join(dir, name)
  }
  const limits = JSON.stringify(join(ROOT, 'test/support/process-limits.ts'))
  const setup = write(
    'setup.ts',
    `import { limitTestFiles } from ${limits}\nexport const globalSetup = () => limitTestFiles(8)`,
  )
  const handle = 'setInterval(() => {}, 1_000)'
  const files = [
    write('waits.test.ts', `${handle}\nawait new Promise(() => {})`),
    write('spins.test.ts', "import { test } from 'node:test'\ntest('spins', () => { for (;;); })"),
    write('leaves.lab.ts', `import { test } from 'node:test'\n${handle}\ntest('passes', () => {})`),
  ]
  const { code, output } = await runTests([`--test-global-setup=${setup}`, ...files])
  assert.equal(code, 1, output)
  for (const file of files) {
    assert.ok(output.includes(`${file} has run for `), output)
    assert.match(output, new RegExp(`✖ ${file.replaceAll('.', '\\.')} \\(`))
  }
})
