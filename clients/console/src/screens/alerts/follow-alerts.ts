// The active alerts as they are now, asked for again every few seconds as a whole: they are few, and an answer that did not change
// is not sent again (ETag).
import type { Alerts } from '../../../../typescript/src/client.ts'
import type { Alert, Counts } from './listed-alert.ts'

export type Listed = {
  /** As the service orders them. */
  alerts: readonly Alert[]
  counts: Counts
  /** How many more there are than are listed. */
  beyond: number
  /** Since when the service has not kept the alerts up to date. */
  behindSince: string | null
  /** When this was so. */
  atMs: number
}

const PAGE = 200
/** Nobody works through more than a thousand. What is left out is counted. */
const MAX_PAGES = 5
const CALL_MS = 15_000

type Options = {
  list: Alerts['list']
  /** Waits until it is time to ask again. */
  pause: () => Promise<void>
  onListed: (listed: Listed) => void
  onFailed: (error: unknown) => void
  signal: AbortSignal
}

export async function followAlerts({ list, pause, onListed, onFailed, signal }: Options) {
  let known: Listed | undefined
  let knownText = ''

  async function read(): Promise<Listed> {
    const alerts = new Map<string, Alert>()
    let cursor: string | undefined
    let page = 0
    for (;;) {
      // Asked again soon anyway: a failure is said at once, and not after several attempts.
      const options = { signal, timeoutMs: CALL_MS, mayRepeat: () => false }
      const answer = await list({ state: 'active', limit: PAGE, cursor }, options)
      for (const alert of answer.data) alerts.set(alert.alertId, alert)
      cursor = answer.nextCursor ?? undefined
      page++
      if (cursor !== undefined && page < MAX_PAGES) continue
      const { counts = NO_COUNTS } = answer
      return {
        alerts: [...alerts.values()],
        counts,
        beyond: cursor === undefined ? 0 : Math.max(1, countAll(counts) - alerts.size),
        behindSince: answer.behindSince,
        atMs: Date.now(),
      }
    }
  }

  while (!signal.aborted) {
    try {
      const listed = await read()
      const text = JSON.stringify(listed.alerts)
      // What did not change stays the same, so that nothing is drawn again.
      known = known && text === knownText ? { ...listed, alerts: known.alerts } : listed
      knownText = text
      if (!signal.aborted) onListed(known)
    } catch (error) {
      if (!signal.aborted) onFailed(error)
    }
    if (!signal.aborted) await pause()
  }
}

/** A list of one patient has none. */
const NO_COUNTS: Counts = {
  open: { urgent: 0, warning: 0, notice: 0 },
  acknowledged: 0,
  beyond: 0,
}

const countAll = ({ open, acknowledged }: Counts) => open.urgent + open.warning + open.notice + acknowledged
