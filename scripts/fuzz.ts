// npm run test:fuzz -- --requests 200000 --seed 7: the test of test/http/fuzz.test.ts with as many requests as you like.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '200000' }, seed: { type: 'string' } },
})
const seed = values.seed ?? String(Date.now() % 1_000_000)
const test = spawn(
  process.execPath,
  ['--test', '--test-global-setup=test/support/global-setup.ts', 'test/http/fuzz.test.ts'],
  { stdio: 'inherit', env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: seed } },
)
test.once('close', (code) => (process.exitCode = code ?? 1))
