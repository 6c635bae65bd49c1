// `npm run test:cells -- [--short] [FILE…]`: cells behind a real HAProxy, moves between them, and what is killed meanwhile.
//   --short   the files of test/cells, which CI runs; without it also test/cells/long: everything killed at every step, and the
//             Patroni cluster of the fault tests as a cell, which needs what .ci/run installs, and root
import { parseArgs } from 'node:util'
import { runTests } from '../support/run-tests.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const pattern = values.short ? 'test/cells/*.test.ts' : 'test/cells/**/*.test.ts'
await runTests(positionals.length > 0 ? positionals : [pattern], 3)
