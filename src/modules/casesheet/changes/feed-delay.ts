// How long the sequence of changes has been held back by a transaction that stays open: since when the oldest running
// transaction is the same one, while later ones have begun.
import type { Metrics } from '../../../metrics/metrics.ts'

const STALE_MS = 60_000

/** The oldest running transaction, and the id that the next one will get. */
export type Horizon = { horizon: string; next_xid: string }

export type FeedDelay = ReturnType<typeof createFeedDelay>

export function createFeedDelay(metrics: Metrics, now: () => number) {
  let horizon = ''
  let since = 0
  let notedAt = 0
  metrics.gauge(
    {
      name: 'rounds_changes_held_back_seconds',
      help: 'How long readings/changes has waited for the oldest running transaction of the database cluster.',
    },
    // While no client follows the changes, nothing is known.
    () => (since === 0 || now() - notedAt > STALE_MS ? 0 : (now() - since) / 1_000),
  )
  return {
    note(seen: Horizon) {
      if (seen.horizon === seen.next_xid) since = 0
      else if (seen.horizon !== horizon || since === 0) since = now()
      horizon = seen.horizon
      notedAt = now()
    },
  }
}
