// The real program as a process of its own, for what only a process has: a command line, signals, an exit code, memory.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { after } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

export type Ended = { code: number | null; output: string }

export function runCommand(args: string[], environment: Record<string, string> = {}) {
  return runProgram(process.execPath, ['src/cli.ts', ...args], environment)
}

/** Any program, by default in the root of the project. */
export function runProgram(file: string, args: string[], environment: Record<string, string>, cwd = ROOT) {
  const child = spawn(file, args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      TMPDIR: process.env['TMPDIR'],
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk))
  const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, output })))
  after(() => child.kill('SIGKILL'))
  return {
    child,
    ended,
    output: () => output,
    memoryMiB: (field?: MemoryField) => memoryMiB(child.pid, field),
  }
}

export type Command = ReturnType<typeof runCommand>

/** What the program says that matches, once it has said it. */
export async function untilSaid(
  { child, output, ended }: Command,
  pattern: RegExp,
  withinMs = 120_000,
): Promise<RegExpExecArray> {
  return new Promise((found, fail) => {
    const look = () => {
      const match = pattern.exec(output())
      if (match) found(match)
    }
    look()
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look)
    const giveUp = (why: string) => fail(new Error(`It ${why} and did not say ${pattern}:\n${output()}`))
    // No claim about speed: on a machine that stands still for seconds a start takes its time.
    setTimeout(giveUp, withinMs, 'went on').unref()
    void ended.then(() => giveUp('ended'))
  })
}

/**
 * `rounds serve` in a process of its own, once it says where it answers. `npm run lab image` sets TEST_IMAGE for those tests that
 * it runs against the image.
 */
export async function serveInProcess(environment: Record<string, string>) {
  const settings = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', ...environment }
  const { serveInContainer } = await import('../image/container.ts')
  const process = env['TEST_IMAGE'] ? serveInContainer(settings) : runCommand(['serve'], settings)
  const said = /Rounds answers at (http:[^,\s]+),.* health at (http:\S+?)\/readyz/
  const [, url = '', adminUrl = ''] = await untilSaid(process, said)
  return { ...process, url, adminUrl }
}

/** The same for load: at most warnings are logged, and no limit of a caller or a patient is reached. */
export function serveForLoad(environment: Record<string, string>) {
  return serveInProcess({
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
    PATIENT_BYTES_PER_DAY: '1000000000000',
    LOG_LEVEL: 'warn',
    ...environment,
  })
}

/** The messages of a log. */
export function messagesIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => `${(JSON.parse(line) as { msg?: string }).msg ?? ''}\n`).join('')
}

export type MemoryField = 'VmRSS' | 'VmHWM'

/** What a process has in memory, or on Linux the most it had so far; 0 once it has ended. */
export function memoryMiB(pid = 0, field: MemoryField = 'VmRSS'): number {
  const status = `/proc/${pid}/status`
  const text = existsSync(status)
    ? new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(status, 'utf8'))?.[1]
    : spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return Number(text ?? 0) / 1_024
}
