// One throw-away PostgreSQL for a whole run of the tests; each test file makes databases of its own in it.
import { startThrowawayPostgres, type ThrowawayPostgres } from '../tools/dev/throwaway-postgres.ts'

let postgres: ThrowawayPostgres | undefined

export async function globalSetup() {
  if (process.env['TEST_DATABASE_URL']) return
  postgres = await startThrowawayPostgres()
  process.env['TEST_DATABASE_URL'] = postgres.url
  process.stdout.write(`Testing on PostgreSQL ${postgres.version}.\n`)
}

export async function globalTeardown() {
  await postgres?.stop()
}
