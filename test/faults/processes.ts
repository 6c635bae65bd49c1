// Programs that a run of the fault tests starts, and signals to them and to what they started. Everything is ended by its
// process id, and ends by itself when the run is killed.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { until } from '../support/until.ts'

export const run = promisify(execFile)

export type Program = { name: string; child: ChildProcess; pid: number; ended: Promise<unknown> }

type Start = {
  /** Where its output goes, to a file with its name. */
  dir: string
  environment?: Record<string, string>
  /** Run as the user `postgres`, since PostgreSQL refuses root. */
  asPostgres?: boolean
  /** What enters the network namespace it runs in, if it has one. */
  inside?: string[]
  cwd?: string
}

export function start(
  name: string,
  command: string[],
  { dir, environment = {}, asPostgres = false, inside = [], cwd = dir }: Start,
): Program {
  const log = openSync(join(dir, `${name}.log`), 'a')
  const user = asPostgres ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  const [file = '', ...args] = [...inside, 'setpriv', '--pdeathsig', 'TERM', ...user, ...command]
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['ignore', log, log],
    // Ctrl-C reaches every process of a terminal's group; these are stopped in order instead.
    detached: true,
  })
  const ended = new Promise((done) => child.once('exit', done).once('error', done))
  return { name, child, pid: child.pid ?? 0, ended }
}

export function isRunning({ child }: Program): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Ends a program, gently unless told otherwise, and returns when it is gone. */
export async function end(program: Program | undefined, signal: NodeJS.Signals = 'SIGTERM') {
  if (!program || !isRunning(program)) return
  program.child.kill(signal)
  const isLate = pause(20_000, true, { ref: false })
  if (await Promise.race([program.ended.then(() => false), isLate])) program.child.kill('SIGKILL')
  await program.ended
}

/** The process and all that descend from it. */
export async function treeOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-e', '-o', 'pid=,ppid='])
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const tree = [pid]
  for (const ancestor of tree) {
    tree.push(...processes.filter(([, parent]) => parent === ancestor).map(([child]) => child))
  }
  return tree
}

/** Sends a signal to each that still is there. */
export function signalAll(pids: number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** The postmaster of a data directory, or undefined where none runs. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n', 1)[0])
  if (!pid) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(dataDir) ? pid : undefined
}

/** Waits for a cluster or its surroundings to heal. Asking takes CPU that they need, so it is done now and then only. */
export const untilHealed = (isSo: () => Promise<boolean>, withinMs = 90_000) =>
  until(isSo, withinMs, { everyMs: 200 })
