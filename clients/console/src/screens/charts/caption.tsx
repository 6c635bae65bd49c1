// What a chart shows in one sentence: how many readings, whether they rise or fall, and the highest and the lowest, which are links.
import { Fragment } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Range } from '../../care/in-target.ts'
import { rangesTextIn, setText } from '../../care/target-text.ts'
import { numberText } from '../../format/numbers.ts'
import { nameOf } from '../../format/type-names.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'
import { computedText, isExact, markMomentText, signOf, unitOf } from './chart-text.ts'
import { extremeOf, readingBehind, type Side, valueOf } from './extremes.ts'
import type { InTarget } from './judged.ts'
import type { Mark } from './marks.ts'
import type { PaneProps } from './pane.tsx'
import type { Series } from './series.ts'
import { addressOfMark, addressOfRange, around } from './time-range.ts'
import { pointsOf, trendOf } from './trend.ts'
import { drawnFields, type TypeShape } from './type-shape.ts'

const SIDES: readonly Side[] = ['highest', 'lowest']

type CaptionProps = Pick<
  PaneProps,
  'zone' | 'nowMs' | 'settled' | 'target' | 'reader' | 'address' | 'rounds' | 'patientUid' | 'focusCharts'
> & {
  id: string
  readings: number
  /** Those in sight. */
  marks: readonly Mark[]
  series: Series
  shape: TypeShape
  unit: string | undefined
  inTarget: InTarget | undefined
  ranges: readonly Range[]
}

export function Caption(props: CaptionProps) {
  const { id, readings, shape } = props
  const fields = drawnFields(shape)
  const isPair = fields.length > 1
  return (
    <p class="chart-caption" id={id}>
      {`${words.charts.count(readings)}${isPair ? '.' : ''}`}
      {fields.map((field) => (
        <Fragment key={field}>
          {isPair ? words.charts.ofField(nameOf(field)) : ', '}
          <OfField {...props} field={field} />.
        </Fragment>
      ))}
      <OfTarget {...props} />
    </p>
  )
}

/** The target, who set it and when, and how many readings are in it. */
function OfTarget({ target, ranges, reader, unit, inTarget, settled, zone, nowMs }: CaptionProps) {
  if (!target || ranges.length === 0) return null
  // Then readings from before it was set are compared with it too.
  const isLater = Date.parse(target.setAt) > settled.fromMs
  const author = setText(target, { ...reader, zone, now: nowMs })
  return (
    <>
      {inTarget && words.charts.inTarget(inTarget.in, inTarget.judged)}
      <span class="chart-target">{words.charts.target(rangesTextIn(ranges, unit), author, isLater)}</span>
    </>
  )
}

function OfField(props: CaptionProps & { field: string }) {
  const { marks, series, field, zone } = props
  const trend = useMemo(() => trendOf(pointsOf(marks, field, zone)), [marks, field, zone])
  const [highest, lowest] = SIDES.map((side) => extremeOf(marks, field, side))
  if (!highest || !lowest) return <>{words.charts.noValue}</>
  if (props.readings === 1) return <ExtremeLink {...props} side="highest" mark={highest} />
  if (valueOf(highest, field, 'highest') === valueOf(lowest, field, 'lowest'))
    return <>{words.charts.all(valueText(highest, 'highest', props))}</>
  const period = series.kind === 'readings' || series.bucket === 'hour' ? 'day' : series.bucket
  return (
    <>
      {trend && words.charts.trend(trend, period)}
      {words.charts.extremes(
        <ExtremeLink {...props} side="highest" mark={highest} />,
        <ExtremeLink {...props} side="lowest" mark={lowest} />,
      )}
    </>
  )
}

type ExtremeProps = CaptionProps & { field: string; side: Side; mark: Mark }

/** Leads to the day around the reading, and marks it there. */
function ExtremeLink(props: ExtremeProps) {
  const { mark, side, zone, nowMs, address, shape, rounds, focusCharts } = props
  const to = (one: Mark) => ({
    query: { ...addressOfRange(around(one)), ...addressOfMark(shape.readingType, one) },
  })
  const leaving = useMemo(() => new AbortController(), [])
  useEffect(() => () => leaving.abort(), [])
  const follow = async () => {
    const { signal } = leaving
    // Where it cannot be found, the bucket is what is known.
    const found = mark.bucket
      ? await readingBehind(rounds, mark, { ...props, signal }).catch(() => mark)
      : mark
    // Whoever has gone on meanwhile, perhaps to another patient, is not called back.
    if (signal.aborted) return
    address.go(to(found))
    focusCharts()
  }
  return (
    <Link address={address} to={to(mark)} onFollow={() => void follow()}>
      {`${valueText(mark, side, props)} ${markMomentText(mark, { nowMs, zone })}`}
    </Link>
  )
}

function valueText(
  mark: Mark,
  side: Side,
  { field, shape, unit }: Pick<ExtremeProps, 'field' | 'shape' | 'unit'>,
) {
  const own = unitOf(shape, field, unit)
  const value = valueOf(mark, field, side) ?? 0
  return `${isExact(mark) ? numberText(value) : computedText(value, own)} ${signOf(own)}`.trim()
}
