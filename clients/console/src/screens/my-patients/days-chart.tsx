// 14 days of one type, from the list: the lowest and the highest of each day, with the target behind them.
import { useId } from 'preact/hooks'
import { dateFormat, LOCALE } from '../../format/locale.ts'
import { countText } from '../../format/numbers.ts'
import { nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { computedText } from '../charts/chart-text.ts'
import { lastDays } from '../reports/report-range.ts'
import type { ListedType } from './listed-patient.ts'
import { mainFields, valuesText } from './listed-text.ts'
import { FORTNIGHT_DAYS } from './load-record.ts'
import { outerBounds } from './outer-bounds.ts'
import { BAND_WIDTH, levelsOf, PanelBand, PanelLevels, scaleOf } from './panel-scale.tsx'

const HEIGHT = 110
const BASE = 20

/** A date of the calendar, as the instant at which it begins for a clock in UTC. */
const dateMs = (date: string) => Date.parse(date)

export function DaysChart({ type, zone, now }: { type: ListedType; zone: string; now: number }) {
  const id = useId()
  const { days, targets, readingType, unit } = type
  const fields = mainFields(days[0]?.highest ?? type.newest?.values ?? {})
  const bands = targets
    .filter(({ field }) => fields.includes(field))
    .map(({ field, low, high, below }) => ({
      field,
      low: low ?? undefined,
      high: high ?? below ?? undefined,
    }))
  const bounds = bands.flatMap(({ low, high }) => [low, high].filter((bound) => bound !== undefined))
  const outer = outerBounds(type)
  const values = days.flatMap(({ lowest, highest }) =>
    fields.flatMap((field) => [lowest[field], highest[field]].filter((value) => value !== undefined)),
  )
  const scale = scaleOf([...values, ...bounds, ...outer], { height: HEIGHT, base: BASE })
  const { left, right, y } = scale
  // The dates of the zone, as a clock in UTC has them.
  const last = dateMs(dateOf(lastDays(1, now, zone).fromMs, zone))
  const first = last - (FORTNIGHT_DAYS - 1) * DAY_MS
  const step = (right - left) / FORTNIGHT_DAYS
  const x = (ms: number) => left + ((ms - first) / DAY_MS + 0.5) * step
  const label = dateFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const name = nameWithin(readingType)
  return (
    <figure class="panel-figure">
      <figcaption>
        <h3>Lowest and highest of each day, 14 days</h3>
        {unit !== null && <span class="muted small">{unitSign(unit)}</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${BAND_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Lowest and highest ${name} of each day, ${countText(days.length, 'day')} with readings in 14 days.`}
      >
        {bands.map((band) => (
          <PanelBand key={band.field} id={`${id}-${band.field}`} band={band} scale={scale} />
        ))}
        <PanelLevels
          scale={scale}
          levels={levelsOf({ bounds, outer, values })}
          text={(value) => computedText(value, unit ?? undefined)}
        />
        {[first, first + 7 * DAY_MS, last].map((ms, index) => (
          <text
            key={ms}
            x={index === 0 ? left : index === 2 ? right : x(ms)}
            y={HEIGHT - 4}
            text-anchor={index === 0 ? 'start' : index === 2 ? 'end' : 'middle'}
          >
            {label.format(ms)}
          </text>
        ))}
        {days
          .filter(({ date }) => dateMs(date) >= first && dateMs(date) <= last)
          .map((day) => (
            <DayBars
              key={day.date}
              {...{ day, fields, type, y }}
              at={x(dateMs(day.date))}
              name={label.format(dateMs(day.date))}
            />
          ))}
      </svg>
    </figure>
  )
}

type BarsProps = {
  day: ListedType['days'][number]
  fields: readonly string[]
  type: ListedType
  at: number
  y: (value: number) => number
  name: string
}

function DayBars({ day: { lowest, highest }, fields, type, at, y, name }: BarsProps) {
  return (
    <>
      {fields.map((field) => {
        const [low, high] = [lowest[field], highest[field]]
        if (low === undefined || high === undefined) return null
        const isUpper = fields.length > 1 && field === fields[0]
        // One alone is a dot.
        const end = y(low) + (low === high ? 0.1 : 0)
        return (
          <path
            key={field}
            class={isUpper ? 'panel-day upper' : 'panel-day'}
            d={`M${at.toFixed(1)} ${y(high).toFixed(1)}V${end.toFixed(1)}`}
          >
            <title>
              {`${name}: ${valuesText({ [field]: low }, type)} to ${valuesText({ [field]: high }, type)}`}
            </title>
          </path>
        )
      })}
    </>
  )
}

const dateOf = (ms: number, zone: string) =>
  dateFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone }).format(ms)
