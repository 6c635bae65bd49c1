// One pane of numbers, drawn by uPlot: readings as dots, those of a sensor joined by a line; blood pressures as bars; statistics as
// their mean, with a bar from minimum to maximum over the time of each bucket. The pane draws what it is given; it knows nothing of
// requests.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Colours } from './colours.ts'
import {
  areBars,
  type Drawn,
  drawBars,
  drawRanges,
  drawUnknown,
  MARK_ROOM_PX,
  type PlotContent,
} from './draw-plot.ts'
import { boundsOf, drawBands, drawBounds, drawOutside, strokeOf } from './draw-targets.ts'
import { marksIn } from './marks.ts'
import { columnsOf, heightOf, lonelyIndexes, roundStep } from './plot-data.ts'
import type { TimeRange } from './time-range.ts'

/** Room on either side of what is drawn, in CSS pixels, the same in every pane: all share one time axis. */
export const AXIS_LEFT = 48
export const AXIS_RIGHT = 12

export type Plot = {
  show: (content: PlotContent) => void
  setRange: (range: TimeRange) => void
  /** Fits the height to what is in sight. Not while a hand moves: nothing would stay where it is. */
  fitHeight: () => void
  setColours: (colours: Colours) => void
  resize: (width: number, height: number) => void
  /** The area of the plot without its axes, for the pointer. */
  area: HTMLElement
  yOf: (value: number) => number
  destroy: () => void
}

type PlotOptions = Omit<Drawn, 'height'> & { width: number; height: number }

// More dots than one in so many pixels would be a line of their own.
const PIXELS_PER_DOT = 7
/** The height of a number at the axis. */
const TICK_PX = 14
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

export function createPlot(container: HTMLElement, { width, height, ...shown }: PlotOptions): Plot {
  const drawn: Drawn = { ...shown, height: heightNow(shown) ?? [0, 1] }
  const plot = new uPlot({ width, height, ...optionsOf(drawn) }, dataOf(drawn.content), container)
  plot.root.ariaHidden = 'true'
  const redraw = () => plot.redraw(true, true)

  function rescale() {
    const [min, max] = secondsOf(drawn.range)
    plot.batch(() => {
      plot.setScale('x', { min, max })
      plot.setScale('y', { min: drawn.height[0], max: drawn.height[1] })
    })
  }

  return {
    show(content) {
      drawn.content = content
      drawn.height = heightNow(drawn) ?? drawn.height
      plot.setData(dataOf(content), false)
      rescale()
      redraw()
    },
    setRange(range) {
      drawn.range = range
      rescale()
    },
    fitHeight() {
      const next = heightNow(drawn)
      if (!next || (next[0] === drawn.height[0] && next[1] === drawn.height[1])) return
      drawn.height = next
      rescale()
    },
    setColours(colours) {
      drawn.colours = colours
      redraw()
    },
    resize: (newWidth, newHeight) => plot.setSize({ width: newWidth, height: newHeight }),
    area: plot.over,
    yOf(value) {
      // By the height itself: uPlot takes a new scale over later.
      const [least, most] = drawn.height
      return (1 - (value - least) / (most - least)) * plot.over.clientHeight
    },
    destroy: () => plot.destroy(),
  }
}

function heightNow({ content, range }: Omit<Drawn, 'height'>): [number, number] | undefined {
  const { marks, fields } = content
  const bounds = boundsOf(content.bands)
  // With those just out of sight, so that a line that leaves the pane does not leave it at the top.
  return heightOf(marksIn(marks, range), fields, bounds) ?? heightOf(marks, fields, bounds)
}

/** They are in sight, and their numbers at the axis. */

const secondsOf = ({ fromMs, toMs }: TimeRange): [number, number] => [fromMs / 1_000, toMs / 1_000]

const dataOf = ({ marks, fields }: PlotContent) => columnsOf(marks, fields) as uPlot.AlignedData

/** They follow what is drawn as it changes. */
function optionsOf(drawn: Drawn): Omit<uPlot.Options, 'width' | 'height'> {
  return {
    padding: [MARK_ROOM_PX, AXIS_RIGHT, MARK_ROOM_PX, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, auto: false, range: () => secondsOf(drawn.range) },
      y: { auto: false, range: () => drawn.height },
    },
    axes: [timeAxis(drawn), valueAxis(drawn)],
    series: [{}, ...drawn.content.fields.map((field) => seriesOf(drawn, field))],
    hooks: {
      drawClear: [(plot) => drawUnknown(plot, drawn), (plot) => drawBands(plot, drawn)],
      drawAxes: [
        (plot) => drawBounds(plot, drawn),
        (plot) => drawn.content.isStatistics && drawRanges(plot, drawn),
      ],
      draw: [(plot) => areBars(drawn.content) && drawBars(plot, drawn), (plot) => drawOutside(plot, drawn)],
    },
  }
}

/** Only its grid: the labels stand below the last pane. */
function timeAxis(drawn: Drawn): uPlot.Axis {
  return {
    show: true,
    size: 0,
    splits: ({ width }) =>
      drawn.content.ticks(drawn.range, width - AXIS_LEFT - AXIS_RIGHT).map((ms) => ms / 1_000),
    values: (_, splits) => splits.map(() => ''),
    grid: { stroke: () => drawn.colours.faint, width: 1 },
    ticks: { show: false },
  }
}

function valueAxis(drawn: Drawn): uPlot.Axis {
  return {
    size: AXIS_LEFT,
    gap: 8,
    font: FONT,
    stroke: () => drawn.colours.muted,
    splits: ({ height }) => roundSplits(drawn.height, height),
    values: (plot, splits) => splits.map((value) => tickText(plot, value, drawn)),
    grid: { stroke: () => drawn.colours.line, width: 1 },
    ticks: { show: false },
    border: { show: false },
  }
}

/** Nothing where the number of a target stands. */
function tickText(plot: uPlot, value: number, { content }: Drawn): string {
  const y = (one: number) => plot.valToPos(one, 'y')
  const isCovered = boundsOf(content.bands).some((bound) => Math.abs(y(bound) - y(value)) < TICK_PX)
  return isCovered ? '' : content.valueText(value)
}

function seriesOf(drawn: Drawn, field: string): uPlot.Series {
  const colour = (plot: uPlot) => strokeOf(plot, field, drawn)
  return {
    stroke: (plot) => (areBars(drawn.content) ? 'transparent' : colour(plot)),
    width: 2,
    points: {
      size: 6,
      fill: colour,
      stroke: colour,
      filter: (plot, index) => dotsOf(plot, index, drawn),
      show: () => !areBars(drawn.content),
    },
  }
}

/** A dot for each reading while there is room, and always for one that no line reaches. */
function dotsOf(plot: uPlot, seriesIndex: number, { content, range }: Drawn): number[] {
  if (areBars(content)) return []
  const column = plot.data[seriesIndex] as (number | null)[]
  const inSight = marksIn(content.marks, range).length
  const hasRoom = !content.isStatistics && inSight * PIXELS_PER_DOT < plot.width
  if (!hasRoom) return lonelyIndexes(column)
  return column.flatMap((value, index) => (value === null ? [] : index))
}

/** Round values, as many as leave 36 pixels between them, some six at most. */
function roundSplits([least, most]: [number, number], pixels: number): number[] {
  const step = roundStep((most - least) / Math.min(6, Math.max(2, Math.floor((pixels - 16) / 36))))
  const first = Math.ceil(least / step - 1e-9)
  return Array.from({ length: Math.floor(most / step + 1e-9) - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}
