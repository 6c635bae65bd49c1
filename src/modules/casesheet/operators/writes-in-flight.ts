// Waiting until every write that may not have seen what was just committed has ended. A statement locks its table before it takes its
// snapshot, so one that locks it later sees it. Only those in flight are waited for, and no session waits for us, as it would for a
// lock of our own.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

const POLL_MS = 20

/** Waits for the transactions that are writing to these tables now. */
export async function untilWritesHaveEnded(client: Client, tables: Written[] = ['casesheet.readings']) {
  const inFlight = await writesInFlight(client, tables)
  while (inFlight.length > 0) {
    const still = new Set(await writesInFlight(client, tables))
    if (!inFlight.some((transaction) => still.has(transaction))) return
    await pause(POLL_MS)
  }
}

type Written = 'casesheet.readings' | 'casesheet.access_log'

async function writesInFlight(client: Client, tables: Written[]): Promise<string[]> {
  const { rows } = await client.query<{ virtualtransaction: string }>(
    `select virtualtransaction
     from pg_locks
     where locktype = 'relation'
       and relation = any ($1::text[]::regclass[])
       and database = (select oid from pg_database where datname = current_database())
       and mode = 'RowExclusiveLock'
       and granted`,
    [tables],
  )
  return rows.map(({ virtualtransaction }) => virtualtransaction)
}
