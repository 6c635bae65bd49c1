// What a test needs of the machine. Where it is missing the test says so and is skipped; CI, which installs everything, sets
// CI_FORBIDS_SKIPS, and there it is a failure.
import { existsSync } from 'node:fs'
import { findProgram } from '../../tools/dev/find-program.ts'

/** Options for `test()`. */
export type Needs = { skip?: string }

/** `root` is the user, `linux` what only its kernel tells (/proc) or does (any address of 127.0.0.0/8); else a program. */
export function needs(...things: string[]): Needs {
  for (const thing of things) {
    const { skip } = skipUnless(isThere(thing), sentenceOn(thing))
    if (skip) return { skip }
  }
  return {}
}

export function skipUnless(isMet: boolean, sentence: string): Needs {
  if (isMet) return {}
  if (process.env['CI_FORBIDS_SKIPS']) throw new Error(`CI skips no test, but ${sentence}.`)
  return { skip: sentence }
}

/** The file of a program that `needs` found. */
export function programOf(name: string): string {
  return findProgram(name) ?? name
}

function isThere(thing: string): boolean {
  if (thing === 'root') return process.getuid?.() === 0
  if (thing === 'linux') return existsSync('/proc/net/tcp')
  return findProgram(thing) !== undefined
}

function sentenceOn(thing: string): string {
  if (thing === 'root') return 'only root can do what it tests'
  if (thing === 'linux') return 'only Linux shows what it tests'
  return `${thing} is not installed`
}
