// The tools that make load: wrk against HTTP, pgbench against the bare engine. Both print what we read here.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../tools/dev/find-program.ts'

const run = promisify(execFile)
const LOADS = join(import.meta.dirname, 'load')

export type Measured = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Bytes of one request, where they are what is measured. */
  bytes?: number
  /** The same for each second of CPU, of the server with its database sessions and of the sessions alone, where measured. */
  perCpuSecond?: { all: number; database: number }
}

const TRIES = 3

/**
 * Measures again when nothing was measured, or when requests failed: the CPU of a shared machine can stand still for seconds,
 * and then no request is answered in time. What fails every time is no accident of the machine. A text says what failed.
 */
async function measureWithRetries(measure: () => Promise<Measured | string>): Promise<Measured> {
  for (let left = TRIES - 1; ; left--) {
    const measured = await measure()
    if (typeof measured !== 'string') return measured
    if (left === 0) throw new Error(`${TRIES} times in a row: ${measured}`)
    process.stdout.write(`${measured.trimEnd()}\nMeasuring again.\n`)
  }
}

export type HttpLoad = {
  script: 'add' | 'get' | 'mixed' | 'observe' | 'pages' | 'search'
  url: string
  tokens: string
  seconds: number
  connections?: number
  settings?: Record<string, string | number>
}

let startMs = Date.parse('2030-01-01T00:00:00Z')

export const loadHttp = (load: HttpLoad) => measureWithRetries(() => runWrk(load))

async function runWrk({
  script,
  url,
  tokens,
  seconds,
  connections = 64,
  settings = {},
}: HttpLoad): Promise<Measured | string> {
  // Every run adds readings of a time of its own, so that none is there already.
  startMs += 100_000_000
  const { stdout } = await run(
    findProgram('wrk') ?? 'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', join(LOADS, `${script}.lua`), url],
    { env: { ...process.env, LOADS, TOKENS: tokens, START_MS: String(startMs), ...asText(settings) } },
  )
  const [, requests = 0, microseconds = 0, errors = 0, p50 = 0, p99 = 0] = (
    /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout) ?? []
  ).map(Number)
  if (errors > 0) return `${script} at ${url}: ${errors} of ${requests} requests failed.\n${stdout}`
  if (requests === 0) return stoodStill(`${script} at ${url}`, seconds, stdout)
  return { perSecond: (requests / microseconds) * 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 }
}

function asText(settings: Record<string, string | number>) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
}

function stoodStill(what: string, seconds: number, output: string): string {
  return `${what}: not one answer in ${seconds} s: the machine stood still.\n${output}`
}

export type BareLoad = { databaseUrl: string; dir: string; script: string; seconds: number; clients?: number }

/** The bare engine running one statement, prepared, each in a transaction of its own. */
export const loadBare = (load: BareLoad) => measureWithRetries(() => runPgbench(load))

async function runPgbench({
  databaseUrl,
  dir,
  script,
  seconds,
  clients = 32,
}: BareLoad): Promise<Measured | string> {
  const file = join(dir, 'pgbench.sql')
  writeFileSync(file, script)
  const { stdout } = await run(findProgram('pgbench') ?? 'pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '2',
    '-T',
    String(seconds),
    '-f',
    file,
    databaseUrl,
  ])
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  const p50Ms = Number(/latency average = ([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0)) return stoodStill('pgbench', seconds, stdout)
  return { perSecond, p50Ms, p99Ms: Number.NaN }
}
