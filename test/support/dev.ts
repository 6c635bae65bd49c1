// `rounds dev` as a process of its own, with a temporary directory of its own, and what it leaves behind.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { runCommand, untilSaid } from './process.ts'

/** A place for temporary files, which the user that PostgreSQL runs as can enter. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'rounds-test-dev-'))
  chmodSync(dir, 0o755)
  after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** What "rounds dev" keeps of a database of one's own. */
export const STATE = temporaryDirectory()

export type Dev = Awaited<ReturnType<typeof startDev>>

export async function startDev(environment: Record<string, string>, args = ['--port', '0']) {
  const startedAt = Date.now()
  const command = runCommand(['dev', ...args], { XDG_STATE_HOME: STATE, ...environment })
  await untilSaid(command, /^Started in /m)
  const startMs = Date.now() - startedAt
  const address = (name: string) =>
    new RegExp(`^ *${name} +(http[^\\s,]+)`, 'm').exec(command.output())?.[1] ?? assert.fail(`no ${name}`)
  return {
    ...command,
    startMs,
    appointmentsUrl: address('appointments_url'),
    casesheetUrl: address('casesheet_url'),
    docsUrl: address('reference page'),
    issuerUrl: address('OpenID issuer'),
    consoleUrl: address('Console:'),
    /** What is printed before the first request, line by line. */
    printed: command.output().trimEnd().split('\n'),
    /** What is there to be pasted with --curl: from the line that sets TOKEN to the last curl line. */
    pasted: /^TOKEN=[^]*(?=\nStarted in )/m.exec(command.output())?.[0] ?? '',
  }
}

/** Every process that this one started, and those started, at any depth. */
export function descendantsOf(pid: number | undefined): number[] {
  const children = processes().filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child.pid, ...descendantsOf(child.pid)])
}

/** Waits until none of them is left; otherwise ends them, so that they do not outlive the test, and fails with their names. */
export async function mustEnd(pids: number[]) {
  for (const deadline = Date.now() + 10_000; ; ) {
    const left = processes().filter(({ pid, state }) => pids.includes(pid) && state !== 'Z')
    if (left.length === 0) return
    if (Date.now() > deadline) {
      for (const { pid } of left) process.kill(pid, 'SIGKILL')
      assert.fail(`still running: ${left.map(({ name }) => name).join(', ')}`)
    }
    await new Promise((resume) => setTimeout(resume, 50))
  }
}

/** Waits for a file below a directory. */
export async function untilThere(dir: string, name: RegExp, withinMs = 120_000) {
  for (const deadline = Date.now() + withinMs; ; ) {
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    if (files.some((file) => name.test(file))) return
    if (Date.now() > deadline) assert.fail(`no file ${name} in ${dir}`)
    await new Promise((resume) => setTimeout(resume, 50))
  }
}

function processes() {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' }).stdout
  return [...listed.matchAll(/^ *(\d+) +(\d+) +(\S)\S* +(.*)$/gm)].map(
    ([, pid, parent, state = '', name = '']) => ({ pid: Number(pid), parent: Number(parent), state, name }),
  )
}
