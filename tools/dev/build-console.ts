// In a clone the console is built when it is missing or older than its sources, so that `rounds dev` and the tests never show
// another one. `npm run build:console` builds it in any case.
import { execFile } from 'node:child_process'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '../../src/error-code.ts'
import { CommandError } from '../../src/refusal.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'dist/console')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
/** What the build is made from: the console, the client that it calls with, and the packages. */
const SOURCES = ['clients/console/src', 'clients/typescript/src']
const SOURCE_FILES = ['clients/console/index.html', 'clients/console/vite.config.ts', 'package-lock.json']

export async function buildConsoleIfStale(): Promise<void> {
  const [builtAt, changedAt] = await Promise.all([timeOf(join(BUILT, 'index.html')), newestSource()])
  if (builtAt > changedAt) return
  // Another process may read what is there, or build as well: each builds beside it, and puts the whole into place.
  const beside = `${BUILT}-${process.pid}`
  const args = [VITE, 'build', 'clients/console', '--logLevel', 'warn', '--outDir', beside]
  await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((cause: Error) => {
    throw new CommandError(`The console cannot be built (is "npm ci" done?):\n${cause.message}`, { cause })
  })
  await rename(BUILT, `${beside}-old`).catch(ignore('ENOENT'))
  await rename(beside, BUILT).catch(ignore('ENOTEMPTY', 'EEXIST'))
  for (const left of [beside, `${beside}-old`]) await rm(left, { recursive: true, force: true })
}

async function newestSource(): Promise<number> {
  const within = await Promise.all(
    SOURCES.map(async (dir) => {
      const names = await readdir(join(ROOT, dir), { recursive: true })
      return names.map((name) => join(dir, name))
    }),
  )
  const times = await Promise.all([...SOURCE_FILES, ...within.flat()].map((file) => timeOf(join(ROOT, file))))
  return Math.max(...times)
}

const timeOf = async (file: string) => (await stat(file).catch(ignore('ENOENT')))?.mtimeMs ?? 0

const ignore =
  (...codes: string[]) =>
  (error: Error) => {
    if (!codes.includes(codeOf(error))) throw error
  }
