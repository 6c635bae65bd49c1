// `npm run test:one FILE [PATTERN]` runs one test file, named by its path or by a part of it that no other has, and of it the tests
// whose names match the pattern.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const [named, pattern] = process.argv.slice(2)
if (!named) fail('Name a test file, or a part of its path: npm run test:one add-readings "sixty copies"')

const tests = globSync(['{src,test,tools}/**/*.test.ts', 'clients/*/test/*.test.ts'], {
  cwd: ROOT,
}).toSorted()
const found = tests.filter((file) => file.includes(named))
const exact = found.filter((file) => `/${file}`.endsWith(`/${named.replace(/(\.test\.ts)?$/, '.test.ts')}`))
const [file, ...others] = exact.length > 0 ? exact : found
if (!file) fail(`No test file has "${named}" in its path.`)
if (others.length > 0) fail(`"${named}" is in the path of several:\n${[file, ...others].join('\n')}`)

const options = ['--test-global-setup=test/support/global-setup.ts']
if (pattern) options.push(`--test-name-pattern=${pattern}`)
const { status } = spawnSync(process.execPath, ['--test', ...options, file], { cwd: ROOT, stdio: 'inherit' })
process.exitCode = status ?? 1

function fail(why: string): never {
  process.stderr.write(`${why}\n`)
  return process.exit(1)
}
