// The last 24 hours of one type: every reading, the target behind them, and what that amounts to in words. Without a target nothing is
// compared.
import { useId } from 'preact/hooks'
import { placeText, rangesText } from '../../care/target-text.ts'
import { LOCALE } from '../../format/locale.ts'
import { countText } from '../../format/numbers.ts'
import { ageOf, occasionText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { computedText } from '../charts/chart-text.ts'
import { type Against, bandsOf, countInTarget, type Outside, outsideOf } from '../charts/judged.ts'
import { type Mark, marksOf } from '../charts/marks.ts'
import { ticksFor } from '../charts/ticks.ts'
import { drawnFields, shapeOf } from '../charts/type-shape.ts'
import { runsOf } from '../reports/runs.ts'
import type { ListedType } from './listed-patient.ts'
import { valuesText } from './listed-text.ts'
import type { PanelRecord } from './load-record.ts'
import { outerBounds } from './outer-bounds.ts'
import { BAND_WIDTH, levelsOf, PanelBand, PanelLevels, scaleOf } from './panel-scale.tsx'

const HEIGHT = 150
const BASE = 20
/** Of more, the farthest on each side is marked; the line shows the others. */
const MAX_MARKED = 24

type Props = { record: PanelRecord; type: ListedType; zone: string; now: number }

export function DayChart({ record, type, zone, now }: Props) {
  const { entry, readings, range } = record
  const id = useId()
  const unit = type.unit ?? undefined
  const series = { kind: 'readings' as const, covers: range, readings }
  const shape = shapeOf(type.readingType, entry, { series })
  const against = { targets: type.targets, shape, unit }
  const marks = marksOf(series, shape, unit)
  const fields = drawnFields(shape)
  const bands = bandsOf(against)
  const outer = outerBounds(type)
  const outside = outsideOf(marks, against)
  const values = marks.flatMap((mark) => fields.flatMap((field) => mark.values[field]?.mean ?? []))
  const bounds = bands.flatMap(({ low, high }) => [low, high].filter((bound) => bound !== undefined))
  const scale = scaleOf([...values, ...bounds, ...outer], { height: HEIGHT, base: BASE })
  const { left, right, y } = scale
  const x = (ms: number) => left + ((ms - range.fromMs) / (range.toMs - range.fromMs)) * (right - left)
  const words = dayWords({ record, type, marks, against, zone, now })
  const name = nameWithin(type.readingType)
  return (
    <figure class="panel-figure">
      <figcaption>
        <h3>Last 24 hours</h3>
        <span class="muted small">
          {name}
          {unit !== undefined && `, ${unitSign(unit)}`}
          {type.targets.length > 0 && `, target ${rangesText(type.targets)}`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${BAND_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Last 24 hours of ${name}. ${words}`}
      >
        {bands.map((band) => (
          <PanelBand key={band.field} id={`${id}-${band.field}`} band={band} scale={scale} />
        ))}
        <PanelLevels
          scale={scale}
          levels={levelsOf({ bounds, outer, values: bounds.length === 0 ? values : [] })}
          text={(value) => computedText(value, unit)}
        />
        {ticksFor({ ...range, zone, locale: LOCALE, maxTicks: 5 }).map(({ atMs, label }) => (
          <text
            key={atMs}
            x={Math.min(Math.max(x(atMs), left + 14), right - 14)}
            y={HEIGHT - 4}
            text-anchor="middle"
          >
            {label}
          </text>
        ))}
        {fields.length === 2 &&
          marks.map(({ atMs, values: of }) => {
            const [high, low] = fields.map((field) => of[field]?.mean)
            return (
              high !== undefined &&
              low !== undefined && (
                <path key={atMs} class="panel-pair" d={`M${x(atMs).toFixed(1)} ${y(high)}V${y(low)}`} />
              )
            )
          })}
        {fields.map((field) => (
          <FieldLine key={field} {...{ field, marks, x, y }} />
        ))}
        {markedOf(outside).map((one) => (
          <path
            key={`${one.index} ${one.value}`}
            class={`panel-outside ${one.place}`}
            transform={`translate(${x(one.atMs).toFixed(1)} ${y(one.value).toFixed(1)})`}
            d={one.place === 'above' ? 'M-4.5 3L0 -5L4.5 3Z' : 'M-4.5 -3L0 5L4.5 -3Z'}
          />
        ))}
      </svg>
      <p class="panel-words">{words}</p>
    </figure>
  )
}

type LineProps = {
  field: string
  marks: readonly Mark[]
  x: (ms: number) => number
  y: (value: number) => number
}

/** A line where a sensor sends all the time, else dots. The newest is a larger dot. */
function FieldLine({ field, marks, x, y }: LineProps) {
  const points = marks.flatMap(({ atMs, values, isBeforeGap }) => {
    const value = values[field]?.mean
    return value === undefined ? [] : [{ at: x(atMs), value: y(value), isBeforeGap }]
  })
  const last = points.at(-1)
  return (
    <>
      {runsOf(points, ({ isBeforeGap }) => !isBeforeGap).map((run) =>
        run.length === 1 ? (
          <circle key={run[0]?.at} class="panel-dot" cx={run[0]?.at} cy={run[0]?.value} r="2.5" />
        ) : (
          <path
            key={run[0]?.at}
            class="panel-line"
            d={`M${run.map(({ at, value }) => `${at.toFixed(1)} ${value.toFixed(1)}`).join('L')}`}
          />
        ),
      )}
      {last && <circle class="panel-dot" cx={last.at} cy={last.value} r="3.5" />}
    </>
  )
}

function markedOf(outside: readonly Outside[]): Outside[] {
  if (outside.length <= MAX_MARKED) return [...outside]
  const above = outside.filter(({ place }) => place === 'above').toSorted((a, b) => b.value - a.value)
  const below = outside.filter(({ place }) => place === 'below').toSorted((a, b) => a.value - b.value)
  return [...above.slice(0, 1), ...below.slice(0, 1)]
}

type WordsOf = {
  record: PanelRecord
  type: ListedType
  marks: readonly Mark[]
  against: Against
  zone: string
  now: number
}

/** "Newest 23.0 mmol/L, today, 15:40, ▲ above target. 31 of 288 readings outside target." */
function dayWords({ record, type, marks, against, zone, now }: WordsOf): string {
  const { newest } = type
  const newestText = newest && `${valuesText(newest.values, type)}, ${occasionText(newest.at, now, { zone })}`
  if (marks.length === 0)
    return `No ${nameWithin(type.readingType)} in the last 24 hours.${newestText ? ` The newest: ${newestText}.` : ''}`
  // What an old reading says of now is nothing.
  const isJudged = newest && Object.keys(newest.sides).length > 0 && !ageOf(newest.at, now, zone).mark
  const side = isJudged
    ? `, ${placeText(Object.entries(newest.sides).map(([field, place]) => ({ field, place })))}`
    : ''
  const judged = countInTarget(marks, against)
  const outside = judged && judged.judged - judged.in
  return [
    newestText ? `Newest ${newestText}${side}.` : '',
    judged === undefined
      ? `${countText(marks.length, 'reading')}.`
      : outside === 0
        ? `All ${countText(judged.judged, 'reading')} in target.`
        : `${outside} of ${countText(judged.judged, 'reading')} outside target.`,
    record.isCut ? 'Earlier ones are not drawn.' : '',
  ]
    .filter((words) => words !== '')
    .join(' ')
}
