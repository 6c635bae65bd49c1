// A session of those who migrate, or ask what was migrated.
import { type Client, DatabaseError } from 'pg'
import { codeOf } from '../../error-code.ts'
import { withSession } from '../session.ts'
import { type AppliedMigration, MigrationError } from './migration-files.ts'

/** The advisory lock that the one who migrates holds. */
export const LOCK_ID = 7_069_105_000_001n

export async function withMigrationSession<T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  let isOpen = false
  const begin = (client: Client) => {
    isOpen = true
    return work(client)
  }
  return withSession(databaseUrl, 'rounds migrate', begin).catch((cause: Error) => {
    const { message } = cause
    if (!isOpen)
      throw new MigrationError(`The database cannot be used: ${message || codeOf(cause)}.`, { cause })
    if (codeOf(cause) !== '42501') throw cause
    // Where a migration knows what helps, it says so in its hint.
    const advice = (cause instanceof DatabaseError && cause.hint) || 'Use the owner of the database'
    throw new MigrationError(`The role of DATABASE_URL may not change the tables: ${message}. ${advice}.`, {
      cause,
    })
  })
}

export async function appliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, sha256 from rounds.migration_files order by name collate "C"',
  )
  return rows
}
