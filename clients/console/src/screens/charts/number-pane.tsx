// A pane of numbers: plot, values under the pointer, what the range amounts to, and the same as a table.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { rangesOf } from '../../care/in-target.ts'
import { whoseText } from '../../care/target-text.ts'
import { roundedText } from '../../format/numbers.ts'
import { words } from '../../words/words.ts'
import { Caption } from './caption.tsx'
import { computedText, markText, markTimeText, rangeTextOf, signOf, unitOf } from './chart-text.ts'
import type { PlotContent } from './draw-plot.ts'
import { type Against, bandsOf, countInTarget, type InTarget, outsideOf, targetWord } from './judged.ts'
import { MarkTable } from './mark-table.tsx'
import { type Mark, marksIn, marksOf } from './marks.ts'
import type { PaneProps } from './pane.tsx'
import { PlotArea } from './plot-area.tsx'
import type { Series } from './series.ts'
import { countedOnce, emptyBuckets, type RangeSummary, summarise } from './summary.ts'
import { labelledTicks } from './time-axis.tsx'
import { contains, markInAddress } from './time-range.ts'
import { drawnFields, type TypeShape } from './type-shape.ts'
import { usePointed } from './use-pointed.ts'

type NumberPaneProps = PaneProps & { series: Series; shape: TypeShape; unit: string | undefined }

export function NumberPane(props: NumberPaneProps) {
  const { series, shape, unit, view, settled, zone, name, nowMs, showsTable, stepped } = props
  const fields = drawnFields(shape)
  const marks = useMemo(() => marksOf(series, shape, unit), [series, shape, unit])
  const inSight = useMemo(() => marksIn(marks, settled), [marks, settled])
  const counted = useMemo(() => countedOnce(inSight, fields), [inSight])
  const summary = useMemo(() => summarise(counted), [counted])
  const { against, bands, outside, inTarget } = useJudged(marks, counted, props)
  const pointed = usePointed(marks, view)
  const marked = useMarked(marks, props)
  const content: PlotContent = {
    marks,
    fields,
    bands,
    outside,
    kind: shape.kind === 'pair' ? 'pair' : 'line',
    isStatistics: series.kind === 'statistics',
    covers: series.covers,
    // The unit stands at the pane's name.
    valueText: roundedText,
    ticks: (range, width) => labelledTicks(range, width, zone).map(({ atMs }) => atMs),
  }
  useEffect(() => {
    const text = (mark: Mark) => `${name}, ${markTimeText(mark, zone)}: ${saidOf(mark, against)}`
    stepped.set(shape.readingType, { marks, text })
    return () => {
      stepped.delete(shape.readingType)
    }
  }, [marks, against, zone])
  // What is loaded of a part must not be taken for the whole.
  const isWhole = contains(series.covers, settled)
  const empty = emptyBuckets(series, settled, nowMs)
  const said = pointed ?? marked
  const drawn = isWhole ? howDrawn(series, summary.convertedFrom, unit) : words.charts.notAllLoaded
  return (
    <>
      <p class={pointed ? 'chart-reading is-pointed' : 'chart-reading'}>
        {said && <b>{saidOf(said, against)}</b>}{' '}
        <span dir="auto">{said ? pointedDetail(said, zone) : drawn}</span>
      </p>
      <PlotArea
        key={`${content.isStatistics} ${fields.join()}`}
        content={content}
        pointed={pointed}
        marked={marked}
        view={view}
        settled={settled}
      />
      {isWhole && (
        <SummaryOf summary={summary} shape={shape} unit={unit}>
          {inTarget && <OfTarget {...inTarget} />}
          {series.kind === 'statistics' && empty > 0 && (
            <Figure name={words.charts.empty(empty, series.bucket)} text={roundedText(empty)} />
          )}
        </SummaryOf>
      )}
      {isWhole && (
        <Caption
          {...props}
          id={props.captionId}
          readings={summary.readings}
          marks={counted}
          inTarget={inTarget}
          ranges={against.targets}
        />
      )}
      {showsTable && (
        <MarkTable
          {...props}
          caption={`${name}, ${rangeTextOf(settled, zone)}`}
          marks={inSight}
          against={against}
        />
      )}
    </>
  )
}

/** What is drawn and said of the targets. */
function useJudged(
  marks: readonly Mark[],
  counted: readonly Mark[],
  { target, reader, entry, shape, unit }: NumberPaneProps,
) {
  const whose = target ? whoseText(target, reader) : ''
  const against = useMemo(
    () => ({ targets: rangesOf(target, entry), whose, shape, unit }),
    [target, entry, whose, shape, unit],
  )
  return {
    against,
    bands: useMemo(() => bandsOf(against), [against]),
    outside: useMemo(() => outsideOf(marks, against), [marks, against]),
    inTarget: useMemo(() => countInTarget(counted, against), [counted, against]),
  }
}

function SummaryOf(props: {
  summary: RangeSummary
  shape: TypeShape
  unit: string | undefined
  children: ComponentChildren
}) {
  const { summary, shape, unit, children } = props
  const drawn = drawnFields(shape)
  const found = drawn.flatMap((field) => summary.fields[field] ?? [])
  const own = unitOf(shape, drawn[0] ?? '', unit)
  return (
    <dl class="chart-summary">
      {found.length > 0 && (
        <Figure
          name={`${summary.readings === 1 ? words.charts.value : words.charts.meanOf} ${signOf(own)}`}
          text={found.map(({ mean }) => computedText(mean, own)).join(' / ')}
        />
      )}
      {children}
    </dl>
  )
}

const OfTarget = ({ in: part, judged }: InTarget) => (
  <Figure
    name={words.targetWords.inside(words.targetWords.aTarget)}
    text={words.charts.partOf(part, judged)}
  />
)

function Figure({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  )
}

/** The numbers of a mark, and where they lie. */
function saidOf(mark: Mark, against: Against): string {
  const word = targetWord(mark, against)
  const text = markText(mark, against.shape, against.unit)
  return word === undefined ? text : `${text} · ${word}`
}

function pointedDetail(mark: Mark, zone: string): string {
  const time = markTimeText(mark, zone)
  const more = mark.bucket ? words.charts.count(mark.count) : mark.source
  return more === undefined ? time : `${time} · ${more}`
}

/** What is drawn, and what was converted. */
function howDrawn(series: Series, from: ReadonlyMap<string, number>, unit: string | undefined): string {
  if (series.kind === 'statistics') return words.charts.byBucket(series.bucket)
  const converted = [...from].map(([stored, count]) => ({ count, unit: signOf(stored) }))
  return converted.length === 0 ? words.charts.each : words.charts.eachConverted(converted, signOf(unit))
}

/** The one that the address names, if it is loaded; said when it comes. */
function useMarked(marks: readonly Mark[], props: NumberPaneProps): Mark | undefined {
  const { address, shape, unit, zone, name, speak } = props
  const markedMs = markInAddress(address.query, shape.readingType)
  const marked = useMemo(
    () =>
      markedMs === undefined
        ? undefined
        : marks.find(({ atMs, bucket }) =>
            bucket ? markedMs >= bucket.startMs && markedMs < bucket.endMs : Math.floor(atMs) === markedMs,
          ),
    [marks, markedMs],
  )
  const isFound = marked !== undefined && marked.bucket === undefined
  useEffect(() => {
    if (marked && isFound)
      speak(words.charts.marked(name, markTimeText(marked, zone), markText(marked, shape, unit)))
  }, [markedMs, isFound])
  return marked
}
