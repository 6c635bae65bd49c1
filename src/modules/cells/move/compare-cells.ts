// Whether two cells hold the same readings, corrections, grants, targets, reviews, rules and alerts of some slots, in every column that is
// moved. Nearly all of the work is done before the switch, while they are written, and is exact all the same:
//
// - Before: a snapshot of the old cell is taken, and one of the new cell once it has confirmed all before that. Both are digested. Then
//   the old cell lists what it has changed since its snapshot, by the ids of transactions; in each snapshot, the digest of that is
//   taken off. What is left did not change at all, and must be equal.
// - In the switch, when nothing changes any more: what was changed since the first snapshot, which the old cell lists again, must be
//   equal in its last state. All else was compared before.
// - Corrections are compared with the readings that they belong to, and the history of a grant, target or rule with it: what writes one
//   changes the other in the same transaction.
// - Pending alerts are left out. They follow from the readings, and are the only rows that a server deletes: one that is deleted between
//   the two snapshots is in no list of changes.
//
// Entries of the access log have no key and never change; PostgreSQL cannot meet a conflict when it applies them. So they are counted:
// the new cell must have no fewer than the first snapshot of the old one, and no more than the old one has later. Those who follow
// the changes of the new cell have been shown what came in, and that stands in its log too; those are not counted.
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'
import { isInRange, type SlotRange } from '../slot-range.ts'
import type { Compared } from './move-record.ts'
import type { MovedTable } from './moved-tables.ts'

/** What changes: a table with its key, and the columns that are moved of it and of the table that is written with it. */
type Compare = {
  table: MovedTable
  key: Record<string, 'text' | 'timestamptz' | 'uuid'>
  columns: Partial<Record<MovedTable, string>>
  /** SQL: which rows of the table are compared; all if it is missing. */
  only?: string
}

const READINGS: Compare = {
  table: 'casesheet.readings',
  key: { patient_uid: 'text', measured_at: 'timestamptz', reading_id: 'uuid' },
  columns: {
    'casesheet.readings': `patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details::text, received_at,
      added_by, withdrawn_at, withdrawn_by, withdrawn_as, withdrawn_reason, changed_at`,
    'casesheet.corrections': `patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as, reason,
      corrections.at`,
  },
}

const GRANTS: Compare = {
  table: 'casesheet.grants',
  key: { patient_uid: 'text', doctor_id: 'text' },
  columns: {
    'casesheet.grants': `patient_uid, doctor_id, grant_id, state, permission, reading_types, valid_until, shared_as, list_key,
      given_at, changed_by, changed_at`,
    'casesheet.grant_changes': `patient_uid, grant_id, doctor_id, action, permission, reading_types, valid_until, shared_as,
      changed_by, changed_at`,
  },
}

const TARGETS: Compare = {
  table: 'casesheet.targets',
  key: { patient_uid: 'text', reading_type: 'text', field: 'text' },
  columns: {
    'casesheet.targets': `patient_uid, reading_type, field, target_id, state, low, high, below, unit, label, preset, changed_by,
      allowed_as, doctor_id, changed_at`,
    'casesheet.target_changes': `patient_uid, target_id, reading_type, field, action, low, high, below, unit, label, preset,
      changed_by, allowed_as, doctor_id, changed_at`,
  },
}

const REVIEWS: Compare = {
  table: 'casesheet.reviews',
  key: { patient_uid: 'text', review_id: 'uuid' },
  columns: { 'casesheet.reviews': 'patient_uid, review_id, doctor_id, reviewed_by, note, at' },
}

const RULES: Compare = {
  table: 'casesheet.rules',
  key: { patient_uid: 'text', rule_id: 'uuid' },
  columns: {
    'casesheet.rules': `patient_uid, rule_id, version_id, state, reading_type, field, severity, terms::text, changed_by,
      doctor_id, changed_at`,
    'casesheet.rule_changes':
      'patient_uid, version_id, rule_id, action, terms::text, changed_by, doctor_id, changed_at',
  },
}

const ALERTS: Compare = {
  table: 'casesheet.alerts',
  key: { patient_uid: 'text', alert_id: 'uuid' },
  columns: {
    'casesheet.alerts': `patient_uid, alert_id, rule_id, version_id, reading_type, field, severity, condition, since, since_id, until,
      opened_at, resolved_at, readings::text, why, announced_at, quiet, acknowledged_point,
      acknowledged_at, acknowledged_by, acknowledged_doctor, acknowledged_note`,
  },
  only: "condition <> 'pending'",
}

const ALERT_EVENTS: Compare = {
  table: 'casesheet.alert_events',
  key: { patient_uid: 'text', event_id: 'uuid' },
  columns: {
    'casesheet.alert_events': `patient_uid, event_id, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by,
      doctor_id, point, at`,
  },
}

const COMPARED_AFTER_READINGS = [GRANTS, TARGETS, REVIEWS, RULES, ALERTS, ALERT_EVENTS]

/** A sum of hashes does not depend on the order of the rows. */
const digestText = (columns: string) =>
  `count(*)::float8 as count, coalesce(sum(hash_record_extended(row(${columns}), 0)), 0)::text as digest`

type Digest = { count: number; digest: bigint }

/** And since which transaction changes are to be compared once more. */
type ComparedUntil = Compared & { since: string }

/** Sessions of their own, whose snapshots stay. `untilSent` waits until the new cell has all that the old one has now. */
export type Snapshots = { source: Client; target: Client; untilSent: () => Promise<void> }

const BEGIN = 'begin isolation level repeatable read read only'

export async function compareBefore(
  source: Client,
  range: SlotRange,
  { source: before, target: after, untilSent }: Snapshots,
): Promise<ComparedUntil> {
  await before.query(BEGIN)
  const { rows } = await before.query<{ since: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
  )
  const since = rows[0]?.since ?? ''
  await untilSent()
  await after.query(BEGIN)
  const readings = await compareUnchanged(READINGS)
  for (const what of COMPARED_AFTER_READINGS) await compareUnchanged(what)
  const [first, there] = await Promise.all([countAccesses(before, range), countAccesses(after, range)])
  const last = await countAccesses(source, range)
  await before.query('commit')
  await after.query('commit')
  if (there < first || there > last) throw differ(`${first} to ${last} entries of the access log`, there)
  return { readings, accesses: there, since }

  async function compareUnchanged(what: Compare): Promise<number> {
    const [ours, theirs] = await Promise.all([digestOf(before, what, range), digestOf(after, what, range)])
    const changed = await listChanged(source, what, { range, since })
    const [changedOurs, changedTheirs] = await Promise.all([
      digestOfKeys(before, what, changed),
      digestOfKeys(after, what, changed),
    ])
    mustBeEqual(what, without(ours, changedOurs), without(theirs, changedTheirs))
    return ours.count
  }
}

/** Nothing changes any more; the new cell has confirmed everything. */
export async function compareChanged(source: Client, target: Client, range: SlotRange, since: string) {
  for (const what of [READINGS, ...COMPARED_AFTER_READINGS]) {
    const changed = await listChanged(source, what, { range, since })
    const [ours, theirs] = await Promise.all([
      digestOfKeys(source, what, changed),
      digestOfKeys(target, what, changed),
    ])
    mustBeEqual(what, ours, theirs)
  }
}

type Row = { count: number; digest: string }

/** Rows that are not counted are in the digest by their number. */
function digestFrom({ count, digest }: Row = { count: 0, digest: '0' }, isCounted: boolean): Digest {
  return isCounted ? { count, digest: BigInt(digest) } : { count: 0, digest: BigInt(digest) + BigInt(count) }
}

/** Rows of the table are counted; the digest is also of those that are written with them. */
async function digestOf(
  client: Client,
  { table, columns, only = 'true' }: Compare,
  range: SlotRange,
): Promise<Digest> {
  const digests: Digest[] = []
  for (const [name, moved] of Object.entries(columns)) {
    const { rows } = await client.query<Row>(
      `select ${digestText(moved)} from ${name} where ${isInRange(range)} and ${only}`,
    )
    digests.push(digestFrom(rows[0], name === table))
  }
  return together(digests)
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

/** A list of each column of the key. */
type Keys = string[][]

async function listChanged(
  source: Client,
  { table, key }: Compare,
  { range, since }: { range: SlotRange; since: string },
): Promise<Keys> {
  const { rows } = await source.query<Keys>({
    text: `select ${Object.keys(key)
      .map((column) => `coalesce(array_agg(${column}::text), '{}')`)
      .join()}
     from ${table}
     where changed_xid >= $1::xid8
       and ${isInRange(range)}`,
    values: [since],
    rowMode: 'array',
  })
  return rows[0] ?? []
}

async function digestOfKeys(
  client: Client,
  { table, key, columns, only = 'true' }: Compare,
  keys: Keys,
): Promise<Digest> {
  const names = Object.keys(key).join()
  const lists = Object.values(key).map((type, index) => `$${index + 1}::${type}[]`)
  const digests: Digest[] = []
  for (const [name, moved] of Object.entries(columns)) {
    const { rows } = await client.query<Row>(
      `select ${digestText(moved)}
       from unnest(${lists.join()}) as changed (${names})
       join ${name} using (${names})
       where ${only}`,
      keys,
    )
    digests.push(digestFrom(rows[0], name === table))
  }
  return together(digests)
}

function together(digests: Digest[]): Digest {
  return digests.reduce((sum, of) => ({ count: sum.count + of.count, digest: sum.digest + of.digest }))
}

function without(all: Digest, some: Digest): Digest {
  return { count: all.count - some.count, digest: all.digest - some.digest }
}

function mustBeEqual({ table }: Compare, ours: Digest, theirs: Digest) {
  if (ours.count !== theirs.count || ours.digest !== theirs.digest)
    throw differ(`${ours.count} ${table.replace('casesheet.', '').replace('_', ' ')}`, theirs.count)
}

function differ(ours: string, theirs: number): CommandError {
  return new CommandError(
    `The two cells differ: the old one has ${ours}, the new one ${theirs}, or others. The old cell goes on serving the slots. Run "rounds cell abort", then move again.`,
  )
}
