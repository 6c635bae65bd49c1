// Readings that changed since what is shown was read.
import { useRef, useState } from 'preact/hooks'
import type { StoredReading } from '../../../typescript/src/client.ts'

export type Changed = {
  readings: StoredReading[]
  set: (change: (before: StoredReading[]) => StoredReading[]) => void
  /**
   * To be called before what is shown is read again; the function that it returns, afterwards. What changed before is in what was
   * read, so it is dropped then and not earlier: nothing disappears for a moment.
   */
  beforeReading: () => () => void
}

export function useChanged(): Changed {
  const [readings, set] = useState<StoredReading[]>([])
  const latest = useRef(readings)
  latest.current = readings
  return {
    readings,
    set,
    beforeReading() {
      const before = new Set(latest.current)
      return () => set((now) => now.filter((reading) => !before.has(reading)))
    },
  }
}
