// The tools that make load: wrk against HTTP, pgbench against the bare engine. Both print what we read here.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../tools/dev/find-program.ts'
import { cpuSecondsOf } from './cpu.ts'

const run = promisify(execFile)
const LOADS = join(import.meta.dirname, 'load')

export type Measured = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU of one request in microseconds, of the server and of PostgreSQL, where measured. */
  cpuUs?: { server: number; postgres: number }
}

/** Puts load on something for so many seconds. */
export type Load = (seconds: number) => Promise<Measured>

/** Requests were refused, or nothing was answered: a rate of that is no figure. */
export class NoFigureError extends Error {
  override name = 'NoFigureError'
}

/** The processes whose CPU is measured; of the bare engine there is no server. */
type Pids = { server?: number; postgres: number }

const TRIES = 3

/**
 * Measures again when nothing was measured, or when connections failed: the CPU of a shared machine can stand still for seconds,
 * and then no request is answered in time. What fails every time is no accident of the machine. A text says what failed.
 */
async function measureWithRetries(measure: () => Promise<Measured | string>): Promise<Measured> {
  for (let left = TRIES - 1; ; left--) {
    const measured = await measure()
    if (typeof measured !== 'string') return measured
    if (left === 0) throw new NoFigureError(`${TRIES} times in a row: ${measured}`)
    process.stdout.write(`${measured.trimEnd()}\nMeasuring again.\n`)
  }
}

/** Fewer than a server has in progress when it is busy (64): a run begins before the last requests of the run before are answered. */
export const CONNECTIONS = 56

type Settings = Record<string, string | number>

export type HttpLoad = {
  script: 'add' | 'get' | 'mixed' | 'observe' | 'pages' | 'search'
  url: string
  tokens: string
  pids: Pids
  connections?: number
  settings?: Settings
}

let startMs = Date.parse('2030-01-01T00:00:00Z')

export function loadHttp(load: HttpLoad): Load {
  let isFirst = true
  return (seconds) =>
    measureWithRetries(() => {
      // Looking at every answer takes CPU, so only the first run does; the later ones count what is refused.
      const show = isFirst ? { SHOW_REFUSAL: 1 } : {}
      isFirst = false
      return runWrk(load, seconds, show)
    })
}

async function runWrk(load: HttpLoad, seconds: number, show: Settings): Promise<Measured | string> {
  const before = cpuOf(load.pids)
  const stdout = await wrk(load, seconds, show)
  const after = cpuOf(load.pids)
  const [, requests = 0, microseconds = 0, refused = 0, failed = 0, p50 = 0, p99 = 0] = (
    /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout) ?? []
  ).map(Number)
  const what = `${load.script} at ${load.url}`
  const refusal = refusalIn(stdout)
  if (refused > 0 || refusal !== undefined) {
    const first =
      refusal ?? refusalIn(await wrk(load, 1, { SHOW_REFUSAL: 1 })) ?? 'not seen in a second more.'
    throw new NoFigureError(`${what}: ${refused} of ${requests} requests were refused. The first: ${first}`)
  }
  if (failed > 0) return `${what}: ${failed} of ${requests} requests failed.\n${stdout}`
  if (requests === 0) return stoodStill(what, seconds, stdout)
  return {
    perSecond: (requests / microseconds) * 1e6,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    cpuUs: cpuOfOne(before, after, requests),
  }
}

const refusalIn = (stdout: string) => /REFUSAL (.*)/.exec(stdout)?.[1]

async function wrk(
  { script, url, tokens, connections = CONNECTIONS, settings = {} }: HttpLoad,
  seconds: number,
  show: Settings,
): Promise<string> {
  // Every run adds readings of a time of its own, so that none is there already.
  startMs += 100_000_000
  const { stdout } = await run(
    findProgram('wrk') ?? 'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', join(LOADS, `${script}.lua`), url],
    {
      env: {
        ...process.env,
        LOADS,
        TOKENS: tokens,
        START_MS: String(startMs),
        ...asText({ ...settings, ...show }),
      },
    },
  )
  return stdout
}

type Cpu = { server: number; postgres: number }

/** In seconds. */
function cpuOf({ server, postgres }: Pids): Cpu {
  return { server: server === undefined ? 0 : cpuSecondsOf(server), postgres: cpuSecondsOf(postgres) }
}

function cpuOfOne(before: Cpu, after: Cpu, count: number): Cpu {
  return {
    server: ((after.server - before.server) / count) * 1e6,
    postgres: ((after.postgres - before.postgres) / count) * 1e6,
  }
}

function asText(settings: Settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
}

function stoodStill(what: string, seconds: number, output: string): string {
  return `${what}: not one answer in ${seconds} s: the machine stood still.\n${output}`
}

export type BareLoad = { databaseUrl: string; dir: string; script: string; pids: Pids; clients?: number }

/** The bare engine running one statement, prepared, each in a transaction of its own. */
export const loadBare =
  (load: BareLoad): Load =>
  (seconds) =>
    measureWithRetries(() => runPgbench(load, seconds))

async function runPgbench(load: BareLoad, seconds: number): Promise<Measured | string> {
  // Each run connects anew, which in a short run is a good part of the CPU, and no part of a transaction.
  const start = cpuOf(load.pids)
  await pgbench(load, ['-t', '1'])
  const before = cpuOf(load.pids)
  const stdout = await pgbench(load, ['-T', String(seconds)])
  const after = cpuOf(load.pids)
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  const p50Ms = Number(/latency average = ([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0)) return stoodStill('pgbench', seconds, stdout)
  const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1]) - (load.clients ?? CLIENTS)
  const postgres = ((after.postgres - before.postgres - (before.postgres - start.postgres)) / count) * 1e6
  return { perSecond, p50Ms, p99Ms: Number.NaN, cpuUs: { server: 0, postgres } }
}

const CLIENTS = 32

async function pgbench({ databaseUrl, dir, script, clients = CLIENTS }: BareLoad, length: string[]) {
  const file = join(dir, 'pgbench.sql')
  writeFileSync(file, script)
  const { stdout } = await run(findProgram('pgbench') ?? 'pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    String(Math.min(2, clients)),
    ...length,
    '-f',
    file,
    databaseUrl,
  ])
  return stdout
}

/** What some work costs PostgreSQL for each of `count` rows, and how many it does in a second. */
export async function measureWork(
  work: () => Promise<unknown>,
  count: number,
  postgres: number,
): Promise<Measured> {
  const [before, started] = [cpuOf({ postgres }), performance.now()]
  await work()
  const perSecond = count / ((performance.now() - started) / 1_000)
  return {
    perSecond,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    cpuUs: cpuOfOne(before, cpuOf({ postgres }), count),
  }
}
