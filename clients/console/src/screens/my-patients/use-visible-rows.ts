// Which rows of a long list can be seen. All are of one height, so the others need not be there. What scrolls may be the list itself
// or, on a phone, the window.
import { useLayoutEffect, useState } from 'preact/hooks'

/** Rows that are there before they are seen, and by how many the list moves on at once: not every step draws it anew. */
const AROUND = 8
const STEP = 4

export type VisibleRows = { first: number; end: number }

type Place = { current: HTMLElement | null }

/** `rows` is as high as all rows together, within `scroller`, which may be as high itself. */
export function useVisibleRows(
  { rows, scroller }: { rows: Place; scroller: Place },
  count: number,
): VisibleRows {
  const [seen, setSeen] = useState<VisibleRows>({ first: 0, end: 24 })
  useLayoutEffect(() => {
    const look = () => {
      if (!rows.current || !scroller.current || count === 0) return
      const { top, height } = rows.current.getBoundingClientRect()
      const frame = scroller.current.getBoundingClientRect()
      const rowPx = height / count
      const from = (Math.max(0, frame.top) - top) / rowPx
      const to = (Math.min(innerHeight, frame.bottom) - top) / rowPx
      const first = Math.max(0, Math.floor((from - AROUND) / STEP) * STEP)
      const end = Math.ceil((to + AROUND) / STEP) * STEP
      setSeen((before) => (before.first === first && before.end === end ? before : { first, end }))
    }
    look()
    document.addEventListener('scroll', look, { capture: true, passive: true })
    const observer = new ResizeObserver(look)
    if (scroller.current) observer.observe(scroller.current)
    addEventListener('resize', look)
    return () => {
      document.removeEventListener('scroll', look, { capture: true })
      observer.disconnect()
      removeEventListener('resize', look)
    }
  }, [count])
  return seen
}

/** Scrolls as little as shows the row; `headPx` of the scroller are covered by its head. */
export function showRow({ rows, scroller }: { rows: Place; scroller: Place }, index: number, count: number) {
  const [list, frame] = [rows.current, scroller.current]
  if (!list || !frame || count === 0) return
  const { top, height } = list.getBoundingClientRect()
  const rowPx = height / count
  const box = frame.getBoundingClientRect()
  const isOwn = frame.scrollHeight > frame.clientHeight
  const headPx = isOwn ? top + frame.scrollTop - box.top : 0
  const from = Math.max(0, box.top) + headPx
  const to = Math.min(innerHeight, box.bottom)
  const rowTop = top + index * rowPx
  const by = rowTop < from ? rowTop - from : Math.max(0, rowTop + rowPx - to)
  if (by === 0) return
  if (isOwn) frame.scrollBy({ top: by, behavior: 'instant' })
  else scrollBy({ top: by, behavior: 'instant' })
}
