// Removes what a cell holds of slots that it does not serve, and what it derived from that. Each table or partition is gone through in stretches of pages, each in a transaction
// of its own, so that no other session waits and nothing is read twice.
import type { Client } from 'pg'
import { isInRange, type SlotRange } from '../slot-range.ts'
import { DERIVED_TABLES, LEAVES, type MovedTable } from './moved-tables.ts'

const PAGES = 2_000

/** How many rows of each table. */
export type Deleted = Record<MovedTable, number>

export async function deleteSlots(
  client: Client,
  range: SlotRange,
  onProgress: (share: number) => void,
): Promise<Deleted> {
  const { rows } = await client.query<{ moved: MovedTable | null; name: string; pages: number }>(
    `select moved, relid::regclass::text as name,
       (pg_relation_size(relid) / current_setting('block_size')::integer)::integer as pages
     from (
       select moved, relid
       from ${LEAVES} as leaves
       union all
       select null, derived::regclass
       from unnest(array['${DERIVED_TABLES.join("', '")}']) as derived
     ) as tables
     order by name`,
  )
  const deleted: Deleted = {
    'casesheet.readings': 0,
    'casesheet.corrections': 0,
    'casesheet.grants': 0,
    'casesheet.grant_changes': 0,
    'casesheet.targets': 0,
    'casesheet.target_changes': 0,
    'casesheet.reviews': 0,
    'casesheet.rules': 0,
    'casesheet.rule_changes': 0,
    'casesheet.alerts': 0,
    'casesheet.alert_events': 0,
    'casesheet.access_log': 0,
  }
  for (const [index, { moved, name, pages }] of rows.entries()) {
    for (let page = 0; page < pages; page += PAGES) {
      const { rowCount } = await client.query(deleteText(name, range), [`(${page},0)`, `(${page + PAGES},0)`])
      if (moved !== null) deleted[moved] += rowCount ?? 0
    }
    onProgress((index + 1) / rows.length)
  }
  await client.query(
    `delete from casesheet.erasure_notices
     where ${isInRange(range)}
       and ${IS_NOT_SERVED}`,
  )
  return deleted
}

/**
 * Of each row, in every statement: what a cell serves, or is about to, is never deleted. A slot of the range may have come back,
 * where it held nothing.
 */
export const IS_NOT_SERVED = `not (
      select open_slots + closing_slots + incoming_slots
      from casesheet.cell
    ) @> casesheet.slot_of(patient_uid)`

/** `table` comes from the catalogue of the database, quoted. */
function deleteText(table: string, range: SlotRange): string {
  return `
    delete from ${table}
    where ctid >= $1::tid
      and ctid < $2::tid
      and ${isInRange(range)}
      and ${IS_NOT_SERVED}`
}
