// Tries again what failed for a reason that passes: when the network is back, and from time to time. The error stays on the screen
// meanwhile.
import { useEffect, useRef } from 'preact/hooks'
import { RoundsError } from '../../../typescript/src/client.ts'

const RETRY_MS = 10_000

export function useRetry(error: unknown, retry: () => void) {
  const latest = useRef(retry)
  latest.current = retry
  useEffect(() => {
    if (!(error instanceof RoundsError) || !error.retryable) return undefined
    const again = () => latest.current()
    const timer = setTimeout(again, RETRY_MS + (error.retryAfterMs ?? 0))
    addEventListener('online', again)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', again)
    }
  }, [error])
}
