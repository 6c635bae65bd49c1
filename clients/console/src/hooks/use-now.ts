// The present, which passes: ages on a screen stay true.
import { useEffect, useState } from 'preact/hooks'

export function useNow(everyMs = 20_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Another number every so often while somebody sees the window, and at once when it is seen again or the network is back. */
export function useTick(everyMs: number): number {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    const next = () => {
      if (document.visibilityState === 'visible') setTick((number) => number + 1)
    }
    const timer = setInterval(next, everyMs)
    document.addEventListener('visibilitychange', next)
    addEventListener('online', next)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', next)
      removeEventListener('online', next)
    }
  }, [])
  return tick
}
