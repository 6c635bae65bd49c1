// Fourteen days as a small chart: each day from its lowest to its highest, with the target behind them. A day without readings stays
// empty. Of a blood pressure, both pressures.
import { roundedText } from '../../format/numbers.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS, localMs } from '../../format/zone-calendar.ts'
import { type Stroke, shapeOf } from '../today/spark-shape.ts'
import type { ListedType } from './listed-patient.ts'

const DAYS = 14
const [WIDTH, HEIGHT] = [104, 36]

type Props = { type: ListedType | undefined; zone: string; now: number }

export function Fortnight({ type, zone, now }: Props) {
  const fields = fieldsOf(type)
  if (!type || fields.length === 0) return <span class="muted list-sub">–</span>
  const { days, targets, unit, readingType } = type
  const today = Math.floor(localMs(now, zone) / DAY_MS)
  const byDay = new Map(days.map((day) => [Math.floor(Date.parse(day.date) / DAY_MS), day]))
  const drawn = Array.from({ length: DAYS }, (_, index) => {
    const day = byDay.get(today - DAYS + 1 + index)
    const ranges = Object.fromEntries(
      fields.flatMap((field) => {
        const [min, max] = [day?.lowest[field], day?.highest[field]]
        return min === undefined || max === undefined ? [] : [[field, { min, max }]]
      }),
    )
    return { startMs: index, endMs: index + 1, ranges }
  })
  const extremes = drawn.flatMap(({ startMs, ranges }) =>
    Object.values(ranges).flatMap(({ min, max }) => [min, max].map((value) => ({ value, atMs: startMs }))),
  )
  if (extremes.length === 0) return <span class="muted list-sub">no readings</span>
  const ofFields = targets.filter(({ field }) => fields.includes(field))
  const { strokes, bands } = shapeOf({ days: drawn, points: undefined, extremes }, fields, ofFields)
  const values = extremes.map(({ value }) => value)
  const range = `${roundedText(Math.min(...values))} to ${roundedText(Math.max(...values))} ${unitSign(unit ?? '')}`
  const withData = drawn.filter(({ ranges }) => Object.keys(ranges).length > 0).length
  const label = `${nameOf(readingType)}, 14 days: ${range}, on ${withData} of 14 days`
  return (
    <svg class="list-fortnight" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {bands.map(({ from, to }, index) => (
        <rect
          key={ofFields[index]?.field}
          x={0}
          width={WIDTH}
          y={to === 1 ? 0 : y(to)}
          height={Math.max(1, (from === 0 ? HEIGHT : y(from)) - (to === 1 ? 0 : y(to)))}
        />
      ))}
      {strokes.map((ofField, index) => (
        <path key={fields[index]} d={pathOf(ofField)} />
      ))}
    </svg>
  )
}

function fieldsOf(type: ListedType | undefined): string[] {
  const [day] = type?.days.toReversed() ?? []
  const found = Object.keys(day?.lowest ?? type?.newest?.values ?? {})
  if (found.includes('systolic')) return ['systolic', 'diastolic']
  return found.includes('value') ? ['value'] : found.slice(0, 1)
}

const x = (at: number) => (at * WIDTH).toFixed(1)
const y = (height: number) => HEIGHT - 4 - height * (HEIGHT - 8)

/** Upright lines; one of no length has round ends, and so is a dot. */
const pathOf = (strokes: readonly Stroke[]) =>
  strokes
    .map(
      ({ at, from, to }) =>
        `M${x(at)} ${y(from).toFixed(1)}${from === to ? 'h0.01' : `V${y(to).toFixed(1)}`}`,
    )
    .join('')
