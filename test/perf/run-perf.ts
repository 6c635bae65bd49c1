// `npm run test:perf -- [--short] [FILE…]`: the tests of time and memory, one at a time.
//   --short   the files of test/perf, which run nightly; without it also test/long: the same at larger sizes
import { parseArgs } from 'node:util'
import { runTests } from '../support/run-tests.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const pattern = values.short ? 'test/perf/*.perf.ts' : 'test/{perf,long}/*.perf.ts'
// Three gigabytes of XML take half an hour where the cores are shared.
if (!values.short) process.env['TEST_FILE_SECONDS'] ??= '5400'
// A machine that stands still for a minute breaks the bounds of all that run meanwhile.
await runTests(positionals.length > 0 ? positionals : [pattern], 1, Infinity)
