// The release before this one, from the history of the clone: the newest tag that is not this version's own, or, as long as there
// is none, the last commit before the migration that began this release. Nothing is fetched; a clone without history has none.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const FIRST_MIGRATION = 'migrations/0010-changes.sql'

// A container's user is often not the one that owns the clone.
const GIT = ['-c', 'safe.directory=*']
const linesOf = (args: string[]) =>
  (spawnSync('git', [...GIT, ...args], { cwd: ROOT, encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter((line) => line !== '')

function findCommit(): string | undefined {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const tags = linesOf(['tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*'])
  const tag = tags.find((name) => name !== `v${version}`)
  const added = linesOf(['log', '--diff-filter=A', '--format=%H', '--', FIRST_MIGRATION]).at(-1)
  const [commit] = linesOf(['rev-parse', '--verify', '--quiet', `${tag ?? `${added}^`}^{commit}`])
  return commit
}

const commit = findCommit()

/** A clone of the last commit only, as CI's may be, cannot rehearse an upgrade. */
export const hasHistory = commit !== undefined

/** Puts its sources into a directory, with the packages of this release. */
export function unpackPreviousRelease(dir: string): string {
  return commit === undefined ? dir : unpackCommit(commit, dir)
}

/** The same for any commit of the history. */
export function unpackCommit(name: string, dir: string): string {
  const input = execFileSync('git', [...GIT, 'archive', name, 'src', 'migrations', 'package.json'], {
    cwd: ROOT,
    maxBuffer: 64 * 1_024 * 1_024,
  })
  execFileSync('tar', ['-x', '-C', dir], { input })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  return dir
}
