// Something that is loaded, and again a few seconds after each answer while the page can be seen.
import { useEffect, useState } from 'preact/hooks'
import { type Key, type Loaded, useLoad } from '../../hooks/use-load.ts'

export const EVERY_MS = 5_000

export function useRefreshed<T>(
  key: Key,
  load: (signal: AbortSignal) => Promise<T>,
  version?: number,
): Loaded<T> {
  const [round, setRound] = useState(0)
  const loaded = useLoad(key, load, [version, round])
  const { isLoading } = loaded
  useEffect(() => {
    if (isLoading) return undefined
    const again = () => document.visibilityState === 'visible' && setRound((number) => number + 1)
    const timer = setInterval(again, EVERY_MS)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [isLoading])
  return loaded
}
