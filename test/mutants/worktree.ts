// A git worktree for mutants, beside the clone that it was started from: with what stands there, committed or not, and with the
// packages and the built console of the clone.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Mutant } from './mutant.ts'

export const ROOT = join(import.meta.dirname, '../..')
const LINKED = ['node_modules', '.tools']

export type Worktree = Awaited<ReturnType<typeof makeWorktree>>

/** What stands in the clone, as a commit: also what is not committed yet. */
export async function commitOfClone(): Promise<string> {
  return (await git('stash', 'create')) || 'HEAD'
}

export async function makeWorktree(commit: string) {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-mutant-'))
  const remove = async () => {
    await git('worktree', 'remove', '--force', dir).catch(() => {})
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await git('worktree', 'add', '--quiet', '--detach', dir, commit)
    for (const name of LINKED) {
      if (existsSync(join(ROOT, name))) await symlink(join(ROOT, name), join(dir, name))
    }
    await cp(join(ROOT, 'dist/console'), join(dir, 'dist/console'), { recursive: true })
    return { dir, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Does the work while the fault is in the worktree. */
export async function withMutant<T>({ dir }: Worktree, mutant: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(dir, mutant.file)
  const sound = await readFile(path, 'utf8')
  if (sound.split(mutant.from).length !== 2) {
    throw new Error(`${mutant.name}: its text does not stand once in ${mutant.file}.`)
  }
  await writeFile(
    path,
    sound.replace(mutant.from, () => mutant.to),
  )
  try {
    return await work()
  } finally {
    await writeFile(path, sound)
  }
}

export async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT })
  return stdout.trim()
}
