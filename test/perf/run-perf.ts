// `npm run test:perf -- [--short] [FILE…]`: the tests of time and memory, one at a time. A file that failed is run a second
// time: a shared machine can stand still for seconds, which breaks a bound on time once, and a fault of ours breaks it again.
//   --short   the files of test, which CI runs; without it also test/long: the same at larger sizes
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../support/global-setup.ts'
import { endWithoutCleanUp } from '../support/process-limits.ts'

/** The files that failed. A test names the file where it stands, which another one may have imported; the summary does not. */
async function runFiles(files: string[]): Promise<string[]> {
  const passed = new Set<string | undefined>()
  const events = run({ files, concurrency: false })
  events.on('test:summary', ({ file, success }) => {
    if (success) passed.add(file)
  })
  events.compose(new spec()).pipe(process.stdout)
  await once(events, 'end')
  return files.filter((file) => !passed.has(file))
}

endWithoutCleanUp()
const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const pattern = join(import.meta.dirname, values.short ? '*.perf.ts' : '../{perf,long}/*.perf.ts')
await globalSetup()
try {
  const failed = await runFiles(
    positionals.length > 0 ? positionals.map((file) => resolve(file)) : globSync(pattern).toSorted(),
  )
  if (failed.length > 0) {
    process.stdout.write(`\nA second time:\n${failed.join('\n')}\n`)
    const failedAgain = await runFiles(failed)
    process.exitCode = failedAgain.length > 0 ? 1 : 0
  }
} finally {
  await globalTeardown()
}
