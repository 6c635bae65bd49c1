// The plot in its place: it follows the range, the size, the colours and the hands, and shows what the pointer is on.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { coloursIn, onColoursChange } from './colours.ts'
import { followGestures } from './gestures.ts'
import type { Mark } from './marks.ts'
import type { PaneProps } from './pane.tsx'
import { createPlot, type Plot, type PlotContent } from './plot.ts'

export function PlotArea(props: {
  content: PlotContent
  pointed: Mark | undefined
  view: PaneProps['view']
  settled: PaneProps['settled']
}) {
  const { content, pointed, view, settled } = props
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const cursor = useRef<HTMLDivElement>(null)
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
          showSelection: (shown) => {
            if (!selection.current) return
            selection.current.hidden = shown === undefined
            if (shown) {
              selection.current.style.left = `${shown.left}px`
              selection.current.style.width = `${shown.width}px`
            }
          },
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
  const { marks, isStatistics, kind, usual } = content
  useLayoutEffect(() => plot.current?.show(content), [marks, isStatistics, kind, usual?.least, usual?.most])
  useEffect(() => plot.current?.fitHeight(), [settled])

  // The line and the dots of the pointer stand over the canvas, so that moving them draws nothing anew.
  useLayoutEffect(() => {
    const place = () => {
      if (!cursor.current || !plot.current) return
      const { fromMs, toMs } = view.range.get()
      const { area } = plot.current
      cursor.current.hidden = pointed === undefined
      if (!pointed) return
      const x = ((pointed.atMs - fromMs) / (toMs - fromMs)) * area.clientWidth
      cursor.current.hidden = x < 0 || x > area.clientWidth
      cursor.current.style.transform = `translateX(${x}px)`
      const dots = cursor.current.children
      content.fields.forEach((field, index) => {
        const dot = dots[index] as HTMLElement | undefined
        const value = pointed.values[field]?.mean
        if (!dot) return
        dot.hidden = value === undefined
        dot.style.transform = `translateY(${plot.current?.yOf(value ?? 0)}px)`
      })
    }
    place()
    return view.range.subscribe(place)
  }, [pointed, marks])
  return (
    <div class="chart-plot" ref={container}>
      <div class="chart-overlay" ref={overlay}>
        <div class="chart-selection" ref={selection} hidden />
        <div class="chart-cursor" ref={cursor} hidden>
          {content.fields.map((field) => (
            <i key={field} />
          ))}
        </div>
      </div>
    </div>
  )
}
