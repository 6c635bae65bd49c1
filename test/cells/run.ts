// `npm run test:cells -- [--short] [FILE…]`: cells behind a real HAProxy, moves between them, and what is killed meanwhile.
//   --short   the files of test/cells, which CI runs; without it also test/cells/long: everything killed at every step, and the
//             Patroni cluster of the fault tests as a cell, which needs what .ci/run installs, and root
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const pattern = values.short ? 'test/cells/*.test.ts' : 'test/cells/**/*.test.ts'
const files = positionals.length > 0 ? positionals : globSync(pattern, { cwd: ROOT }).toSorted()
const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/support/global-setup.ts',
    '--test-concurrency=3',
    '--test-timeout=600000',
    ...files,
  ],
  { cwd: ROOT, stdio: 'inherit' },
)
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1
