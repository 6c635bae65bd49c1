// The sources of a release: what is committed, in a folder of its own, built with the packages that are installed in this clone. A
// file of ours that is not in git cannot get into a release. Packages are held to the lock by what npm noted when it installed
// them: a file of theirs that was changed since is not noticed.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
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

type Package = {
  name?: string
  version: string
  integrity?: string
  optional?: boolean
  devOptional?: boolean
}
type Packages = Partial<Record<string, Package>>

/** One sentence where other packages are installed than the commit's lock has. */
export async function packagesDiffer(): Promise<string[]> {
  const read = (lock: string) => (JSON.parse(lock) as { packages: Packages }).packages
  const wanted = read(await git('show', 'HEAD:package-lock.json'))
  const file = join(ROOT, 'node_modules/.package-lock.json')
  const installed = existsSync(file) ? read(await readFile(file, 'utf8')) : {}
  const identity = (one?: Package) => [one?.name, one?.version, one?.integrity].join(' ')
  // Optional ones may be for other machines.
  const isMissing = (path: string) =>
    installed[path] === undefined && (wanted[path]?.optional || wanted[path]?.devOptional)
  const others = [...new Set([...Object.keys(wanted), ...Object.keys(installed)])].filter(
    (path) => path !== '' && !isMissing(path) && identity(wanted[path]) !== identity(installed[path]),
  )
  if (others.length === 0) return []
  const some = others.slice(0, 3).map((path) => path.replace('node_modules/', ''))
  return [
    `Packages are not installed as package-lock.json says (${some.join(', ')}${others.length > 3 ? ', …' : ''}): run "npm ci --ignore-scripts".`,
  ]
}

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
