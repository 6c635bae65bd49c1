import { useEffect, useState } from 'preact/hooks'
import type { TimeRange } from './time-range.ts'
import type { View } from './view.ts'

// After so long without a movement, the hand rests.
const SETTLED_MS = 60

/** The range once the hand rests, and how to set it at once. */
export function useSettled(view: View): [TimeRange, (range: TimeRange) => void] {
  const [settled, setSettled] = useState(view.range.get())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = view.range.subscribe((range) => {
      clearTimeout(timer)
      timer = setTimeout(() => setSettled(range), SETTLED_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [view])
  return [settled, setSettled]
}
