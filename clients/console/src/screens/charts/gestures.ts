// Mouse, touch and wheel over a pane: dragging moves, pinching and the wheel with Ctrl zoom, a double click zooms in, dragging
// with Shift zooms to what was marked. What is under a finger or the pointer stays under it.
import { moved, type TimeRange, withinBounds, zoomed } from './time-range.ts'
import { beginMovement, type View } from './view.ts'

const CLICK_PX = 4
const ZOOM_PER_PIXEL = 0.0025
const MOST_WHEEL_PX = 1_600
const MIN_SELECTION_PX = 8
// Turns of the wheel with a shorter pause between them are one movement.
const WHEEL_PAUSE_MS = 400

type Finger = { x: number; atMs: number }

export type GestureTarget = {
  area: HTMLElement
  /** Shows which part is marked, in pixels of the area; `undefined` when none is. */
  showSelection: (selection: { left: number; width: number } | undefined) => void
}

/** Returns how to stop. */
export function followGestures({ area, showSelection }: GestureTarget, view: View): () => void {
  const { range, pointer } = view
  const fingers = new Map<number, Finger>()
  let selectionFrom: number | undefined
  let hasMoved = false
  let downX = 0

  const width = () => Math.max(area.clientWidth, 1)
  const xOf = ({ clientX }: { clientX: number }) => shareOf(area, clientX) * width()
  const timeAt = (x: number, { fromMs, toMs }: TimeRange = range.get()) =>
    fromMs + ((toMs - fromMs) * x) / width()

  function onDown(event: PointerEvent) {
    if (event.button !== 0 || fingers.size === 2) return
    area.setPointerCapture(event.pointerId)
    if (fingers.size === 0) beginMovement(view)
    const x = xOf(event)
    downX = x
    hasMoved = false
    if (event.shiftKey && fingers.size === 0) selectionFrom = x
    fingers.set(event.pointerId, { x, atMs: timeAt(x) })
  }

  function onMove(event: PointerEvent) {
    const x = xOf(event)
    const finger = fingers.get(event.pointerId)
    if (finger === undefined) {
      if (fingers.size === 0 && event.pointerType === 'mouse') pointer.set(timeAt(x))
      return
    }
    finger.x = x
    if (Math.abs(x - downX) > CLICK_PX) hasMoved = true
    if (selectionFrom !== undefined) {
      showSelection({ left: Math.min(selectionFrom, x), width: Math.abs(x - selectionFrom) })
      return
    }
    if (!hasMoved) return
    pointer.set(undefined)
    range.set(rangeUnder([...fingers.values()], range.get(), width()))
  }

  function onUp(event: PointerEvent) {
    const finger = fingers.get(event.pointerId)
    if (finger === undefined) return
    fingers.delete(event.pointerId)
    // The finger that stays goes on from where it is.
    for (const rest of fingers.values()) rest.atMs = timeAt(rest.x)
    if (selectionFrom !== undefined) {
      const [left, right] = [Math.min(selectionFrom, finger.x), Math.max(selectionFrom, finger.x)]
      selectionFrom = undefined
      showSelection(undefined)
      if (right - left >= MIN_SELECTION_PX && event.type === 'pointerup') {
        range.set(withinBounds({ fromMs: timeAt(left), toMs: timeAt(right) }))
      }
    } else if (!hasMoved || event.pointerType === 'mouse') {
      pointer.set(timeAt(finger.x))
    }
  }

  function onLeave(event: PointerEvent) {
    if (event.pointerType === 'mouse' && fingers.size === 0) pointer.set(undefined)
  }

  const onDoubleClick = (event: MouseEvent) => range.set(zoomed(range.get(), 0.5, timeAt(xOf(event))))
  const stopping = new AbortController()
  const { signal } = stopping
  area.addEventListener('pointerdown', onDown, { signal })
  area.addEventListener('pointermove', onMove, { signal })
  area.addEventListener('pointerup', onUp, { signal })
  area.addEventListener('pointercancel', onUp, { signal })
  area.addEventListener('pointerleave', onLeave, { signal })
  followWheel(area, view, signal)
  area.addEventListener('dblclick', onDoubleClick, { signal })
  return () => stopping.abort()
}

function followWheel(area: HTMLElement, view: View, signal: AbortSignal) {
  let wheeledAt = Number.NEGATIVE_INFINITY
  function onWheel(event: WheelEvent) {
    const now = view.range.get()
    const atMs = now.fromMs + (now.toMs - now.fromMs) * shareOf(area, event.clientX)
    const next = rangeAfterWheel(event, now, { width: Math.max(area.clientWidth, 1), atMs })
    if (!next) return
    event.preventDefault()
    if (event.timeStamp - wheeledAt > WHEEL_PAUSE_MS) beginMovement(view)
    wheeledAt = event.timeStamp
    view.range.set(next)
  }
  area.addEventListener('wheel', onWheel, { signal, passive: false })
}

/** A page that is zoomed by CSS has other pixels in its events than in its boxes. */
function shareOf(area: HTMLElement, clientX: number): number {
  const { left, width } = area.getBoundingClientRect()
  return (clientX - left) / Math.max(width, 1)
}

/** The range that has the instant that each finger took under that finger. */
function rangeUnder([one, other]: Finger[], now: TimeRange, width: number): TimeRange {
  if (one === undefined) return now
  const isPinch = other !== undefined && Math.abs(other.x - one.x) > CLICK_PX && other.atMs !== one.atMs
  const span = isPinch ? ((other.atMs - one.atMs) / (other.x - one.x)) * width : now.toMs - now.fromMs
  if (span <= 0) return now
  const fromMs = one.atMs - (one.x / width) * span
  return withinBounds({ fromMs, toMs: fromMs + span })
}

/** Nothing where the wheel scrolls the page. */
function rangeAfterWheel(
  { deltaMode, deltaX, deltaY, shiftKey, ctrlKey, metaKey }: WheelEvent,
  range: TimeRange,
  { width, atMs }: { width: number; atMs: number },
): TimeRange | undefined {
  const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
  const sideways = shiftKey ? deltaX || deltaY : deltaX
  // A pinch on a touchpad comes as a wheel with Ctrl.
  if (ctrlKey || metaKey) {
    // A busy browser makes one event of many.
    const turned = Math.max(-MOST_WHEEL_PX, Math.min(MOST_WHEEL_PX, deltaY * pixels))
    return zoomed(range, Math.exp(turned * ZOOM_PER_PIXEL), atMs)
  }
  const isSideways = Math.abs(sideways) > Math.abs(shiftKey ? 0 : deltaY)
  return isSideways ? moved(range, (sideways * pixels) / width) : undefined
}
