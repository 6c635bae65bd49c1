// The range: presets and steps, and two dates to choose.
import { useEffect, useState } from 'preact/hooks'
import { DAY_MS, localMs, startOfLocalDay } from '../../format/zone-calendar.ts'
import { rangeTextOf } from './chart-text.ts'
import { Popup } from './popup.tsx'
import { type ChosenRange, moved, PRESETS, type TimeRange, withinBounds, zoomed } from './time-range.ts'
import type { View } from './view.ts'

type RangeProps = {
  chosen: ChosenRange
  settled: TimeRange
  view: View
  zone: string
  choose: (range: ChosenRange) => void
}

type Step = { name: string; sign: string; step: (range: TimeRange) => TimeRange }

const STEPS: Step[] = [
  { name: 'Earlier', sign: '←', step: (range) => moved(range, -0.5) },
  { name: 'Later', sign: '→', step: (range) => moved(range, 0.5) },
  { name: 'Zoom out', sign: '−', step: (range) => zoomed(range, 2) },
  { name: 'Zoom in', sign: '+', step: (range) => zoomed(range, 0.5) },
]

/** Presets and steps. */
export function RangeButtons({ chosen, view, choose }: Pick<RangeProps, 'chosen' | 'view' | 'choose'>) {
  const change = (next: (range: TimeRange) => TimeRange) => () => view.range.set(next(view.range.get()))
  return (
    <>
      <div class="seg" role="group" aria-label="Range">
        {PRESETS.map((preset) => (
          <button
            type="button"
            key={preset}
            aria-pressed={'preset' in chosen && chosen.preset === preset}
            onClick={() => choose({ preset })}
          >
            {preset.charAt(0).toUpperCase() + preset.slice(1)}
          </button>
        ))}
      </div>
      <div class="chart-steps" role="group" aria-label="Move and zoom">
        {STEPS.map(({ name, sign, step }) => (
          <button key={name} type="button" class="button" aria-label={name} onClick={change(step)}>
            {sign}
          </button>
        ))}
      </div>
    </>
  )
}

/** The range in words; opened, two dates to choose, both included. */
export function RangeDates({ settled, zone, choose }: Pick<RangeProps, 'settled' | 'zone' | 'choose'>) {
  const dateOf = (ms: number) => new Date(localMs(ms, zone)).toISOString().slice(0, 10)
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  useEffect(() => {
    setFirst(dateOf(settled.fromMs))
    setLast(dateOf(settled.toMs - 1))
  }, [settled, zone])
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const isRange = from <= to
  return (
    <Popup class="chart-dates" label={<span class="chart-chosen">{rangeTextOf(settled, zone)}</span>}>
      {(close) => (
        <form
          class="chart-date-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isRange) return
            choose(
              withinBounds({ fromMs: startOfLocalDay(from, zone), toMs: startOfLocalDay(to + DAY_MS, zone) }),
            )
            close()
          }}
        >
          <label>
            <span>From</span>
            <input
              type="date"
              required
              value={first}
              onInput={({ currentTarget }) => setFirst(currentTarget.value)}
            />
          </label>
          <label>
            <span>To, included</span>
            <input
              type="date"
              required
              value={last}
              onInput={({ currentTarget }) => setLast(currentTarget.value)}
            />
          </label>
          {!isRange && first !== '' && last !== '' && (
            <p class="chart-note">The first day must not be after the last.</p>
          )}
          <button type="submit" class="button">
            Show this range
          </button>
        </form>
      )}
    </Popup>
  )
}
