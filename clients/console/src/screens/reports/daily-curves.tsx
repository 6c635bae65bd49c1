// Each day as a small chart: the lowest and the highest of every hour. What is under the target is named with its hour.
import type { GlucoseReport } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { timeText } from '../../format/times.ts'
import { unitSign } from '../../format/units.ts'
import { Link } from '../../ui/link.tsx'
import { dateFormat, LOCALE } from '../../words/language.ts'
import { words } from '../../words/words.ts'
import { computedText } from '../charts/chart-text.ts'
import { addressOfRange } from '../charts/time-range.ts'
import type { DayCurve } from './load-day-curves.ts'
import { targetBand } from './profile-chart.tsx'
import { runsOf } from './runs.ts'

const [WIDTH, HEIGHT] = [120, 48]

type Props = { curves: DayCurve[]; days: number; figures: GlucoseReport; zone: string; address: Address }

export function DailyCurves({ curves, days, figures, zone, address }: Props) {
  const { unit } = figures
  const band = targetBand(figures)
  const highs = curves.flatMap(({ hours }) => hours.map(({ max }) => max))
  const top = Math.max(1, band?.from ?? 0, band?.to ?? 0, ...highs) * 1.04
  const name = dateFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone })
  return (
    <section class="report-days" aria-label={words.reports.dayByDay}>
      <h3>
        {words.reports.dayByDay}{' '}
        <span class="muted">
          {words.reports.hours(unitSign(unit), days > curves.length ? curves.length : undefined)}
        </span>
      </h3>
      <ol class="day-curves">
        {curves.map((curve) => (
          <li key={curve.startMs}>
            <Link
              address={address}
              to={{
                path: 'charts',
                query: {
                  type: 'interstitialGlucose',
                  ...addressOfRange({ fromMs: curve.startMs, toMs: curve.endMs }),
                },
              }}
            >
              {name.format(curve.startMs)}
            </Link>
            <Curve curve={curve} band={band} top={top} />
            <DayWords curve={curve} low={band?.from ?? undefined} unit={unit} zone={zone} />
          </li>
        ))}
      </ol>
    </section>
  )
}

type CurveProps = { curve: DayCurve; band: ReturnType<typeof targetBand>; top: number }

function Curve({ curve: { startMs, endMs, hours }, band, top }: CurveProps) {
  const x = (ms: number) => ((ms - startMs) / (endMs - startMs)) * WIDTH
  const y = (value: number) => (1 - value / top) * HEIGHT
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {band && (
        <>
          <Sides low={y(band.from ?? 0)} high={y(band.to ?? top)} />
          <rect
            class="target-band"
            width={WIDTH}
            y={y(band.to ?? top)}
            height={y(band.from ?? 0) - y(band.to ?? top)}
          />
        </>
      )}
      <path class="base" d={`M0 ${HEIGHT}H${WIDTH}`} />
      {runsOf(hours, (before, hour) => before.endMs === hour.startMs).map((run) => (
        <path key={run[0]?.startMs} class={band ? 'hours judged' : 'hours'} d={outline(run, x, y)} />
      ))}
    </svg>
  )
}

/** What is above the target, in it and below it, in three colours. */
function Sides({ low, high }: { low: number; high: number }) {
  const stops = [
    ['side-above', high],
    ['side-in', high],
    ['side-in', low],
    ['side-below', low],
  ] as const
  return (
    <linearGradient id="sides" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="0" y2={HEIGHT}>
      {stops.map(([name, at], index) => (
        <stop key={index} class={name} offset={at / HEIGHT} />
      ))}
    </linearGradient>
  )
}

type Hour = DayCurve['hours'][number]

/** Along the highest of each hour, and back along the lowest. */
function outline(run: Hour[], x: (ms: number) => number, y: (value: number) => number): string {
  const middle = ({ startMs, endMs }: Hour) => x((startMs + endMs) / 2)
  const points = run.length === 1 ? run.flatMap((hour) => [hour, hour]) : run
  const there = points.map((hour) => `${middle(hour).toFixed(1)} ${y(hour.max).toFixed(1)}`)
  const back = points.toReversed().map((hour) => `${middle(hour).toFixed(1)} ${y(hour.min).toFixed(1)}`)
  return `M${[...there, ...back].join('L')}Z`
}

type WordsProps = { curve: DayCurve; low: number | undefined; unit: string; zone: string }

/** "58–231", and where that is under the target "low 58 after 03:00". */
function DayWords({ curve: { hours }, low, unit, zone }: WordsProps) {
  const [first] = hours
  if (!first) return <span class="muted">{words.reports.noReadings}</span>
  const lowest = hours.reduce((least, hour) => (hour.min < least.min ? hour : least), first)
  const text = (value: number) => computedText(value, unit)
  const isLow = low !== undefined && lowest.min < low
  return (
    <>
      <span>
        {text(lowest.min)}–{text(Math.max(...hours.map(({ max }) => max)))}
      </span>
      {isLow && (
        <strong class="is-low">{words.reports.low(text(lowest.min), timeText(lowest.startMs, zone))}</strong>
      )}
    </>
  )
}
