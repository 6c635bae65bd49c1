// Measures the delay of the feed while no client follows it: an alert must fire before the first consumer returns. One short
// statement, on the feed's own connection, and none while requests or streams look at the database anyway.
import type { Db } from '../../../db/db.ts'
import type { FeedDelay, Horizon } from './feed-delay.ts'
import { TIMELINE } from './read-changes.ts'

export const LOOK_EVERY_MS = 10_000

/** Begins now; the function that it returns ends it. Of failures in a row the first is logged. */
export function watchDelay(
  db: Pick<Db, 'attempt'>,
  delay: FeedDelay,
  warn: (error: unknown, message: string) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let hasFailed = false

  async function look() {
    try {
      if (delay.msSinceLook() >= LOOK_EVERY_MS) await noteHorizon()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) warn(error, 'the delay of readings/changes could not be measured')
      hasFailed = true
    }
    // Only then: a database that does not answer is asked once at a time.
    if (!isStopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref()
  }

  async function noteHorizon() {
    const { rows } = await db.attempt<Horizon>({ name: 'feed-horizon', text: HORIZON, values: [] }, 'feed')
    for (const row of rows) delay.note(row)
  }

  void look()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

const HORIZON = `
  select feed.generation, ${TIMELINE} as timeline, pg_snapshot_xmin(snapshot) as horizon, pg_snapshot_xmax(snapshot) as next_xid
  from casesheet.feed, (select pg_current_wal_insert_lsn() as lsn, pg_current_snapshot() as snapshot) as now`
