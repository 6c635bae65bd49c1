// The sources of a release: what is committed, in a folder of its own, built. A file that is not in git cannot get into a release.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

export type Sources = {
  dir: string
  /** All forty digits. */
  revision: string
  /** Seconds since 1970: the time that everything in a package has. */
  committedAt: number
}

export async function runIn(
  cwd: string,
  command: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const [file = '', ...args] = command
  const options = { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1_024 * 1_024 }
  return (await promisify(execFile)(file, args, options)).stdout.trim()
}

export const git = (...args: string[]) => runIn(ROOT, ['git', ...args])

/** Does the work with the sources of the commit that is checked out, and removes them. */
export async function withSources<T>(work: (sources: Sources) => Promise<T>): Promise<T> {
  const [revision, committedAt] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('show', '--no-patch', '--format=%ct', 'HEAD'),
  ])
  const dir = await mkdtemp(join(tmpdir(), 'rounds-sources-'))
  try {
    await git('archive', `--output=${join(dir, 'sources.tar')}`, revision)
    await runIn(dir, ['tar', '-xf', 'sources.tar'])
    await rm(join(dir, 'sources.tar'))
    await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
    await runIn(dir, ['npm', 'run', '--silent', 'build'])
    return await work({ dir, revision, committedAt: Number(committedAt) })
  } finally {
    await rm(dir, { recursive: true })
  }
}
