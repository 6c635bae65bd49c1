// What must be so before patients are moved between two databases.
import type { Client } from 'pg'
import { moduleOf } from '../../../db/migrate/migration-files.ts'

type Facts = {
  encoding: string
  generation: string
  migrations: string[]
  wal_level: string
  free_slots: number
  free_senders: number
  /** The keys under which patients are refused. */
  refusal_keys: string[]
  /** That of the latest erasure. */
  erasure_key: string | null
}

/** One for the move, one for each table that is being copied; fewer would only copy one table after the other. */
const SLOTS_OF_MOVE = 2

const numbered = ({ migrations }: Facts) => migrations.filter((name) => moduleOf(name) === undefined)

/** What keeps the move from beginning, each in a sentence. */
export async function findObstacles(source: Client, target: Client): Promise<string[]> {
  const [ours, theirs] = [await factsOf(source), await factsOf(target)]
  const obstacles: [isInTheWay: boolean, sentence: string][] = [
    [
      ours.generation === theirs.generation,
      'Both addresses lead to the same database, or one is a copy of the other.',
    ],
    [
      ours.encoding !== 'UTF8' || theirs.encoding !== 'UTF8',
      'Both databases must be in UTF8: in another encoding, patients have other slots.',
    ],
    [
      numbered(ours).join() !== numbered(theirs).join(),
      'The two databases are not of the same release. Run "rounds migrate" on both first.',
    ],
    [
      ours.migrations.some((name) => moduleOf(name) !== undefined && !theirs.migrations.includes(name)),
      'The new cell lacks what a module of the old cell needs. Run "rounds migrate" there with the MODULES of the old cell first.',
    ],
    [
      ours.wal_level !== 'logical',
      'The old cell needs "wal_level = logical" in its PostgreSQL, which takes a restart. Adds take as long as before.',
    ],
    [
      ours.free_slots < SLOTS_OF_MOVE || ours.free_senders < SLOTS_OF_MOVE,
      `The old cell has ${ours.free_slots} replication slots and ${ours.free_senders} WAL senders left, and a move needs ${SLOTS_OF_MOVE} of each: raise max_replication_slots and max_wal_senders, or drop unused slots (pg_replication_slots).`,
    ],
    [
      !doShareKey(ours, theirs),
      'The old cell refuses erased patients under another ERASURE_KEY than the new cell has used. Give all servers of both cells the same one; refusals under the other must have ended.',
    ],
  ]
  return obstacles.flatMap(([isInTheWay, sentence]) => (isInTheWay ? [sentence] : []))
}

/**
 * Rules that move must be evaluated in the new cell too. Not asked of databases of different releases, which may lack the tables. A cell
 * whose servers do not run evaluates nothing either; the old one may have been stopped on purpose.
 */
export async function findUnwatched(source: Client, target: Client): Promise<string[]> {
  const isWatched = async (client: Client, condition: string) => {
    const { rows } = await client.query(
      `select from care.alert_watch where watched_at > now() - interval '1 minute' and ${condition}`,
    )
    return rows.length > 0
  }
  if (!(await isWatched(source, "exists (select from casesheet.rules where state = 'set')"))) return []
  if (await isWatched(target, 'true')) return []
  return [
    'The old cell evaluates rules of alerts, and the new one does not: start the servers of the new cell with ALERTS=on first.',
  ]
}

/** Refusals of erased patients are copied. Servers of the new cell that have another key would store nothing from then on. */
function doShareKey(ours: Facts, theirs: Facts): boolean {
  const keysInUse =
    theirs.refusal_keys.length > 0 || theirs.erasure_key === null ? theirs.refusal_keys : [theirs.erasure_key]
  return ours.refusal_keys.every((key) => keysInUse.length === 0 || keysInUse.includes(key))
}

/** SQL: whether the name is that of a move, or of the copy of a table. A move that goes on has its own already. */
const isOfMove = (name: string) =>
  String.raw`(${name} like 'rounds\_move\_%' or ${name} like 'pg\_%\_sync\_%')`

async function factsOf(client: Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_encoding') as encoding, generation::text as generation,
       current_setting('wal_level') as wal_level,
       current_setting('max_replication_slots')::integer - (
         select count(*) from pg_replication_slots where not ${isOfMove('slot_name')}
       )::integer as free_slots,
       current_setting('max_wal_senders')::integer - (
         select count(*) from pg_stat_replication where not ${isOfMove('application_name')}
       )::integer as free_senders,
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
