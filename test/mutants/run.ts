// node test/mutants/run.ts [--short] [--only NAME,NAME] [--changed BASE] [--at-once N]
//   Puts one small fault after the other into the sources, each in a git worktree of its own, and runs the test that noticed it
//   last. Where that one passes, `npm run test:changed` runs. Fails if any fault is not noticed: then a test is missing.
//   --short     one fault that needs no database
//   --changed   only faults of files that differ from that commit, or whose test does
//   --at-once   in how many worktrees at a time; two by default
// What stands in the clone counts, committed or not; a new file does once `git add` knows it.
// A fault that another test notices than the one that the table names is reported by the name of that file: write it there.
import { parseArgs } from 'node:util'
import { buildConsoleIfStale } from '../../tools/dev/build-console.ts'
import { endWithoutCleanUp, limitThisProcess } from '../support/process-limits.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS, SHORT } from './mutants.ts'
import { isAlone, NO_DATABASE, type Noticed, startDatabase, startTests, whatNotices } from './what-notices.ts'
import { commitOfClone, git, makeWorktree, type Worktree, withMutant } from './worktree.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    changed: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
  },
})

endWithoutCleanUp()
limitThisProcess('The lab of mutants', 3 * 3_600)
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())

const mutants = await chosen()
const atOnce = Math.min(Number(options['at-once']), mutants.length)
await buildConsoleIfStale()
const areAlone = await Promise.all(mutants.map(({ noticedBy }) => isAlone(noticedBy)))
const database = areAlone.every(Boolean) ? NO_DATABASE : await startDatabase()
const left = [...mutants]
let noticed = 0
const worktrees: Worktree[] = []
let working: Promise<void>[] = []
try {
  const commit = await commitOfClone()
  while (worktrees.length < atOnce) worktrees.push(await makeWorktree(commit))
  working = worktrees.map(tryIn)
  await Promise.all(working)
} finally {
  stopped.abort()
  await Promise.allSettled(working)
  for (const { remove } of worktrees) await remove()
  await database.stop()
}
say(`${noticed} passed, ${mutants.length - noticed} failed`)
process.exitCode = noticed === mutants.length ? 0 : 1

async function tryIn(worktree: Worktree) {
  const run = startTests(worktree.dir, database, stopped.signal)
  for (let mutant = left.shift(); mutant && !stopped.signal.aborted; mutant = left.shift()) {
    const { name, promise, noticedBy } = mutant
    const beganAt = performance.now()
    const found = await withMutant(worktree, mutant, () => whatNotices(mutant, run))
    if (stopped.signal.aborted) return
    const seconds = Math.round((performance.now() - beganAt) / 1_000)
    if (found) noticed++
    say(`${name}: ${promise} ${outcome(found, noticedBy)}, ${seconds} s`)
  }
}

function outcome(found: Noticed | undefined, expected: string): string {
  if (!found) return `NOT NOTICED, also not by ${expected}`
  return `Noticed by ${found.file}${found.file === expected ? '' : ` (not by ${expected})`}: ${found.test}`
}

async function chosen(): Promise<Mutant[]> {
  const { short, only, changed } = options
  if (short) return MUTANTS.filter(({ name }) => name === SHORT)
  const names = only?.split(',')
  const unknown = names?.filter((name) => !MUTANTS.some((mutant) => mutant.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`No such mutant: ${unknown.join(', ')}.`)
  if (names) return MUTANTS.filter(({ name }) => names.includes(name))
  if (changed === undefined) return MUTANTS
  const files = new Set((await git('diff', '--name-only', changed)).split('\n'))
  return MUTANTS.filter(({ file, noticedBy }) => files.has(file) || files.has(noticedBy))
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
