// The range: those used most and steps as buttons; all of them, and dates to choose, in a panel.
import { useEffect, useState } from 'preact/hooks'
import { DAY_MS, localMs, startOfLocalDay } from '../../format/zone-calendar.ts'
import { words } from '../../words/words.ts'
import { rangeTextOf } from './chart-text.ts'
import { Popup } from './popup.tsx'
import {
  type ChosenRange,
  isDate,
  moved,
  PRESETS,
  type Preset,
  type TimeRange,
  withinBounds,
  zoomed,
} from './time-range.ts'
import { beginMovement, type View } from './view.ts'

type RangeProps = {
  chosen: ChosenRange
  settled: TimeRange
  view: View
  zone: string
  nowMs: number
  choose: (range: ChosenRange) => void
}

/** Those with a button of their own. */
const hasButton = (preset: Preset): preset is keyof typeof words.charts.short =>
  Object.hasOwn(words.charts.short, preset)

type Step = {
  name: 'earlier' | 'later' | 'zoomOut' | 'zoomIn'
  sign: string
  step: (range: TimeRange) => TimeRange
}

const STEPS: Step[] = [
  { name: 'earlier', sign: '←', step: (range) => moved(range, -0.5) },
  { name: 'later', sign: '→', step: (range) => moved(range, 0.5) },
  { name: 'zoomOut', sign: '−', step: (range) => zoomed(range, 2) },
  { name: 'zoomIn', sign: '+', step: (range) => zoomed(range, 0.5) },
]

const isChosen = (chosen: ChosenRange, preset: Preset) => 'preset' in chosen && chosen.preset === preset

/** Presets and steps. */
export function RangeButtons({ chosen, view, choose }: Pick<RangeProps, 'chosen' | 'view' | 'choose'>) {
  const change = (next: (range: TimeRange) => TimeRange) => () => {
    beginMovement(view)
    view.range.set(next(view.range.get()))
  }
  return (
    <>
      <div class="seg chart-presets" role="group" aria-label={words.charts.range}>
        {PRESETS.filter(hasButton).map((preset) => (
          <button
            type="button"
            key={preset}
            aria-pressed={isChosen(chosen, preset)}
            onClick={() => choose({ preset })}
          >
            {words.charts.short[preset]}
            <span class="unseen">, {words.charts.presets[preset]}</span>
          </button>
        ))}
      </div>
      <div class="chart-steps" role="group" aria-label={words.charts.moveAndZoom}>
        {STEPS.map(({ name, sign, step }) => (
          <button
            key={name}
            type="button"
            class="button"
            aria-label={words.charts[name]}
            onClick={change(step)}
          >
            {sign}
          </button>
        ))}
      </div>
    </>
  )
}

/** The range in words; opened, every range to choose. */
export function RangePicker({ chosen, settled, zone, nowMs, choose }: Omit<RangeProps, 'view'>) {
  const dateOf = (ms: number) => new Date(localMs(ms, zone)).toISOString().slice(0, 10)
  return (
    <Popup class="chart-dates" label={<span class="chart-chosen">{rangeTextOf(settled, zone, nowMs)}</span>}>
      {(close) => {
        const chooseAndClose = (range: ChosenRange) => {
          choose(range)
          close()
        }
        return (
          <>
            <div class="chart-ranges" role="group" aria-label={words.charts.ranges}>
              {PRESETS.map((preset) => (
                <button
                  type="button"
                  key={preset}
                  aria-pressed={isChosen(chosen, preset)}
                  onClick={() => chooseAndClose({ preset })}
                >
                  {words.charts.presets[preset]}
                </button>
              ))}
            </div>
            <SinceForm
              since={'since' in chosen ? chosen.since : dateOf(settled.fromMs)}
              today={dateOf(nowMs)}
              choose={chooseAndClose}
            />
            <DatesForm
              first={dateOf(settled.fromMs)}
              last={dateOf(settled.toMs - 1)}
              zone={zone}
              choose={chooseAndClose}
            />
          </>
        )
      }}
    </Popup>
  )
}

/** From a date up to now, whenever it is looked at. */
function SinceForm({ since, today, choose }: { since: string; today: string } & Pick<RangeProps, 'choose'>) {
  const [date, setDate] = useState(since)
  useEffect(() => setDate(since), [since])
  return (
    <form
      class="chart-date-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isDate(date)) choose({ since: date })
      }}
    >
      <DateField name={words.charts.since} value={date} set={setDate} max={today} />
      <button type="submit" class="button">
        {words.charts.untilNow}
      </button>
    </form>
  )
}

/** Two dates, both included. */
function DatesForm(props: { first: string; last: string } & Pick<RangeProps, 'zone' | 'choose'>) {
  const { zone, choose } = props
  const [first, setFirst] = useState(props.first)
  const [last, setLast] = useState(props.last)
  useEffect(() => {
    setFirst(props.first)
    setLast(props.last)
  }, [props.first, props.last])
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const isRange = from <= to
  return (
    <form
      class="chart-date-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRange) return
        choose(
          withinBounds({ fromMs: startOfLocalDay(from, zone), toMs: startOfLocalDay(to + DAY_MS, zone) }),
        )
      }}
    >
      <DateField name={words.charts.from} value={first} set={setFirst} />
      <DateField name={words.charts.to} value={last} set={setLast} />
      {!isRange && first !== '' && last !== '' && <p class="chart-note">{words.charts.wrongOrder}</p>}
      <button type="submit" class="button">
        {words.charts.showRange}
      </button>
    </form>
  )
}

function DateField(props: { name: string; value: string; set: (date: string) => void; max?: string }) {
  const { name, value, set, ...rest } = props
  return (
    <label>
      <span>{name}</span>
      <input
        type="date"
        required
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        {...rest}
      />
    </label>
  )
}
