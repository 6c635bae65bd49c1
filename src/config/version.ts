// The version of this build, which is that of package.json, and the commit that it was made of. The image and the packages of a
// release have the commit in commit.txt, beside package.json. A checkout asks git.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  version: string
}

let known: string | undefined

/** Forty hex digits, followed by ", changed" where the sources were not as committed; or "unknown". */
export function revision(): string {
  known ??= existsSync(`${root}commit.txt`)
    ? readFileSync(`${root}commit.txt`, 'utf8').trim()
    : revisionOfCheckout()
  return known
}

/** The same in short: "0123abc", "0123abc, changed" or "unknown". */
export const commit = (): string => revision().replace(/^([0-9a-f]{7})[0-9a-f]*/, '$1')

function revisionOfCheckout(): string {
  // Else git would name the commit of a repository around this folder.
  if (!existsSync(`${root}.git`)) return 'unknown'
  const head = git('rev-parse', 'HEAD')
  const changes = git('status', '--porcelain')
  if (head === undefined || changes === undefined) return 'unknown'
  return changes === '' ? head : `${head}, changed`
}

/** What git prints; undefined where it is missing or fails. The server's user need not be the owner of the checkout. */
function git(...args: string[]): string | undefined {
  const options = ['--no-optional-locks', '-c', `safe.directory=${root.replace(/\/$/, '')}`]
  const { status, stdout } = spawnSync('git', [...options, ...args], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
