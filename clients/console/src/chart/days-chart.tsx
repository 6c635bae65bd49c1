// Some days of one number: its range as a band, its act limits as lines, and each value where it lies against them, by shape, size and
// colour. What has no bound is a plain dot: nothing is said of it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { numberText, roundedText } from '../format/numbers.ts'
import { LOCALE } from '../words/language.ts'
import './days-chart.css'
import { words } from '../words/words.ts'
import { ticksFor } from './ticks.ts'

/** A reading, or the lowest and the highest of some time. */
export type Dot = { atMs: number; low: number; high: number }
type Bounds = {
  low?: number | undefined
  high?: number | undefined
  actBelow?: number | null | undefined
  actAbove?: number | null | undefined
}
type Place = 'in' | 'plain' | 'above' | 'below' | 'act-above' | 'act-below'

const [LEFT, RIGHT, TOP, AXIS] = [40, 10, 12, 20]
/** So many are numbered, where there is room. */
const FEW = 9
const ROOM_FOR_NUMBERS_PX = 480
const PIXELS_PER_LABEL = 64
/** Where less is left, the last one has no label. */
const LEAST_LABEL_PX = 30

function placeOfDot({ low, high }: Dot, { actBelow, actAbove, ...range }: Bounds): Place {
  if (typeof actAbove === 'number' && high > actAbove) return 'act-above'
  if (typeof actBelow === 'number' && low < actBelow) return 'act-below'
  if (range.high !== undefined && high > range.high) return 'above'
  if (range.low !== undefined && low < range.low) return 'below'
  return range.low === undefined && range.high === undefined ? 'plain' : 'in'
}

type Props = {
  name: string
  unit: string
  dots: readonly Dot[]
  bounds: Bounds
  /** When a rule would have told somebody. */
  told?: readonly number[]
  fromMs: number
  toMs: number
  zone: string
  /** Without the axis of time, which another one below has. */
  hasAxis: boolean
  height: number
}

export function DaysChart(props: Props) {
  const { name, unit, dots, bounds, told = [], fromMs, toMs, zone, hasAxis, height } = props
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const lines = linesNear(dots, bounds)
  const [least, most] = spanOf([
    ...dots.flatMap(({ low, high }) => [low, high]),
    ...lines.map(([, at]) => at),
  ])
  const bottom = TOP + height
  const y = (value: number) => TOP + (height * (most - value)) / (most - least)
  const x = (atMs: number) => LEFT + ((width - LEFT - RIGHT) * (atMs - fromMs)) / (toMs - fromMs)
  const within = (value: number | undefined, otherwise: number) =>
    value === undefined ? otherwise : Math.min(bottom, Math.max(TOP, y(value)))
  const maxTicks = Math.max(2, Math.floor(width / PIXELS_PER_LABEL))
  const ticks = ticksFor({ fromMs, toMs, zone, locale: LOCALE, maxTicks })
  const numbered = numberedOf(dots, bounds, width)
  const hasRange = bounds.low !== undefined || bounds.high !== undefined
  const full = TOP + height + (hasAxis ? AXIS : 2)
  return (
    <div ref={place} class="days-chart" style={{ height: `${full}px` }}>
      {width > 0 && (
        <svg width={width} height={full} role="img" aria-label={labelOf(props)}>
          <rect class="plot" x={LEFT} y={TOP} width={width - LEFT - RIGHT} height={height} />
          {hasRange && (
            <rect
              class="range"
              x={LEFT}
              y={within(bounds.high, TOP)}
              width={width - LEFT - RIGHT}
              height={within(bounds.low, bottom) - within(bounds.high, TOP)}
            />
          )}
          {ticks.map(({ atMs, label }) => (
            <g key={atMs}>
              <path class="tick" d={`M${x(atMs)} ${TOP}V${bottom}`} />
              {hasAxis && <TimeLabel text={label} at={x(atMs)} y={bottom + 14} width={width} />}
            </g>
          ))}
          {lines.map(([kind, at]) => (
            <g key={kind} class={`bound ${kind.startsWith('act') ? 'act' : 'target'}`}>
              <path d={`M${LEFT} ${y(at)}H${width - RIGHT}`} />
              <text x={LEFT - 6} y={y(at) + 4}>
                {numberText(at)}
              </text>
            </g>
          ))}
          <text class="name" x={LEFT} y={TOP - 3}>
            {name}
          </text>
          {dots.map((dot) => (
            <DotMark key={`${dot.atMs} ${dot.low}`} dot={dot} place={placeOfDot(dot, bounds)} {...{ x, y }} />
          ))}
          {told.map((atMs) => (
            <path key={atMs} class="told" d={`M${x(atMs)} ${bottom}V${TOP}m-5 -8h10l-5 8z`} />
          ))}
          {numbered.map((dot) => (
            <text
              key={dot.atMs}
              class={`value is-${placeOfDot(dot, bounds)}`}
              {...besideOf(dot, { x, y, width })}
            >
              {roundedText(dot.high)}
            </text>
          ))}
        </svg>
      )}
      <span class="unseen">{unit}</span>
    </div>
  )
}

/** Beside its line; the last one ends where the chart does. */
function TimeLabel({ text, at, y, width }: { text: string; at: number; y: number; width: number }) {
  if (at >= width - LEAST_LABEL_PX) return null
  const isLast = at >= width - PIXELS_PER_LABEL
  return (
    <text class="time" x={isLast ? width : at + 2} y={y} text-anchor={isLast ? 'end' : 'start'}>
      {text}
    </text>
  )
}

type Scale = { x: (atMs: number) => number; y: (value: number) => number }

function DotMark({ dot: { atMs, low, high }, place, x, y }: Scale & { dot: Dot; place: Place }) {
  const size = place.startsWith('act') ? 7 : 4.5
  const isDown = place.endsWith('below')
  const [left, top] = [x(atMs), y(isDown ? low : high)]
  const tip = isDown ? size : -size
  return (
    <g class={`dot is-${place}`}>
      {low !== high && <path class="span" d={`M${left} ${y(low)}V${y(high)}`} />}
      {place === 'in' || place === 'plain' ? (
        low === high && <circle cx={left} cy={top} r={3} />
      ) : (
        <path d={`M${left} ${top + tip}l${size} ${-1.6 * tip}h${-2 * size}z`} />
      )}
    </g>
  )
}

/** Above what is drawn, or below it where that is the upper edge. */
function besideOf({ atMs, low, high }: Dot, { x, y, width }: Scale & { width: number }) {
  const isHigh = y(high) < TOP + 16
  return {
    x: Math.min(x(atMs), width - RIGHT - 12),
    y: isHigh ? y(low) + 20 : y(high) - 9,
    'text-anchor': 'middle' as const,
  }
}

/** All of a few where there is room, else the worst beyond an act limit. */
function numberedOf(dots: readonly Dot[], bounds: Bounds, width: number): readonly Dot[] {
  if (dots.length <= FEW && width >= ROOM_FOR_NUMBERS_PX && dots.every(({ low, high }) => low === high))
    return dots
  const beyond = dots.filter((dot) => placeOfDot(dot, bounds).startsWith('act'))
  const above = beyond.filter((dot) => placeOfDot(dot, bounds) === 'act-above')
  const [worst] = above.toSorted((one, other) => other.high - one.high)
  return worst ? [worst] : beyond.toSorted((one, other) => one.low - other.low).slice(0, 1)
}

const LINES = ['low', 'high', 'actBelow', 'actAbove'] as const

/** The bounds that are drawn among the values: one far away would press them flat. */
function linesNear(dots: readonly Dot[], bounds: Bounds): [kind: string, at: number][] {
  const [least, most] = spanOf(dots.flatMap(({ low, high }) => [low, high]))
  const reach = Math.max(most - least, 0.3 * Math.abs(most))
  return LINES.flatMap((kind): [string, number][] => {
    const at = bounds[kind]
    return typeof at === 'number' && at >= least - reach && at <= most + reach ? [[kind, at]] : []
  })
}

function spanOf(values: readonly number[]): [least: number, most: number] {
  if (values.length === 0) return [0, 1]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const air = Math.max((most - least) * 0.12, Math.abs(most) * 0.02, Number.EPSILON)
  return [least - air, most + air]
}

function labelOf({ name, unit, dots, bounds }: Props): string {
  if (dots.length === 0) return words.overview.emptyChart(name)
  const [least, most] = [Math.min(...dots.map(({ low }) => low)), Math.max(...dots.map(({ high }) => high))]
  const beyond = dots.filter((dot) => placeOfDot(dot, bounds).startsWith('act')).length
  return words.overview.chart(name, { least: roundedText(least), most: roundedText(most), unit }, beyond)
}

function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = place
    if (!current) return undefined
    const measure = () => setWidth(current.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return width
}
