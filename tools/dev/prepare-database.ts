// What `rounds dev` puts into a migrated database: doctors, and a role to serve as.
import { join } from 'node:path'
import { importDirectory } from '../../src/modules/appointments/import/import-directory.ts'
import { runSql } from './run-sql.ts'

const SAMPLE = join(import.meta.dirname, '../../samples/directory.json')
const SERVING_ROLE = 'rounds_dev'

/** Imports the sample directory where there is none yet, and says what it did. */
export async function fillDirectory(databaseUrl: string): Promise<string> {
  const [directory] = await runSql<{ isEmpty: boolean }>(
    databaseUrl,
    `select not exists (select from appointments.doctors)
      and not exists (select from appointments.specialities) as "isEmpty"`,
  )
  if (!directory?.isEmpty) return 'Directory left as it was: it is not empty'
  const { specialities, doctors } = await importDirectory({ databaseUrl, file: SAMPLE })
  return `Directory of ${doctors.added} invented doctors in ${specialities.added} specialities`
}

/** The address for a role that may only do what serving needs, so that a missing grant shows during development. */
export async function createServingRole(databaseUrl: string): Promise<string> {
  await runSql(databaseUrl, `create role ${SERVING_ROLE} login in role rounds_server`)
  const url = new URL(databaseUrl)
  url.username = SERVING_ROLE
  return url.href
}
