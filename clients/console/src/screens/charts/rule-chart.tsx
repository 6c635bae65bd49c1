// The readings of one type with an alert rule drawn in: its bounds, and when it alerts. The plot, its gestures and its keys are those of
// the charts.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReadingTypeEntry, RoundsClient } from '../../../../typescript/src/client.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { roundedText } from '../../format/numbers.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { markText, markTimeText } from './chart-text.ts'
import './charts.css'
import type { DrawnRule } from './draw-plot.ts'
import { followKey } from './keys.ts'
import { type Mark, marksIn, marksOf } from './marks.ts'
import { howDrawn, pointedDetail } from './number-pane.tsx'
import type { Steps } from './pane.tsx'
import { PlotArea } from './plot-area.tsx'
import type { Series } from './series.ts'
import { summarise } from './summary.ts'
import { labelledTicks, TimeAxis } from './time-axis.tsx'
import type { TimeRange } from './time-range.ts'
import { drawnFields, shapeOf, type TypeShape } from './type-shape.ts'
import { usePointed } from './use-pointed.ts'
import { useRoom } from './use-room.ts'
import { useSeries } from './use-series.ts'
import { useSettled } from './use-settled.ts'
import { createView, type View } from './view.ts'

type Props = {
  rounds: RoundsClient
  patientUid: string
  readingType: string
  /** The number that the rule looks at; nothing for one that looks at none. */
  field: string | undefined
  /** In which values are shown: that of the rule. */
  unit: string | undefined
  entry: ReadingTypeEntry | undefined
  zone: string
  /** What is shown at first, and whenever it changes. */
  range: TimeRange
  /** The same as long as nothing of it changes. */
  rule: DrawnRule
}

/** Nothing for a type without numbers. */
export function RuleChart(props: Props) {
  const { rounds, patientUid, readingType, zone, range, entry } = props
  const { field, unit } = props
  const view = useMemo(() => createView(range), [])
  const [settled, setSettled] = useSettled(view)
  useLayoutEffect(() => {
    view.range.set(range)
    setSettled(range)
  }, [range.fromMs, range.toMs])
  const element = useRef<HTMLDivElement>(null)
  const room = useRoom(element)
  const stepped = useMemo(() => new Map<string, Steps>(), [])
  const [spoken, setSpoken] = useState('')
  const shape = useMemo(() => shapeFor(readingType, entry, field), [readingType, entry, field])
  if (shape.kind === 'symptoms') return null
  return (
    <div class="rule-chart">
      <div
        ref={element}
        role="group"
        aria-label={`Chart of ${nameWithin(readingType)}. Arrow keys move, plus and minus zoom, Shift with arrow keys goes from reading to reading.`}
        tabIndex={0}
        onKeyDown={(event) => followKey(event, view, stepped, setSpoken)}
      >
        {room !== undefined && (
          <Shown
            {...props}
            {...{ shape, unit, view, settled, stepped }}
            wanted={{
              rounds,
              patientUid,
              readingType,
              zone,
              view: settled,
              detail: { room, kind: shape.kind },
            }}
          />
        )}
        <TimeAxis view={view} zone={zone} />
      </div>
      <p class="unseen" role="status">
        {spoken}
      </p>
    </div>
  )
}

/** The number of the rule is drawn, and the other pressure of a pair beside it. */
function shapeFor(
  readingType: string,
  entry: ReadingTypeEntry | undefined,
  field: string | undefined,
): TypeShape {
  const shape = shapeOf(readingType, entry, { field })
  const isDrawn = field === undefined || drawnFields(shape).includes(field)
  if (isDrawn || shape.kind === 'symptoms') return shape
  return { ...shape, kind: 'line', quantities: shape.quantities.filter((one) => one.field === field) }
}

type ShownProps = Props & {
  shape: TypeShape
  view: View
  settled: TimeRange
  stepped: Map<string, Steps>
  wanted: Parameters<typeof useSeries>[0]
}

function Shown(props: ShownProps) {
  const { series, isLoading, error, retry } = useSeries(props.wanted)
  const { shape, unit, settled } = props
  const marks = useMemo(() => (series ? marksOf(series, shape, unit) : []), [series, shape, unit])
  const isEmpty = series !== undefined && marksIn(marks, settled).length === 0
  return (
    <div class="chart-pane" aria-busy={isLoading}>
      {isLoading && series && <span class="chart-busy">Loading…</span>}
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      {series && !isEmpty ? (
        <Drawn {...props} series={series} marks={marks} />
      ) : (
        <>
          <p class="chart-reading">
            <span>{isEmpty ? 'No readings in this range' : 'Loading…'}</span>
          </p>
          <div class={isEmpty ? 'chart-plot chart-nothing' : 'chart-plot skeleton'} />
        </>
      )}
    </div>
  )
}

function Drawn(props: ShownProps & { series: Series; marks: readonly Mark[] }) {
  const { readingType, zone, rule, shape, unit, view, settled, stepped, series, marks } = props
  const pointed = usePointed(marks, view)
  const fields = drawnFields(shape)
  const noBands = useMemo(() => [], [])
  useEffect(() => {
    const text = (mark: Mark) =>
      `${nameOf(readingType)}, ${markTimeText(mark, zone)}: ${markText(mark, shape, unit)}`
    stepped.set(readingType, { marks, text })
    return () => {
      stepped.delete(readingType)
    }
  }, [marks, zone, unit])
  const from = useMemo(() => summarise(marksIn(marks, settled)).convertedFrom, [marks, settled])
  return (
    <>
      <p class={pointed ? 'chart-reading is-pointed' : 'chart-reading'}>
        {pointed && <b>{markText(pointed, shape, unit)}</b>}{' '}
        <span dir="auto">{pointed ? pointedDetail(pointed, zone) : howDrawn(series, from, unit)}</span>
      </p>
      <PlotArea
        key={`${series.kind} ${fields.join()}`}
        content={{
          marks,
          fields,
          bands: noBands,
          outside: noBands,
          rule,
          kind: shape.kind === 'pair' ? 'pair' : 'line',
          isStatistics: series.kind === 'statistics',
          covers: series.covers,
          valueText: roundedText,
          ticks: (range, width) => labelledTicks(range, width, zone).map(({ atMs }) => atMs),
        }}
        pointed={pointed}
        marked={undefined}
        view={view}
        settled={settled}
      />
    </>
  )
}
