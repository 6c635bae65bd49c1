// The release before this one, from the history of the clone: the newest tag that is not this version's own. Nothing is fetched; a clone
// without tags has none.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

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
  return tag && linesOf(['rev-parse', '--verify', '--quiet', `${tag}^{commit}`])[0]
}

const commit = findCommit()

/** Before the first release, and in a clone of the last commit only, as CI's may be, no upgrade can be rehearsed. */
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
