// Runs test files: `node test/support/run-tests.ts [--at-once N] [--only NAME] PATTERN…`. What fails beside other files is run once more, one
// file at a time: a machine that stood still breaks a bound on time once, and a fault of ours breaks it again. The output names
// both runs, so a test that needs its second one is seen and can be repaired.
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { dropEndedDatabases } from './ended-databases.ts'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { endWithoutCleanUp } from './process-limits.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Labs take longer. */
const LONGEST_TEST_MS = 1_000 * Number(process.env['TEST_FILE_SECONDS'] ?? 600)
/** More than that is no luck. */
const MOST_RUN_AGAIN = 3
const DEAREST = 10

/** Sets the exit code of this process. Patterns are those of the project's root; `only` is a part of the names of tests. */
export async function runTests(patterns: string[], atOnce: number, only?: string) {
  endWithoutCleanUp()
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted())
  if (files.length === 0) throw new Error(`No file matches ${patterns.join(' ')}.`)
  await globalSetup()
  try {
    const failed = await failedOf([...new Set(files.map((file) => resolve(ROOT, file)))], atOnce, only)
    const isLuckPossible = failed.length > 0 && failed.length <= MOST_RUN_AGAIN
    if (isLuckPossible) process.stdout.write(`\nFailed, and run once more, alone:\n${failed.join('\n')}\n\n`)
    const failedAgain = isLuckPossible ? await failedOf(failed, 1, only) : failed
    process.exitCode = failedAgain.length > 0 ? 1 : 0
  } finally {
    await globalTeardown()
  }
}

/**
 * A test names the file where it stands, which another one may have imported; the summary of a file does not. That summary knows
 * nothing of how the file's process ended, or of a hook of the file that failed: then the file itself fails, by its name.
 */
async function failedOf(files: string[], atOnce: number, only?: string): Promise<string[]> {
  const passed = new Set<string>()
  const seconds = new Map<string, number>()
  const failedByName = new Set<string>()
  let isGood = false
  let dropped = Promise.resolve()
  let isAnyNamed = only === undefined
  const named = only === undefined ? {} : { testNamePatterns: [only] }
  const events = run({ files, concurrency: atOnce, timeout: LONGEST_TEST_MS, ...named })
  events.on('test:summary', ({ file, success, duration_ms, counts }) => {
    if (file === undefined) isGood = success
    else {
      dropped = dropped.then(() => dropEndedDatabases(process.env['TEST_DATABASE_URL'] ?? ''))
      seconds.set(file, duration_ms / 1_000)
      if (success) passed.add(file)
      isAnyNamed ||= counts.tests > 0
    }
  })
  events.on('test:fail', ({ name }) => failedByName.add(resolve(ROOT, name)))
  // The runner counts at the end: its own summary is the last thing that a run prints.
  events.on('test:diagnostic', ({ message, file }) => {
    if (file === undefined && message.startsWith('tests ')) printDearest(seconds)
  })
  events.compose(new spec()).pipe(process.stdout)
  await once(events, 'end')
  await dropped
  // A file without such a test passes, as a test of its own.
  if (!isAnyNamed) throw new Error(`No test has "${only}" in its name.`)
  const failed = files.filter((file) => !passed.has(file) || failedByName.has(file))
  if (failed.length === 0 && !isGood) throw new Error('A test failed, and no file is known to have failed.')
  return failed
}

function printDearest(seconds: Map<string, number>) {
  if (seconds.size <= DEAREST) return
  const dearest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, DEAREST)
  const lines = dearest.map(([file, each]) => `${each.toFixed(1).padStart(7)} s  ${relative(ROOT, file)}`)
  process.stdout.write(`\nThe ${DEAREST} dearest of ${seconds.size} files:\n${lines.join('\n')}\n`)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { 'at-once': { type: 'string', default: '3' }, only: { type: 'string' } },
    allowPositionals: true,
  })
  await runTests(positionals, Number(values['at-once']), values.only)
}
