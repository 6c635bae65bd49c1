// Whether something has been so for a while: what passes at once must not move the screen.
import { useEffect, useState } from 'preact/hooks'

export function useLasting(isSo: boolean, ms: number): boolean {
  const [isLasting, setLasting] = useState(false)
  useEffect(() => {
    if (!isSo) {
      setLasting(false)
      return undefined
    }
    const timer = setTimeout(() => setLasting(true), ms)
    return () => clearTimeout(timer)
  }, [isSo, ms])
  return isSo && isLasting
}
