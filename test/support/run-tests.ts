// Runs test files: `node test/support/run-tests.ts [--at-once N] PATTERN…`. What fails beside other files is run once more, one
// file at a time: a machine that stood still breaks a bound on time once, and a fault of ours breaks it again. The output names
// both runs, so a test that needs its second one is seen and can be repaired.
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { endWithoutCleanUp } from './process-limits.ts'

const ROOT = join(import.meta.dirname, '../..')
const LONGEST_TEST_MS = 600_000
/** More than that is no luck. */
const MOST_RUN_AGAIN = 3

/** Sets the exit code of this process. Patterns are those of the project's root. */
export async function runTests(patterns: string[], atOnce: number, mostRunAgain = MOST_RUN_AGAIN) {
  endWithoutCleanUp()
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted())
  if (files.length === 0) throw new Error(`No file matches ${patterns.join(' ')}.`)
  await globalSetup()
  try {
    const failed = await failedOf([...new Set(files.map((file) => resolve(ROOT, file)))], atOnce)
    const isLuckPossible = failed.length > 0 && failed.length <= mostRunAgain
    if (isLuckPossible) process.stdout.write(`\nFailed, and run once more, alone:\n${failed.join('\n')}\n\n`)
    const failedAgain = isLuckPossible ? await failedOf(failed, 1) : failed
    process.exitCode = failedAgain.length > 0 ? 1 : 0
  } finally {
    await globalTeardown()
  }
}

/**
 * A test names the file where it stands, which another one may have imported; the summary of a file does not. That summary knows
 * nothing of how the file's process ended, or of a hook of the file that failed: then the file itself fails, by its name.
 */
async function failedOf(files: string[], atOnce: number): Promise<string[]> {
  const passed = new Set<string>()
  const failedByName = new Set<string>()
  let isGood = false
  const events = run({ files, concurrency: atOnce, timeout: LONGEST_TEST_MS })
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined) isGood = success
    else if (success) passed.add(file)
  })
  events.on('test:fail', ({ name }) => failedByName.add(resolve(ROOT, name)))
  events.compose(new spec()).pipe(process.stdout)
  await once(events, 'end')
  const failed = files.filter((file) => !passed.has(file) || failedByName.has(file))
  if (failed.length === 0 && !isGood) throw new Error('A test failed, and no file is known to have failed.')
  return failed
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { 'at-once': { type: 'string', default: '3' } },
    allowPositionals: true,
  })
  await runTests(positionals, Number(values['at-once']))
}
