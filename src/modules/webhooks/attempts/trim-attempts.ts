// Attempts are kept for 30 days, and a previous secret until its overlap is over. Any serving process removes what is older: at its start,
// and every hour while it runs.
import type { Db } from '../../../db/db.ts'

const EVERY_MS = 3_600_000
const BATCH = 10_000

/** Begins now; the function that it returns ends it. What fails is logged, and tried again an hour later. */
export function trimHourly(db: Db, warn: (error: unknown, message: string) => void): () => void {
  const stopping = new AbortController()
  async function trim() {
    try {
      await db.attempt(FORGET_SECRETS, 'other')
      for (let removed = BATCH; removed === BATCH && !stopping.signal.aborted; )
        removed = (await db.attempt(TRIM_ATTEMPTS, 'other')).rowCount
    } catch (error) {
      warn(error, 'old attempts and secrets of webhooks could not be removed')
    }
  }
  void trim()
  const timer = setInterval(() => void trim(), EVERY_MS)
  timer.unref()
  return () => {
    stopping.abort()
    clearInterval(timer)
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
