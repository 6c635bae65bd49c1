// The profile: for each half hour of the day, the median of all days, where half of the readings lie, and where nine of ten lie. A half hour
// without readings is a gap.
import type { GlucoseReport } from '../../../../typescript/src/client.ts'
import { unitSign } from '../../format/units.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { words } from '../../words/words.ts'
import { computedText } from '../charts/chart-text.ts'
import { hourText, minuteText } from './clock-text.ts'
import { runsOf } from './runs.ts'

type HalfHour = GlucoseReport['profile'][number]

type Full = HalfHour & Record<'p5' | 'p25' | 'p50' | 'p75' | 'p95', number>

const isFull = (one: HalfHour): one is Full => one.p50 !== null
const DAY_MINUTES = 1_440
const HALF_HOUR = 30
/** So that profiles of different people, and of one person at different times, can be laid beside each other. */
const TOP: Readonly<Record<string, { least: number; step: number }>> = {
  'mg/dL': { least: 300, step: 50 },
  'mmol/L': { least: 16, step: 2 },
}

type ProfileProps = {
  figures: GlucoseReport
  /** Beside something else, with little room and without a table. */
  isSmall?: boolean
}

export function ProfileChart({ figures, isSmall = false }: ProfileProps) {
  const isNarrow = useNarrow() || isSmall
  const { profile, unit, lowest, highest } = figures
  const [width, height] = isSmall ? [360, 190] : isNarrow ? [360, 250] : [760, 270]
  const [left, right, bottom] = [34, isNarrow ? 6 : 52, 22]
  const band = targetBand(figures)
  const top = topOf(figures)
  const x = (minute: number) => left + (minute / DAY_MINUTES) * (width - left - right)
  const y = (value: number) => 8 + (1 - value / top) * (height - 8 - bottom)
  const runs = runsOf(profile.filter(isFull), (before, one) => one.minute - before.minute === HALF_HOUR)
  const amount = (value: number) => `${computedText(value, unit)} ${unitSign(unit)}`
  const [least, most] = [lowest, highest].map((extreme) => (extreme ? amount(extreme.value) : ''))
  const label = words.reports.profileLabel(least ?? '', most ?? '', !isSmall)
  return (
    <figure class="profile">
      <figcaption>
        <h3>{isSmall ? words.reports.twoWeeks : words.reports.byTimeOfDay}</h3>
        <Legend hasTarget={band !== undefined} />
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {band && (
          <rect
            class="target-band"
            x={left}
            width={width - left - right}
            y={y(band.to ?? top)}
            height={y(band.from ?? 0) - y(band.to ?? top)}
          />
        )}
        <Grid
          {...{ figures, band, top, x, y }}
          every={isNarrow ? 6 : 3}
          edges={[left, width - right]}
          base={height - bottom}
        />
        {runs.map((run) => (
          <Run key={run[0]?.minute} run={run} x={x} y={y} />
        ))}
        {!isNarrow && <EndLabels run={runs.at(-1)} at={width - right + 6} y={y} />}
        {profile.filter(isFull).map((one) => (
          <rect
            key={one.minute}
            class="half-hour"
            x={x(one.minute)}
            width={x(HALF_HOUR) - x(0)}
            y={0}
            height={height - bottom}
          >
            <title>{halfHourText(one, amount)}</title>
          </rect>
        ))}
      </svg>
    </figure>
  )
}

export const targetBand = ({ target, bands }: GlucoseReport) =>
  target === null ? undefined : bands.find(({ name }) => name === 'target')

function topOf({ unit, profile, bands, target }: GlucoseReport): number {
  const { least, step } = TOP[unit] ?? { least: 1, step: 1 }
  const bounds = target === null ? [] : bands.map(({ to }) => to ?? 0)
  const most = Math.max(least, ...profile.map(({ p95 }) => p95 ?? 0), ...bounds)
  return Math.ceil(most / step) * step
}

function Legend({ hasTarget }: { hasTarget: boolean }) {
  return (
    <p class="legend">
      <span>
        <Key class="median" />
        {words.reports.median}
      </span>
      <span>
        <Key class="half" />
        {words.reports.half}
      </span>
      <span>
        <Key class="most" />
        {words.reports.most}
      </span>
      {hasTarget && (
        <span>
          <Key class="target-band" />
          {words.reports.targetKey}
        </span>
      )}
    </p>
  )
}

function Key({ class: name }: { class: string }) {
  return (
    <svg viewBox="0 0 20 12" aria-hidden="true">
      {name === 'median' ? (
        <path class="median" d="M0 6H20" />
      ) : (
        <rect class={name} x="1" y="1" width="18" height="10" />
      )}
    </svg>
  )
}

type Scale = { x: (minute: number) => number; y: (value: number) => number }
type GridProps = Scale & {
  figures: GlucoseReport
  band: ReturnType<typeof targetBand>
  top: number
  /** Hours between two labels. */
  every: number
  edges: [left: number, right: number]
  base: number
}

function Grid({ figures, band, top, x, y, every, edges: [left, right], base }: GridProps) {
  const hours = Array.from({ length: 24 / every + 1 }, (_, index) => index * every)
  return (
    <>
      {levelsOf(figures, band, top, y).map(({ value, isTarget }) => (
        <g key={value} class={isTarget ? 'target-line' : 'grid-line'}>
          <line x1={left} x2={right} y1={y(value)} y2={y(value)} />
          <text x={left - 5} y={y(value) + 4} text-anchor="end">
            {computedText(value, figures.unit)}
          </text>
        </g>
      ))}
      {hours.map((hour) => (
        <g key={hour} class="grid-line">
          <line x1={x(hour * 60)} x2={x(hour * 60)} y1={base} y2={base + 4} />
          <text
            x={x(hour * 60)}
            y={base + 17}
            text-anchor={hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'}
          >
            {hourText(hour)}
          </text>
        </g>
      ))}
      <text class="axis-unit" x={left + 4} y={18}>
        {unitSign(figures.unit)}
      </text>
    </>
  )
}

/** The bounds of the target and of the bands around it; without a target, round numbers. Those too close to one before are left out. */
function levelsOf({ bands, unit }: GlucoseReport, band: GridProps['band'], top: number, y: Scale['y']) {
  const { step } = TOP[unit] ?? { step: 1 }
  const every = step * 2
  const round = Array.from({ length: Math.floor(top / every) }, (_, index) => (index + 1) * every)
  const bounds = [band?.from, band?.to].filter((value) => typeof value === 'number')
  const outer = bands.flatMap(({ name, from, to }) =>
    name === 'veryLow' ? (to ?? []) : name === 'veryHigh' ? (from ?? []) : [],
  )
  const wanted = band
    ? [
        ...bounds.map((value) => ({ value, isTarget: true })),
        ...[...outer, 0, top].map((value) => ({ value, isTarget: false })),
      ]
    : [0, ...round].map((value) => ({ value, isTarget: false }))
  return wanted.filter(
    ({ value }, index) => !wanted.slice(0, index).some((before) => Math.abs(y(before.value) - y(value)) < 11),
  )
}

function Run({ run, x, y }: Scale & { run: Full[] }) {
  // One alone is as wide as its half hour.
  const points =
    run.length === 1
      ? run.flatMap((one) => [
          { ...one, minute: one.minute - 12 },
          { ...one, minute: one.minute + 12 },
        ])
      : run
  const middle = ({ minute }: Full) => x(minute + HALF_HOUR / 2).toFixed(1)
  const line = (of: 'p5' | 'p25' | 'p50' | 'p75' | 'p95', from = points) =>
    from.map((one) => `${middle(one)} ${y(one[of]).toFixed(1)}`).join('L')
  const area = (low: 'p5' | 'p25', high: 'p75' | 'p95') => `M${line(high)}L${line(low, points.toReversed())}Z`
  return (
    <>
      <path class="most" d={area('p5', 'p95')} />
      <path class="half" d={area('p25', 'p75')} />
      <path class="median" d={`M${line('p50')}`} />
    </>
  )
}

/** What each line is, at its end, as far apart as they can be read. */
function EndLabels({ run, at, y }: { run: Full[] | undefined; at: number; y: Scale['y'] }) {
  const last = run?.at(-1)
  if (!last || last.minute < DAY_MINUTES - HALF_HOUR) return null
  const labels = (['p95', 'p75', 'p50', 'p25', 'p5'] as const).map((name) => ({ name, at: y(last[name]) }))
  for (const [index, one] of labels.entries()) {
    const before = labels[index - 1]
    if (before) one.at = Math.max(one.at, before.at + 11)
  }
  return (
    <>
      {labels.map(({ name, at: height }) => (
        <text key={name} x={at} y={height + 4} class={name === 'p50' ? 'is-median' : undefined}>
          {name === 'p50' ? words.reports.median : `${name.slice(1)} %`}
        </text>
      ))}
    </>
  )
}

function halfHourText(one: Full, amount: (value: number) => string): string {
  const { minute, p5, p25, p50, p75, p95, count } = one
  return words.reports.halfHour(
    `${minuteText(minute)}–${minuteText(minute + HALF_HOUR)}`,
    { median: amount(p50), p25: amount(p25), p75: amount(p75), p5: amount(p5), p95: amount(p95) },
    count,
  )
}
