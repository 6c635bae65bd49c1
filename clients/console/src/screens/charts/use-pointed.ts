import { useEffect, useState } from 'preact/hooks'
import { type Mark, nearestMark } from './marks.ts'
import type { View } from './view.ts'

// How far the pointer may be from a reading to be on it, in pixels.
const REACH_PX = 24

/** The mark under the pointer. */
export function usePointed(marks: readonly Mark[], view: View): Mark | undefined {
  const [pointed, setPointed] = useState<Mark>()
  useEffect(() => {
    const find = (atMs: number | undefined) => {
      const { fromMs, toMs } = view.range.get()
      // A pane is some hundred pixels wide; exactness does not matter here.
      const farthest = ((toMs - fromMs) * REACH_PX) / Math.max(document.body.clientWidth - 80, 240)
      setPointed(atMs === undefined ? undefined : nearestMark(marks, atMs, farthest))
    }
    find(view.pointer.get())
    return view.pointer.subscribe(find)
  }, [marks, view])
  return pointed
}
