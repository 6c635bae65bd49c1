// Waiting until every write that may not have seen what was just committed has ended. A statement locks its table before it takes its
// snapshot, so one that locks it later sees it. Only those in flight are waited for, and no session waits for us, as it would for a
// lock of our own.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { DESCRIBED } from '../../../db/blocking-sessions.ts'
import { CommandError } from '../../../refusal.ts'

const POLL_MS = 20
/** Long enough where only servers write: they end their statements within seconds, a session that was left open may never end. */
export const WRITES_WITHIN_MS = 20_000

/** What has a place in the sequence of changes. Corrections and histories are written with what they belong to. */
const CHANGED = [
  'casesheet.readings',
  'casesheet.grants',
  'casesheet.targets',
  'casesheet.looks',
  'casesheet.rules',
  'casesheet.alerts',
]

/** Waits for the transactions that are writing to these tables now; beyond a limit it fails, and says which they are. */
export async function untilWritesHaveEnded(
  client: Client,
  tables = CHANGED,
  withinMs = Number.POSITIVE_INFINITY,
) {
  const giveUpAt = Date.now() + withinMs
  let left = await writesInFlight(client, tables)
  while (left.length > 0) {
    const awaited = new Set(left.map(({ transaction }) => transaction))
    // As they are now: their ages are reported.
    left = (await writesInFlight(client, tables)).filter(({ transaction }) => awaited.has(transaction))
    if (left.length > 0 && Date.now() > giveUpAt) throw stillWriting(left, withinMs)
    if (left.length === 0) return
    await pause(POLL_MS)
  }
}

type Write = { transaction: string; session: string }

async function writesInFlight(client: Client, tables: string[]): Promise<Write[]> {
  const { rows } = await client.query<Write>(
    `select distinct virtualtransaction as transaction, coalesce(session, 'a prepared transaction') as session
     from pg_locks
     left join (
       select pid, ${DESCRIBED}
       from pg_stat_activity
     ) as sessions using (pid)
     where locktype = 'relation'
       and relation = any ($1::text[]::regclass[])
       and database = (select oid from pg_database where datname = current_database())
       and mode = 'RowExclusiveLock'
       and granted`,
    [tables],
  )
  return rows
}

function stillWriting(left: Write[], withinMs: number): CommandError {
  const sessions = left.map(({ session }) => session).join('; ')
  return new CommandError(
    `A transaction that writes has not ended for ${withinMs / 1_000} s: ${sessions}. Run the command again when it has ended; pg_stat_activity and pg_prepared_xacts show what it does.`,
  )
}
