// Tries mutants in a process of its own, which is started again when a mutant has ended it.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Task, Verdict } from './try-mutants.ts'

/** What grows for ever ends here. */
const MAX_HEAP_MB = 1_024
/** What a process loads it keeps. */
const TASKS_OF_A_PROCESS = 100
/** Less than the tests do otherwise: a mutant that this does not kill is better killed by an example. */
const SHORTER = { WORLDS: '300', PROPERTY_RUNS: '200' }

export function createTester() {
  let tester: ChildProcess | undefined
  let tasks = 0

  function start(): ChildProcess {
    tasks = 0
    return fork(join(import.meta.dirname, 'try-mutants.ts'), {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...SHORTER },
    })
  }

  function stop() {
    tester?.kill('SIGKILL')
    tester = undefined
  }

  async function judge(task: Task): Promise<Verdict> {
    const own = (tester ??= start())
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    const onExit = (code: number | null, signal: string | null) => {
      tester = undefined
      resolve({ failed: `ended with ${signal ?? code}`, slowestMs: 0 })
    }
    own.once('message', resolve as (message: unknown) => void).once('exit', onExit)
    own.send(task)
    const verdict = await promise
    own.off('message', resolve as (message: unknown) => void).off('exit', onExit)
    if (++tasks === TASKS_OF_A_PROCESS) stop()
    return verdict
  }

  return { judge, stop }
}
