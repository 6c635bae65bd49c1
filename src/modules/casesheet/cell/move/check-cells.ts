// What must be so before patients are moved between two databases.
import type { Client } from 'pg'
import { CommandError } from '../../../../refusal.ts'

type Facts = {
  encoding: string
  generation: string
  migrations: string[]
  wal_level: string
}

export async function checkCells(source: Client, target: Client) {
  const [ours, theirs] = [await factsOf(source), await factsOf(target)]
  if (ours.generation === theirs.generation)
    throw new CommandError('Both addresses lead to the same database, or one is a copy of the other.')
  if (ours.encoding !== 'UTF8' || theirs.encoding !== 'UTF8')
    throw new CommandError('Both databases must be in UTF8: in another encoding, patients have other slots.')
  if (ours.migrations.join() !== theirs.migrations.join())
    throw new CommandError(
      'The two databases are not of the same release. Run "rounds migrate" on both first.',
    )
  if (ours.wal_level !== 'logical')
    throw new CommandError(
      'The old cell needs "wal_level = logical" in its PostgreSQL, which takes a restart. Adds take as long as before.',
    )
}

async function factsOf(client: Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_encoding') as encoding, generation::text as generation,
       current_setting('wal_level') as wal_level,
       array(select name from rounds.migration_files order by name) as migrations
     from casesheet.feed`,
  )
  const [facts] = rows
  if (!facts) throw new Error('casesheet.feed has no row.')
  return facts
}
