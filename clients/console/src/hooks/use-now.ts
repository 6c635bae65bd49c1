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
