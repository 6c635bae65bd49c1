// A process of the tests must end. Node's runner limits a test and not its file: a file that waits at its top level, that leaves a
// handle open, or that never ends in Node's clean-up would hold a run for ever.
//
// `--test-force-exit` is no help: it cuts output that a pipe has not taken yet, does not wait for the global teardown, and does nothing for
// a file that never gets to its tests.
import { spawnSync } from 'node:child_process'
import { codeOf } from '../../src/error-code.ts'

/** The longest file takes less than five minutes; imports of gigabytes may take longer (TEST_FILE_SECONDS). */
const LIMIT_S = 20 * 60
const LOOK_EVERY_MS = 5_000

/** Kills test files that this process runs for longer than that, and names them: the runner then reports the file as failed. */
export function limitTestFiles(limitS = Number(process.env['TEST_FILE_SECONDS'] ?? LIMIT_S)) {
  setInterval(() => killOlderThan(limitS), LOOK_EVERY_MS).unref()
}

function killOlderThan(limitS: number) {
  // Where there is no ps, nothing is limited.
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,etime=,args='], { encoding: 'utf8' })
  for (const line of (stdout ?? '').split('\n')) {
    const [, pid, parent, elapsed = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (Number(parent) !== process.pid || secondsOf(elapsed) < limitS) continue
    const file = /\S+\.(?:test|lab)\.ts$/.exec(args.trimEnd())?.[0]
    if (file === undefined) continue
    process.stdout.write(`${file} has run for ${elapsed} and is killed: it must end within ${limitS} s.\n`)
    killUnlessGone(Number(pid))
  }
}

/** [[days-]hours:]minutes:seconds */
function secondsOf(elapsed: string): number {
  const [days, time] = elapsed.includes('-') ? elapsed.split('-') : ['0', elapsed]
  const seconds = (time ?? '').split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
  return 86_400 * Number(days) + seconds
}

function killUnlessGone(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** For a script that runs tests itself: ends this process, with a message that names it, if it still runs then. */
export function limitThisProcess(name: string, limitS: number) {
  const end = () => {
    const left = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`${name} did not end within ${limitS} s. What is left: ${left}.\n`)
    process.exit(1)
  }
  setTimeout(end, limitS * 1_000).unref()
}

/** When nothing is left to do: Node's clean-up of handles was seen to spin for ever. All output has been taken by then. */
export function endWithoutCleanUp() {
  process.once('beforeExit', () => process.once('exit', () => process.exit()))
}
