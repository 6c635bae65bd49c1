// `npm run check:quick`: what needs no database, at once, because none of the four keeps two cores busy all the time. Each prints
// when it has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** The longest first. */
const CHECKS = ['check:lint', 'test:quick', 'check:types', 'check:format']
// Every test file is a process of its own that compiles the same sources.
const env = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/rounds'), ...process.env }

async function run(check: string): Promise<string[]> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '-s', check], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
  const [code] = await once(child, 'close')
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stdout.write(`--- ${check}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s\n`)
  process.stdout.write(Buffer.concat(output))
  return code === 0 ? [] : [check]
}

const failed = (await Promise.all(CHECKS.map(run))).flat()
if (failed.length > 0) process.stdout.write(`--- Failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
