// Each reading by its time of day, as a column from the diastolic to the systolic pressure. With a target, what is not in it has another shape.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import type { Range } from '../../care/in-target.ts'
import { nameWithin } from '../../format/type-names.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { words } from '../../words/words.ts'
import { hourText } from './clock-text.ts'
import { minuteOf, type Pressure, type Side, sideOf, sinceMorning, targetRanges } from './pressures.ts'

type Props = { figures: BloodPressureReport; pressures: Pressure[]; isCut: boolean }

const STEP = 20

export function PressureScatter({ figures, pressures, isCut }: Props) {
  const isNarrow = useNarrow()
  const { morning, evening } = figures
  const ranges = targetRanges(figures)
  const [width, height] = isNarrow ? [360, 250] : [760, 168]
  const [left, right, bottom] = [34, 10, 22]
  const values = [
    ...pressures.flatMap(({ systolic, diastolic }) => [systolic, diastolic]),
    ...ranges.flatMap(boundsOf),
  ]
  const low = Math.floor(Math.min(60, ...values) / STEP) * STEP
  const high = Math.ceil(Math.max(160, ...values) / STEP) * STEP
  const x = (minutes: number) => left + (minutes / 1_440) * (width - left - right)
  const y = (value: number) => 20 + ((high - value) / (high - low)) * (height - 20 - bottom)
  const since = (time: string) => sinceMorning({ minute: minuteOf(time) }, figures)
  const parts = [
    { name: words.reports.parts.morning, from: 0, to: since(morning.before) },
    { name: words.reports.parts.evening, from: since(evening.from), to: 1_440 },
  ]
  const label = words.reports.scatter(pressures.length)
  return (
    <figure class="scatter">
      <figcaption>
        <h3>{words.reports.byTimeOfDay}</h3>
        <Legend hasTarget={ranges.length > 0} />
      </figcaption>
      {isCut && <p class="report-note">{words.reports.newestDrawn(pressures.length)}</p>}
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {parts.map(({ name, from, to }) => (
          <g key={name}>
            <rect class="part" x={x(from)} width={x(to) - x(from)} y={14} height={height - bottom - 14} />
            <text x={(x(from) + x(to)) / 2} y={10} text-anchor="middle">
              {name}
            </text>
          </g>
        ))}
        {Array.from({ length: (high - low) / STEP + 1 }, (_, index) => low + index * STEP).map((value) => (
          <g key={value} class="grid-line">
            <line x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
            <text x={left - 5} y={y(value) + 4} text-anchor="end">
              {value}
            </text>
          </g>
        ))}
        <HourLabels start={minuteOf(morning.from) / 60} every={isNarrow ? 6 : 3} x={x} at={height - 5} />
        {pressures.map((pressure) => (
          <Column key={pressure.id} {...{ pressure, figures, ranges, x, y }} />
        ))}
        {ranges.map((range) => (
          <TargetLines key={range.field} {...{ range, x, y }} />
        ))}
      </svg>
    </figure>
  )
}

function Legend({ hasTarget }: { hasTarget: boolean }) {
  const marks = [
    ['systolic', undefined, words.reports.fields.systolic],
    ['diastolic', undefined, words.reports.fields.diastolic],
    ...(hasTarget
      ? ([
          ['systolic', 'above', words.reports.aboveTarget],
          ['systolic', 'below', words.reports.belowTarget],
        ] as const)
      : []),
  ] as const
  return (
    <p class="legend">
      {marks.map(([field, side, text]) => (
        <span key={text}>
          <svg viewBox="-6 -6 12 12" aria-hidden="true">
            <Mark field={field} side={side} />
          </svg>
          {text}
        </span>
      ))}
      <span>mmHg</span>
    </p>
  )
}

function HourLabels({
  start,
  every,
  x,
  at,
}: {
  start: number
  every: number
  x: (minutes: number) => number
  at: number
}) {
  const hours = Array.from({ length: 24 / every + 1 }, (_, index) => index * every)
  return (
    <g class="grid-line">
      {hours.map((hour) => (
        <text
          key={hour}
          x={x(hour * 60)}
          y={at}
          text-anchor={hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'}
        >
          {hourText((hour + start) % 24)}
        </text>
      ))}
    </g>
  )
}

type Scale = { x: (minutes: number) => number; y: (value: number) => number }

const boundsOf = ({ low, high }: Range) => [low, high].filter((bound) => bound !== null)

function TargetLines({ range, x, y }: Scale & { range: Range }) {
  return (
    <>
      {boundsOf(range).map((bound) => (
        <g key={bound} class="target-line">
          <line x1={x(0)} x2={x(1_440)} y1={y(bound)} y2={y(bound)} />
          <text x={x(1_440) - 4} y={y(bound) - 4} text-anchor="end">
            {words.reports.targetOf(nameWithin(range.field), bound)}
          </text>
        </g>
      ))}
    </>
  )
}

type ColumnProps = Scale & { pressure: Pressure; figures: BloodPressureReport; ranges: readonly Range[] }

function Column({ pressure, figures, ranges, x, y }: ColumnProps) {
  const { systolic, diastolic } = pressure
  const at = x(sinceMorning(pressure, figures)).toFixed(1)
  return (
    <g>
      <path class="column" d={`M${at} ${y(systolic).toFixed(1)}V${y(diastolic).toFixed(1)}`} />
      {(['systolic', 'diastolic'] as const).map((field) => (
        <g key={field} transform={`translate(${at} ${y(pressure[field]).toFixed(1)})`}>
          <Mark field={field} side={sideOf(pressure, field, ranges)} />
        </g>
      ))}
    </g>
  )
}

/** Round in target, and where there is none; a triangle that points to the side where it lies outside. */
function Mark({ field, side }: { field: 'systolic' | 'diastolic'; side: Side | undefined }) {
  if (side === undefined) return <circle class={field} r="3" />
  return (
    <path class={`${field} is-${side}`} d={side === 'above' ? 'M-4 3L0 -4.5L4 3Z' : 'M-4 -3L0 4.5L4 -3Z'} />
  )
}
