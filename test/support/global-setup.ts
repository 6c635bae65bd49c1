// One throw-away PostgreSQL for a whole run of the tests; each test file makes databases of its own in it. Migrating takes ten
// times as long as copying a database that is migrated, so there is one to copy.
import { readFileSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { buildConsoleIfStale } from '../../tools/dev/build-console.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { packagesInOneFile } from './packages-in-one-file.ts'
import { limitTestFiles } from './process-limits.ts'

const LEAST_MEMORY = 4 * 1_024 ** 3
const TEMPLATE = 'rounds_template'
let postgres: ThrowawayPostgres | undefined
let shared: string | undefined

export async function globalSetup() {
  limitTestFiles()
  // Every test file and every command is a process of its own, and half of its CPU went into compiling the same sources.
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/rounds')
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${await packagesInOneFile()}`
  process.env['TMPDIR'] ??= directoryInMemory()
  shared = await mkdtemp(join(tmpdir(), 'rounds-tests-'))
  process.env['TEST_API_DOCUMENT'] = join(shared, 'openapi.json')
  await buildConsoleIfStale()
  if (process.env['TEST_DATABASE_URL']) return
  postgres = await startThrowawayPostgres()
  await runSql(postgres.url, `create database ${TEMPLATE}`)
  const template = Object.assign(new URL(postgres.url), { pathname: TEMPLATE }).href
  await migrate(template, { modules: ['fhir'] })
  process.env['TEST_DATABASE_URL'] = postgres.url
  process.env['TEST_DATABASE_TEMPLATE'] = template
  process.stdout.write(`Testing on PostgreSQL ${postgres.version}.\n`)
}

export async function globalTeardown() {
  await postgres?.stop()
  if (shared) await rm(shared, { recursive: true, force: true })
}

/** A database has a thousand files: to copy them on a disk takes ten times the CPU, and as long again for the disk. */
function directoryInMemory(): string {
  const mounted = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8') : ''
  const [, options] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounted) ?? []
  if (options === undefined || /\b(ro|noexec)\b/.test(options)) return tmpdir()
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize >= LEAST_MEMORY ? '/dev/shm' : tmpdir()
}
