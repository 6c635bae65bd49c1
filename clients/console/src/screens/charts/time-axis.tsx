// The time axis under all panes.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ticksFor } from '../../chart/ticks.ts'
import { useStored } from '../../hooks/store.ts'
import { LOCALE } from '../../words/language.ts'
import { AXIS_LEFT, AXIS_RIGHT } from './plot.ts'
import type { TimeRange } from './time-range.ts'
import type { View } from './view.ts'

// Labels of a narrow pane stand closer.
const PIXELS_PER_LABEL = { narrow: 54, wide: 72 }

export function labelledTicks({ fromMs, toMs }: TimeRange, width: number, zone: string) {
  const maxTicks = Math.max(2, Math.floor(width / PIXELS_PER_LABEL[width < 400 ? 'narrow' : 'wide']))
  return ticksFor({ fromMs, toMs, zone, locale: LOCALE, maxTicks })
}

export function TimeAxis({ view, zone }: { view: View; zone: string }) {
  const range = useStored(view.range)
  const [width, setWidth] = useState(0)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  const room = width - AXIS_LEFT - AXIS_RIGHT
  const ticks = room > 0 ? labelledTicks(range, room, zone) : []
  const leftOf = (atMs: number) => AXIS_LEFT + ((atMs - range.fromMs) / (range.toMs - range.fromMs)) * room
  return (
    <div class="chart-axis" aria-hidden="true">
      <div ref={element}>
        {ticks.map(({ atMs, label }) => (
          <span key={atMs} style={{ left: `${leftOf(atMs)}px` }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}
