// Whether two cells hold the same readings of some slots, in every column that is moved. Nearly all of the work is done before the
// switch, while readings are added and withdrawn, and is exact all the same:
//
// - Before: a snapshot of the old cell is taken, and one of the new cell once it has confirmed all before that. Both are digested. Then
//   the old cell lists what it has changed since its snapshot, by the ids of transactions; in each snapshot, the digest of those
//   readings is taken off. What is left did not change at all, and must be equal.
// - In the switch, when nothing changes any more: what was changed since the first snapshot, which the old cell lists again, must be
//   equal in its last state. All other readings are those that were compared before.
//
// Entries of the access log have no key and never change; PostgreSQL cannot meet a conflict when it applies them. So they are counted:
// the new cell must have no fewer than the first snapshot of the old one, and no more than the old one has later. Those who follow
// the changes of the new cell have been shown what came in, and that stands in its log too; those are not counted.
import type { Client } from 'pg'
import { CommandError } from '../../../../refusal.ts'
import { isInRange, type SlotRange } from '../slot-range.ts'

const MOVED_COLUMNS = `patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details::text, received_at, added_by,
      withdrawn_at, withdrawn_by, withdrawn_reason`

/** A sum of hashes does not depend on the order of the rows. */
const DIGEST = `count(*)::float8 as count, coalesce(sum(hash_record_extended(row(${MOVED_COLUMNS}), 0)), 0)::text as digest`

type Digest = { count: number; digest: bigint }

/** What was found equal; and since which transaction changes are to be compared once more. */
export type Compared = { readings: number; accesses: number; since: string }

/** Sessions of their own, whose snapshots stay. `untilSent` waits until the new cell has all that the old one has now. */
export type Snapshots = { source: Client; target: Client; untilSent: () => Promise<void> }

const BEGIN = 'begin isolation level repeatable read read only'

export async function compareBefore(
  source: Client,
  range: SlotRange,
  { source: before, target: after, untilSent }: Snapshots,
): Promise<Compared> {
  await before.query(BEGIN)
  const { rows } = await before.query<{ since: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
  )
  const since = rows[0]?.since ?? ''
  await untilSent()
  await after.query(BEGIN)
  const [ours, theirs] = await Promise.all([digestOf(before, range), digestOf(after, range)])
  const [first, there] = await Promise.all([countAccesses(before, range), countAccesses(after, range)])
  const changed = await listChanged(source, range, since)
  const last = await countAccesses(source, range)
  const [changedOurs, changedTheirs] = await Promise.all([
    digestOfKeys(before, changed),
    digestOfKeys(after, changed),
  ])
  await before.query('commit')
  await after.query('commit')
  mustBeEqual(without(ours, changedOurs), without(theirs, changedTheirs))
  if (there < first || there > last) throw differ(`${first} to ${last} entries of the access log`, there)
  return { readings: ours.count, accesses: there, since }
}

/** Nothing changes any more; the new cell has confirmed everything. */
export async function compareChanged(source: Client, target: Client, range: SlotRange, since: string) {
  const changed = await listChanged(source, range, since)
  const [ours, theirs] = await Promise.all([digestOfKeys(source, changed), digestOfKeys(target, changed)])
  mustBeEqual(ours, theirs)
}

type Row = { count: number; digest: string }

const digestFrom = ({ count, digest }: Row = { count: 0, digest: '0' }): Digest => ({
  count,
  digest: BigInt(digest),
})

async function digestOf(client: Client, range: SlotRange): Promise<Digest> {
  const { rows } = await client.query<Row>(
    `select ${DIGEST} from casesheet.readings where ${isInRange(range)}`,
  )
  return digestFrom(rows[0])
}

async function countAccesses(client: Client, range: SlotRange): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count
     from casesheet.access_log
     where operation <> 'readings/changes'
       and ${isInRange(range)}`,
  )
  return rows[0]?.count ?? 0
}

type Keys = { patients: string[]; instants: string[]; ids: string[] }

async function listChanged(source: Client, range: SlotRange, since: string): Promise<Keys> {
  const { rows } = await source.query<Keys>(
    `select coalesce(array_agg(patient_uid), '{}') as patients,
       coalesce(array_agg(measured_at::text), '{}') as instants,
       coalesce(array_agg(reading_id::text), '{}') as ids
     from casesheet.readings
     where changed_xid >= $1::xid8
       and ${isInRange(range)}`,
    [since],
  )
  return rows[0] ?? { patients: [], instants: [], ids: [] }
}

async function digestOfKeys(client: Client, { patients, instants, ids }: Keys): Promise<Digest> {
  const { rows } = await client.query<Row>(
    `select ${DIGEST}
     from unnest($1::text[], $2::timestamptz[], $3::uuid[]) as changed (patient_uid, measured_at, reading_id)
     join casesheet.readings using (patient_uid, measured_at, reading_id)`,
    [patients, instants, ids],
  )
  return digestFrom(rows[0])
}

function without(all: Digest, some: Digest): Digest {
  return { count: all.count - some.count, digest: all.digest - some.digest }
}

function mustBeEqual(ours: Digest, theirs: Digest) {
  if (ours.count !== theirs.count || ours.digest !== theirs.digest)
    throw differ(`${ours.count} readings`, theirs.count)
}

function differ(ours: string, theirs: number): CommandError {
  return new CommandError(
    `The two cells differ: the old one has ${ours}, the new one ${theirs}, or others. The old cell goes on serving the slots. Run "rounds cell abort", then move again.`,
  )
}
