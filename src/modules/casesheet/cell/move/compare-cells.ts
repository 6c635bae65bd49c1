// What two cells hold of some slots, as counts and digests: of every column that is moved, and not of the transaction ids, which are
// each cluster's own.
import type { Client } from 'pg'
import { CommandError } from '../../../../refusal.ts'
import { isInRange, type SlotRange } from '../slot-range.ts'

const TABLES = {
  'casesheet.readings':
    'patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details::text, received_at, added_by, withdrawn_at, withdrawn_by, withdrawn_reason',
  'casesheet.access_log':
    'patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, reading_types, readings_count',
}

export type Holdings = { table: string; count: number; digest: string }[]

/** A sum of hashes does not depend on the order of the rows, and counts those that are there twice. */
export async function digestsOf(client: Client, range: SlotRange): Promise<Holdings> {
  const holdings: Holdings = []
  for (const [table, columns] of Object.entries(TABLES)) {
    const { rows } = await client.query<{ count: number; digest: string }>(
      `select count(*)::float8 as count, coalesce(sum(hash_record_extended(row(${columns}), 0)), 0)::text as digest
       from ${table}
       where ${isInRange(range)}`,
    )
    const { count = 0, digest = '' } = rows[0] ?? {}
    holdings.push({ table, count, digest })
  }
  return holdings
}

export function mustBeEqual(source: Holdings, target: Holdings) {
  const differing = source.filter(
    ({ count, digest }, index) => count !== target[index]?.count || digest !== target[index]?.digest,
  )
  if (differing.length === 0) return
  const counts = differing.map(({ table, count }) => {
    const other = target.find((holding) => holding.table === table)
    return `${table} (${count} rows in the old cell, ${other?.count ?? 0} in the new one)`
  })
  throw new CommandError(
    `The two cells differ in ${counts.join(' and ')}. The old cell goes on serving the slots. Run "rounds cell abort", then move again.`,
  )
}
