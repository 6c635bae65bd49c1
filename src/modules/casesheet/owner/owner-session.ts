// A session of the owner of the tables, for commands that do what the serving role may not. It prints instants as the
// server's sessions do, and takes as long as it takes.
import { Client } from 'pg'
import { isTransient } from '../../../db/database-errors.ts'
import { isNotMigrated } from '../../../db/outage-causes.ts'
import { withSession } from '../../../db/session.ts'
import { codeOf } from '../../../error-code.ts'
import { CommandError } from '../../../refusal.ts'

export async function withOwnerSession<T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withSession(databaseUrl, 'rounds operator', async (client) => {
    await client.query(`
      set timezone = 'UTC';
      set datestyle = 'ISO';
      set jit = off;
      set statement_timeout = 0;
      set lock_timeout = 0;
      set idle_session_timeout = 0;
      set idle_in_transaction_session_timeout = 0;
      select set_config(name, '0', false)
      from pg_settings
      where name = 'transaction_timeout'`)
    await mustBeOwner(client, databaseUrl)
    return work(client)
  }).catch((error: unknown) => {
    throw withMeaning(error, databaseUrl)
  })
}

// The serving role may read and log reads, as it must; still, what is exported is the owner's to decide.
async function mustBeOwner(client: Client, databaseUrl: string) {
  const { rows } = await client.query<{ is_owner: boolean }>(
    "select pg_has_role(relowner, 'usage') as is_owner from pg_class where oid = 'casesheet.readings'::regclass",
  )
  if (!rows[0]?.is_owner) throw notTheOwner(databaseUrl)
}

function notTheOwner(databaseUrl: string, cause?: unknown) {
  const { user, database, host, port } = new Client({ connectionString: databaseUrl })
  return new CommandError(
    `The role "${user}" may not do this in the database "${database}" at ${host}:${port}. Use the role that ran "rounds migrate".`,
    { cause },
  )
}

/** What an operator can fix becomes a sentence. */
function withMeaning(error: unknown, databaseUrl: string): unknown {
  if (error instanceof CommandError) return error
  if (isNotMigrated(error))
    return new CommandError('The database is not up to date. Run "rounds migrate" first.', { cause: error })
  if (codeOf(error) === '42501') return notTheOwner(databaseUrl, error)
  if (isTransient(error))
    return new CommandError(
      'The database cannot be reached, or the connection was lost. Run the command again.',
      { cause: error },
    )
  return error
}
