// Attempts are kept for 30 days, and a previous secret until its overlap is over. Any serving process removes what is older: at its start,
// and every hour while it runs.
import type { Db } from '../../../db/db.ts'
import { hourly } from '../../../db/hourly.ts'

const BATCH = 10_000

/** The function that it returns ends it. */
export function trimHourly(db: Db, warn: (error: unknown, message: string) => void): () => void {
  const stopping = new AbortController()
  async function trim() {
    await db.attempt(FORGET_SECRETS, 'other')
    for (let removed = BATCH; removed === BATCH && !stopping.signal.aborted; )
      removed = (await db.attempt(TRIM_ATTEMPTS, 'other')).rowCount
  }
  const stop = hourly(trim, (error) =>
    warn(error, 'old attempts and secrets of webhooks could not be removed'),
  )
  return () => {
    stopping.abort()
    stop()
  }
}

const FORGET_SECRETS = {
  name: 'forget-secrets',
  text: `
    update webhooks.endpoints
    set previous_secret = null, previous_key_id = null, previous_until = null
    where previous_until <= now()`,
  values: [],
}

// Processes that trim at the same time divide the rows.
const TRIM_ATTEMPTS = {
  name: 'trim-attempts',
  text: `
    delete from webhooks.attempts
    where ctid = any (array(
      select ctid
      from webhooks.attempts
      where at < now() - interval '30 days'
      order by at
      limit ${BATCH}
      for update skip locked
    ))`,
  values: [],
}
