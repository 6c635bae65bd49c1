// A PostgreSQL of its own for the databases of a file, because the transactions of other tests would hold the sequence of changes back.
import { after } from 'node:test'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { runSql } from './harness.ts'

/** Until the file ends. */
export async function useOwnCluster() {
  const postgres = await startThrowawayPostgres()
  after(postgres.stop)
  const template = Object.assign(new URL(postgres.url), { pathname: 'rounds_template' }).href
  await runSql(postgres.url, 'create database rounds_template')
  await migrate(template, { modules: ['fhir'] })
  Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_DATABASE_TEMPLATE: template })
}
