// From reading to reading by keys.
import type { Steps } from './pane.tsx'
import type { View } from './view.ts'

/** Puts the pointer on the next mark in sight, of any pane, and says what is there. */
export function stepFrom(
  panes: readonly (readonly [string, Steps])[],
  view: View,
  step: number,
): string | undefined {
  const { fromMs, toMs } = view.range.get()
  const times = [...new Set(panes.flatMap(([, { marks }]) => marks.map(({ atMs }) => atMs)))]
    .filter((atMs) => atMs >= fromMs && atMs < toMs)
    .toSorted((a, b) => a - b)
  const now = view.pointer.get() ?? (step > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  const next = step > 0 ? times.find((atMs) => atMs > now) : times.findLast((atMs) => atMs < now)
  if (next === undefined) return undefined
  view.pointer.set(next)
  return panes
    .flatMap(([, { marks, text }]) => marks.filter(({ atMs }) => atMs === next).map(text))
    .join('. ')
}
