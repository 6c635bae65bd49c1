// `rounds access-log trim`: entries of the access log from before a day, removed for good, except those of corrections. Each partition is gone through
// in batches, each in a transaction of its own, so that no other session waits; the row that records the trim counts each batch.
import type { Client } from 'pg'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'

const BATCH = 20_000

export type Trim = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  /** Entries at and after this instant stay. */
  before: string
  /** Who answers for it. */
  trimmedBy: string
  onProgress: (progress: { stage: 'trimming'; share: number }) => void
}

export async function countOldAccesses(databaseUrl: string, before: string): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::float8 as count from casesheet.access_log where at < $1 and correction_id is null',
      [before],
    )
    return rows[0]?.count ?? 0
  })
}

export async function trimAccessLog({ databaseUrl, before, trimmedBy, onProgress }: Trim): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ trim_id: string }>(
      `insert into casesheet.access_log_trims (trimmed_by, accesses_before, accesses_count)
       values ($1, $2, 0)
       returning trim_id`,
      [trimmedBy, before],
    )
    const partitions = await partitionsOfLog(client)
    let trimmed = 0
    for (const [index, partition] of partitions.entries()) {
      for (;;) {
        const { rows: counts } = await client.query<{ count: number }>(trimStatement(partition), [
          before,
          BATCH,
          rows[0]?.trim_id,
        ])
        const count = counts[0]?.count ?? 0
        trimmed += count
        if (count < BATCH) break
      }
      onProgress({ stage: 'trimming', share: (index + 1) / partitions.length })
    }
    return trimmed
  })
}

async function partitionsOfLog(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relid::regclass::text as name from pg_partition_tree('casesheet.access_log') where isleaf order by name",
  )
  return rows.map(({ name }) => name)
}

/** `partition` comes from the catalogue of the database, quoted. */
function trimStatement(partition: string): string {
  return `
    with trimmed as (
      delete from ${partition}
      where ctid = any (array(
        select ctid
        from ${partition}
        where at < $1
          and correction_id is null
        limit $2::integer
      ))
      returning 1
    ), counted as (
      select count(*) as count
      from trimmed
    )
    update casesheet.access_log_trims
    set accesses_count = accesses_count + counted.count
    from counted
    where trim_id = $3
    returning counted.count::float8 as count`
}
