// Symptoms as a strip on the same time axis: a row for each, its marks by severity, in words under the pointer and in a table.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { dateTimeText, secondText } from '../../format/times.ts'
import { words } from '../../words/words.ts'
import { rangeTextOf } from './chart-text.ts'
import { type Colours, coloursIn, onColoursChange } from './colours.ts'
import { followGestures } from './gestures.ts'
import { type Column, PagedTable, type Sorts } from './mark-table.tsx'
import type { PaneProps } from './pane.tsx'
import type { Series } from './series.ts'
import { type Severity, type SymptomRow, symptomRows } from './symptoms.ts'
import type { TimeRange } from './time-range.ts'

const ROWS_AT_FIRST = 6
const SEVERITIES: readonly Severity[] = ['mild', 'moderate', 'severe', 'other']
const COLOUR_OF: Record<Severity, keyof Colours> = {
  mild: 'low',
  moderate: 'high',
  severe: 'severe',
  other: 'muted',
}
/** Severity is to be seen without colour too. */
const HEIGHT_OF: Record<Severity, number> = { mild: 0.4, moderate: 0.7, severe: 1, other: 0.55 }
const MARK_PX = 7
const MOST_NAMED = 4
const MOST_LETTERS = 40

export function SymptomPane(props: PaneProps & { series: Series }) {
  const { series, view, settled, zone, name, showsTable } = props
  const [showsAll, setShowsAll] = useState(false)
  const rows = useMemo(() => symptomRows(series, settled), [series, settled])
  const everything = useMemo(() => symptomRows(series, series.covers), [series])
  const pointed = usePointedSymptoms(rows, view)
  if (series.kind === 'statistics') {
    const total = series.buckets.reduce((sum, { count }) => sum + count, 0)
    return <p class="chart-plot chart-strip chart-nothing">{words.charts.tooMany(total)}</p>
  }
  const shown = showsAll ? rows : rows.slice(0, ROWS_AT_FIRST)
  const present = SEVERITIES.filter((severity) =>
    rows.some(({ marks }) => marks.some((mark) => mark.severity === severity)),
  )
  const marksOf = new Map(everything.map((row) => [row.name.toLowerCase(), row]))
  return (
    <>
      <p class={pointed ? 'chart-reading is-pointed' : 'chart-reading'}>
        {pointed ? (
          <>
            <b dir="auto">{pointed.text}</b> <span>{dateTimeText(pointed.atMs, zone)}</span>
          </>
        ) : (
          <span class="chart-severities">
            {present.map((severity) => (
              <span key={severity} class={`chart-severity chart-${severity}`}>
                <i />
                {words.charts.severities[severity]}
              </span>
            ))}
          </span>
        )}
      </p>
      <div class="chart-rows">
        {shown.map((row) => (
          <StripRow
            key={row.name.toLowerCase()}
            row={marksOf.get(row.name.toLowerCase()) ?? row}
            view={view}
          />
        ))}
      </div>
      {rows.length > ROWS_AT_FIRST && (
        <button
          type="button"
          class="link chart-more"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? words.charts.showFewer : words.charts.showMore(rows.length - ROWS_AT_FIRST)}
        </button>
      )}
      <p class="chart-caption" id={props.captionId}>
        {captionOf(rows)}
      </p>
      {showsTable && (
        <SymptomTable
          caption={words.charts.caption(name, rangeTextOf(settled, zone))}
          rows={rows}
          zone={zone}
          sorts={props.sorts}
        />
      )}
    </>
  )
}

/** Rows are in order of how often each was noted. */
function captionOf(rows: readonly SymptomRow[]): string {
  const count = rows.reduce((sum, { marks }) => sum + marks.length, 0)
  const [first] = rows
  if (!first || rows.length === 1) return words.charts.noted(shortened(first?.name ?? ''), count)
  return words.charts.mostOften(rows.length, count, {
    first: shortened(first.name),
    often: first.marks.length,
  })
}

type Noted = { name: string; atMs: number; label: string; severity: Severity }

function SymptomTable(props: { caption: string; rows: readonly SymptomRow[]; zone: string; sorts: Sorts }) {
  const { caption, rows, zone, sorts } = props
  const noted = useMemo(() => inOrderOfTime(rows), [rows])
  const columns: Column<Noted>[] = [
    {
      name: words.charts.columns.measured,
      cell: ({ atMs }) => secondText(atMs, zone),
      key: ({ atMs }) => atMs,
    },
    { name: words.charts.columns.symptom, cell: ({ name }) => name, key: ({ name }) => name.toLowerCase() },
    {
      name: words.charts.columns.severity,
      cell: ({ label }) => label,
      // Words of their own have no place among the others.
      key: ({ severity }) => (severity === 'other' ? undefined : SEVERITIES.indexOf(severity)),
    },
  ]
  return <PagedTable caption={caption} table={{ columns, rows: noted }} sorts={sorts} of="symptom" />
}

function inOrderOfTime(rows: readonly SymptomRow[]): Noted[] {
  return rows
    .flatMap(({ name, marks }) => marks.map((mark) => ({ name, ...mark })))
    .toSorted((a, b) => a.atMs - b.atMs)
}

function usePointedSymptoms(rows: readonly SymptomRow[], view: PaneProps['view']) {
  const [pointed, setPointed] = useState<{ atMs: number; text: string }>()
  useEffect(() => {
    const find = (at: number | undefined) => {
      if (at === undefined) return setPointed(undefined)
      const { fromMs, toMs } = view.range.get()
      const reach = (toMs - fromMs) * 0.02
      const near = rows.flatMap(({ name, marks }) =>
        marks.filter(({ atMs }) => Math.abs(atMs - at) <= reach).map((mark) => ({ name, ...mark })),
      )
      const [nearest] = near.toSorted((a, b) => Math.abs(a.atMs - at) - Math.abs(b.atMs - at))
      if (!nearest) return setPointed(undefined)
      const together = near.filter(({ atMs }) => atMs === nearest.atMs)
      const named = together.slice(0, MOST_NAMED).map(({ name, label }) => `${shortened(name)}, ${label}`)
      const more = together.length - named.length
      const text = [...named, ...(more > 0 ? [words.charts.more(more)] : [])].join(' · ')
      return setPointed({ atMs: nearest.atMs, text })
    }
    find(view.pointer.get())
    return view.pointer.subscribe(find)
  }, [rows, view])
  return pointed
}

const letters = new Intl.Segmenter()

/** The table has all of it. */
function shortened(name: string): string {
  // By what readers take for letters: an emoji or a letter with its marks is not cut in two.
  const end = letters.segment(name).containing(MOST_LETTERS)?.index
  return end === undefined ? name : `${name.slice(0, end)}…`
}

function StripRow({ row, view }: { row: SymptomRow; view: PaneProps['view'] }) {
  const track = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const [area, surface] = [track.current, canvas.current]
    if (!area || !surface) return undefined
    let colours = coloursIn(area)
    const draw = (range: TimeRange = view.range.get()) => drawStrip(surface, { row, range, colours })
    const stops = [
      view.range.subscribe(draw),
      followGestures({ area, showSelection: () => {} }, view),
      onColoursChange(() => {
        colours = coloursIn(area)
        draw()
      }),
    ]
    const observer = new ResizeObserver(() => draw())
    observer.observe(area)
    draw()
    return () => {
      observer.disconnect()
      for (const stop of stops) stop()
    }
  }, [row, view])
  return (
    <div class="chart-row">
      <span class="chart-row-name" dir="auto" title={row.name}>
        {row.name}
      </span>
      <div class="chart-track" ref={track}>
        <canvas ref={canvas} aria-hidden="true" />
      </div>
    </div>
  )
}

function drawStrip(
  canvas: HTMLCanvasElement,
  { row, range, colours }: { row: SymptomRow; range: TimeRange; colours: Colours },
) {
  const { clientWidth: width, clientHeight: height } = canvas
  const ratio = devicePixelRatio
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio)
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio)
  const context = canvas.getContext('2d')
  if (!context) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  // The worst last, so that nothing hides it.
  for (const severity of [...SEVERITIES].toSorted((a, b) => HEIGHT_OF[a] - HEIGHT_OF[b])) {
    context.fillStyle = colours[COLOUR_OF[severity]]
    const markHeight = Math.round((height - 4) * HEIGHT_OF[severity])
    for (const { atMs, severity: own } of row.marks) {
      if (own !== severity) continue
      const x = ((atMs - range.fromMs) / (range.toMs - range.fromMs)) * width
      if (x < 0 || x > width) continue
      context.beginPath()
      context.roundRect(x - MARK_PX / 2, height - 2 - markHeight, MARK_PX, markHeight, 2)
      context.fill()
    }
  }
}
