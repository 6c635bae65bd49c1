// The plot in its place: it follows the range, the size, the colours and the hands, and shows what the pointer is on.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { coloursIn, onColoursChange } from './colours.ts'
import type { PlotContent } from './draw-plot.ts'
import { followGestures } from './gestures.ts'
import type { Mark } from './marks.ts'
import type { PaneProps } from './pane.tsx'
import { createPlot, type Plot } from './plot.ts'

type AreaProps = {
  content: PlotContent
  pointed: Mark | undefined
  marked: Mark | undefined
  view: PaneProps['view']
  settled: PaneProps['settled']
}

export function PlotArea({ content, pointed, marked, view, settled }: AreaProps) {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const cursor = useRef<HTMLDivElement>(null)
  const ring = useRef<HTMLDivElement>(null)
  const selection = useRef<HTMLDivElement>(null)
  const overlay = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = container.current
    if (!element) return undefined
    const { clientWidth: width, clientHeight: height } = element
    const made = createPlot(element, {
      width,
      height,
      range: view.range.get(),
      colours: coloursIn(element),
      content,
    })
    plot.current = made
    if (overlay.current) made.area.append(overlay.current)
    const stops = [
      view.range.subscribe((range) => made.setRange(range)),
      onColoursChange(() => made.setColours(coloursIn(element))),
      followGestures(
        {
          area: made.area,
          showSelection: (shown) => placeSelection(selection.current, shown),
        },
        view,
      ),
    ]
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.resize(element.clientWidth, element.clientHeight)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      for (const stop of stops) stop()
      made.destroy()
    }
  }, [])
  const { marks, bands, isStatistics, kind } = content
  useLayoutEffect(() => plot.current?.show(content), [marks, bands, isStatistics, kind])
  useLayoutEffect(() => plot.current?.fitHeight(), [settled])

  // The line and the dots of the pointer stand over the canvas, so that moving them draws nothing anew.
  useLayoutEffect(() => {
    const place = () => {
      if (!plot.current) return
      if (cursor.current) placeCursor(cursor.current, plot.current, { content, at: pointed, view })
      if (ring.current) placeCursor(ring.current, plot.current, { content, at: marked, view })
    }
    place()
    return view.range.subscribe(place)
  }, [pointed, marked, marks, bands, settled])
  return (
    <div class="chart-plot" ref={container}>
      <div class="chart-overlay" ref={overlay}>
        <div class="chart-selection" ref={selection} hidden />
        {[ring, cursor].map((line) => (
          <div
            key={line === ring}
            class={line === ring ? 'chart-cursor chart-marked' : 'chart-cursor'}
            ref={line}
            hidden
          >
            {content.fields.map((field) => (
              <i key={field} />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function placeSelection(selection: HTMLElement | null, shown: { left: number; width: number } | undefined) {
  if (!selection) return
  selection.hidden = shown === undefined
  if (!shown) return
  selection.style.left = `${shown.left}px`
  selection.style.width = `${shown.width}px`
}

function placeCursor(
  cursor: HTMLElement,
  { area, yOf }: Plot,
  { content, at, view }: Pick<AreaProps, 'content' | 'view'> & { at: Mark | undefined },
) {
  const { fromMs, toMs } = view.range.get()
  cursor.hidden = at === undefined
  if (!at) return
  const x = ((at.atMs - fromMs) / (toMs - fromMs)) * area.clientWidth
  cursor.hidden = x < 0 || x > area.clientWidth
  cursor.style.transform = `translateX(${x}px)`
  content.fields.forEach((field, index) => {
    const dot = cursor.children[index] as HTMLElement | undefined
    const value = at.values[field]?.mean
    if (!dot) return
    dot.hidden = value === undefined
    dot.style.transform = `translateY(${yOf(value ?? 0)}px)`
  })
}
