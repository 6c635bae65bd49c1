// What must be so before patients are moved between two databases.
import type { Client } from 'pg'
import { CommandError } from '../../../../refusal.ts'

type Facts = {
  encoding: string
  generation: string
  migrations: string[]
  wal_level: string
  /** The keys under which patients are refused. */
  refusal_keys: string[]
  /** That of the latest erasure. */
  erasure_key: string | null
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
  mustShareKey(ours, theirs)
}

/** Refusals of erased patients are copied. Servers of the new cell that have another key would store nothing from then on. */
function mustShareKey(ours: Facts, theirs: Facts) {
  const keysInUse =
    theirs.refusal_keys.length > 0 || theirs.erasure_key === null ? theirs.refusal_keys : [theirs.erasure_key]
  if (ours.refusal_keys.every((key) => keysInUse.length === 0 || keysInUse.includes(key))) return
  throw new CommandError(
    'The old cell refuses erased patients under another ERASURE_KEY than the new cell has used. Give all servers of both cells the same one; refusals under the other must have ended.',
  )
}

async function factsOf(client: Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_encoding') as encoding, generation::text as generation,
       current_setting('wal_level') as wal_level,
       array(select name from rounds.migration_files order by name) as migrations,
       array(
         select distinct encode(key_id, 'hex')
         from casesheet.refused_patients
         where refused_until > now()
       ) as refusal_keys,
       (
         select encode(key_id, 'hex')
         from casesheet.erasures
         where key_id is not null
         order by at desc, erasure_id
         limit 1
       ) as erasure_key
     from casesheet.feed`,
  )
  const [facts] = rows
  if (!facts) throw new Error('casesheet.feed has no row.')
  return facts
}
