// The charts by keys: moving, zooming, and going from reading to reading.
import type { Steps } from './pane.tsx'
import { moved, zoomed } from './time-range.ts'
import { beginMovement, type View } from './view.ts'

export function followKey(
  event: KeyboardEvent,
  view: View,
  stepped: Map<string, Steps>,
  speak: (text: string) => void,
) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
  const range = view.range.get()
  // A key that is held down is one movement.
  if (!event.repeat) beginMovement(view)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step !== undefined && event.shiftKey) {
    const next = stepFrom([...stepped.entries()], view, step)
    if (next) speak(next)
  } else if (step !== undefined) view.range.set(moved(range, step * 0.2))
  else if (event.key === '+' || event.key === '=') view.range.set(zoomed(range, 0.5))
  else if (event.key === '-' || event.key === '_') view.range.set(zoomed(range, 2))
  else if (event.key === 'Escape') view.pointer.set(undefined)
  else return
  event.preventDefault()
}

/** Puts the pointer on the next mark in sight, of any pane, and says what is there. */
function stepFrom(
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
