// The inbox as long as its screen is there.
import { useEffect, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useOnline } from '../../hooks/use-online.ts'
import { useWaker } from '../../hooks/waker.ts'
import { followAlerts, type Listed } from './follow-alerts.ts'

const EVERY_MS = 5_000
/** An answer takes a moment; a list that is older is not called current. */
const OLD_MS = 20_000

/** Why what is shown may not be what is; nothing while it is. */
export type Staleness = 'offline' | 'failed' | 'late' | 'behind'

export type Inbox = {
  listed: Listed | undefined
  /** Why the last attempt failed; what is shown is as of the one before. */
  error: unknown
  staleness: Staleness | undefined
  now: number
  /** Asks at once. */
  refresh: () => void
}

export function useAlerts(rounds: RoundsClient): Inbox {
  const { openAlerts } = useApp()
  const [listed, setListed] = useState<Listed>()
  const [error, setError] = useState<unknown>()
  const isOnline = useOnline()
  const now = useNow(EVERY_MS)
  const waker = useWaker(EVERY_MS)
  useEffect(() => {
    const leaving = new AbortController()
    void followAlerts({
      list: rounds.alerts.list,
      pause: () => waker.pause(),
      onListed(next) {
        setListed(next)
        setError(undefined)
        openAlerts.set(next.counts.open)
      },
      onFailed(failure) {
        setError(failure)
        openAlerts.set(undefined)
      },
      signal: leaving.signal,
    })
    return () => {
      leaving.abort()
      waker.wake()
    }
  }, [rounds])
  return {
    listed,
    error,
    now: Math.max(now, listed?.atMs ?? 0),
    staleness: stalenessOf(listed, { error, isOnline, now }),
    refresh: waker.wake,
  }
}

type Circumstances = { error: unknown; isOnline: boolean; now: number }

function stalenessOf(listed: Listed | undefined, { error, isOnline, now }: Circumstances) {
  if (!isOnline) return 'offline'
  if (error !== undefined) return 'failed'
  if (!listed) return undefined
  if (now - listed.atMs > OLD_MS) return 'late'
  return listed.behindSince === null ? undefined : 'behind'
}
