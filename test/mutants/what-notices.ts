// Runs tests in a worktree that holds a fault, and says which of them noticed it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import type { Mutant } from './mutant.ts'
import { ROOT } from './worktree.ts'

const LONGEST_FILE_MS = 5 * 60_000
const LONGEST_CHANGED_MS = 20 * 60_000
const GLOBAL_SETUP = 'test/support/global-setup.ts'
const TEMPLATE = 'rounds_template'

/** The test file, and the name of its first test that failed. */
export type Noticed = { file: string; test: string }

type Ran = { hasPassed: boolean; output: string }

/** One for all mutants but those of migrations: starting and migrating it takes longer than most of the tests. */
export async function startDatabase() {
  const postgres = await startThrowawayPostgres()
  await runSql(postgres.url, `create database ${TEMPLATE}`)
  const template = Object.assign(new URL(postgres.url), { pathname: TEMPLATE }).href
  await migrate(template, { modules: ['fhir'] })
  const environment = { TEST_DATABASE_URL: postgres.url, TEST_DATABASE_TEMPLATE: template }
  return { environment, stop: postgres.stop }
}

/** For tests that need none. */
export const NO_DATABASE = { environment: {}, stop: async () => {} }

type Database = Awaited<ReturnType<typeof startDatabase>> | typeof NO_DATABASE
type Tests = ReturnType<typeof startTests>

export function startTests(cwd: string, database: Database, stopped: AbortSignal) {
  async function run(
    command: string[],
    { limitMs, isOwnDatabase }: { limitMs: number; isOwnDatabase: boolean },
  ) {
    if (stopped.aborted) return { hasPassed: false, output: '' }
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const [program = '', ...args] = command
    // A group of its own: what does not end is killed with everything that it has started.
    const child = spawn(program, args, {
      cwd,
      detached: true,
      env: isOwnDatabase ? environment : { ...environment, ...database.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
    }
    const kill = () => killGroup(child.pid)
    const timer = setTimeout(kill, limitMs)
    stopped.addEventListener('abort', kill)
    const [code] = await once(child, 'close')
    clearTimeout(timer)
    stopped.removeEventListener('abort', kill)
    return { hasPassed: code === 0, output }
  }

  return {
    async file(file: string, isOwnDatabase: boolean): Promise<Ran> {
      const setup = (await isAlone(file)) ? [] : [`--test-global-setup=${GLOBAL_SETUP}`]
      const command = [process.execPath, '--test', ...setup, '--test-reporter=tap', file]
      return run(command, { limitMs: LONGEST_FILE_MS, isOwnDatabase })
    },
    changed: (isOwnDatabase: boolean): Promise<Ran> =>
      run(['npm', 'run', '-s', 'test:changed'], { limitMs: LONGEST_CHANGED_MS, isOwnDatabase }),
  }
}

export async function whatNotices({ file, noticedBy }: Mutant, tests: Tests): Promise<Noticed | undefined> {
  const isOwnDatabase = file.startsWith('migrations/')
  const first = await tests.file(noticedBy, isOwnDatabase)
  if (!first.hasPassed) return { file: noticedBy, test: firstFailed(first.output, noticedBy) }
  if (!(await hasChangedScript())) return undefined
  const { hasPassed, output } = await tests.changed(isOwnDatabase)
  return hasPassed ? undefined : firstInReport(output)
}

/** Whether a test needs neither a database nor a browser. */
export async function isAlone(file: string): Promise<boolean> {
  return !/support\/|browser\.ts|client-of\.ts|device\.ts/.test(await readFile(join(ROOT, file), 'utf8'))
}

async function hasChangedScript(): Promise<boolean> {
  return (await readFile(join(ROOT, 'package.json'), 'utf8')).includes('"test:changed"')
}

/** A failed test is followed by the suite or file that it stands in. */
function firstFailed(output: string, file: string): string {
  const names = Array.from(output.matchAll(/^ *not ok \d+ - (.*)$/gm), ([, name = '']) => name)
  return names.find((name) => !name.endsWith(file)) ?? `the file did not end well: ${output.slice(-300)}`
}

/** The reporter for people names each failed test once more at the end, by place and name. */
function firstInReport(output: string): Noticed {
  const [, file = 'test:changed', test = 'it failed'] =
    /^test at (\S+?):\d+:\d+\n(?:✖ )?(.*)$/m.exec(output) ?? []
  return { file, test }
}

function killGroup(pid: number | undefined) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
