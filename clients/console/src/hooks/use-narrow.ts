// Whether there is little room, as on a phone; paper is wide.
import { useEffect, useMemo, useState } from 'preact/hooks'

export function useNarrow(maxWidth = 720): boolean {
  const query = useMemo(() => matchMedia(`screen and (max-width: ${maxWidth}px)`), [])
  const [isNarrow, setNarrow] = useState(query.matches)
  useEffect(() => {
    const update = () => setNarrow(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isNarrow
}
