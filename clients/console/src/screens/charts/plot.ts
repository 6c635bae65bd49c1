// One pane of numbers, drawn by uPlot: the mean as a line with the band from minimum to maximum, or readings with dots, or
// blood pressures as bars. The pane draws what it is given; it knows nothing of requests.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Colours } from './colours.ts'
import { type Mark, marksIn } from './marks.ts'
import { columnsOf, heightOf, lonelyIndexes, roundStep } from './plot-data.ts'
import type { TimeRange } from './time-range.ts'

/** Room on either side of what is drawn, in CSS pixels, the same in every pane: all share one time axis. */
export const AXIS_LEFT = 48
export const AXIS_RIGHT = 12

export type PlotContent = {
  marks: readonly Mark[]
  fields: readonly string[]
  kind: 'line' | 'pair'
  isStatistics: boolean
  usual: { least: number; most: number } | undefined
  /** What is known; the rest is shaded, so that it is not taken for a gap. */
  covers: TimeRange
  valueText: (value: number) => string
  /** Where the time axis has its labels. */
  ticks: (range: TimeRange, width: number) => number[]
}

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

type PlotOptions = { width: number; height: number; range: TimeRange; colours: Colours; content: PlotContent }

// More dots than one in so many pixels would be a line of their own.
const PIXELS_PER_DOT = 7

export function createPlot(container: HTMLElement, options: PlotOptions): Plot {
  let { range, colours, content } = options
  let height = heightNow() ?? [0, 1]

  function heightNow(): [number, number] | undefined {
    // With those just out of sight, so that a line that leaves the pane does not leave it at the top.
    const { marks, fields } = content
    return heightOf(marksIn(marks, range), fields) ?? heightOf(marks, fields)
  }

  const seconds = (): [number, number] => [range.fromMs / 1_000, range.toMs / 1_000]
  const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      padding: [8, AXIS_RIGHT, 8, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, auto: false, range: seconds },
        y: { auto: false, range: () => height },
      },
      axes: [
        {
          show: true,
          size: 0,
          splits: () => content.ticks(range, plot.width - AXIS_LEFT - AXIS_RIGHT).map((ms) => ms / 1_000),
          values: (_, splits) => splits.map(() => ''),
          grid: { stroke: () => colours.faint, width: 1 },
          ticks: { show: false },
        },
        {
          size: AXIS_LEFT,
          gap: 8,
          font,
          stroke: () => colours.muted,
          splits: () => roundSplits(height, plot.height),
          values: (_, splits) => splits.map((value) => content.valueText(value)),
          grid: { stroke: () => colours.line, width: 1 },
          ticks: { show: false },
          border: { show: false },
        },
      ],
      series: [{}, ...content.fields.flatMap(() => seriesOfField())],
      bands: content.fields.map((_, place) => ({
        series: [3 * place + 3, 3 * place + 2] as [number, number],
        fill: () => (content.isStatistics ? colours.band : 'transparent'),
      })),
      hooks: {
        drawClear: [drawUnknown],
        drawAxes: [drawUsual],
        draw: [(self) => content.kind === 'pair' && !content.isStatistics && drawPairs(self)],
      },
    },
    dataOf(),
    container,
  )
  plot.root.ariaHidden = 'true'

  function dataOf(): uPlot.AlignedData {
    return columnsOf(content.marks, content.fields) as uPlot.AlignedData
  }

  function seriesOfField(): uPlot.Series[] {
    const isBar = () => content.kind === 'pair' && !content.isStatistics
    const none = () => null
    return [
      {
        stroke: () => (isBar() ? 'transparent' : colours.accent),
        width: 2,
        points: {
          size: 6,
          fill: () => colours.accent,
          stroke: () => colours.accent,
          filter: (_, seriesIndex) => dotsOf(seriesIndex),
          show: () => !isBar(),
        },
      },
      {
        stroke: 'transparent',
        width: 0,
        points: { show: false },
        ...(content.isStatistics ? {} : { paths: none }),
      },
      {
        stroke: 'transparent',
        width: 0,
        points: { show: false },
        ...(content.isStatistics ? {} : { paths: none }),
      },
    ]
  }

  /** A dot for each reading while there is room, and always for one that no line reaches. */
  function dotsOf(seriesIndex: number): number[] {
    if (content.kind === 'pair' && !content.isStatistics) return []
    const column = plot.data[seriesIndex] as (number | null)[]
    const inSight = marksIn(content.marks, range).length
    const hasRoom = !content.isStatistics && inSight * PIXELS_PER_DOT < plot.width
    if (!hasRoom) return lonelyIndexes(column)
    return column.flatMap((value, index) => (value === null ? [] : index))
  }

  function drawUnknown(self: uPlot) {
    const { ctx, bbox } = self
    const end = bbox.left + bbox.width
    const clamp = (x: number) => Math.min(Math.max(x, bbox.left), end)
    const [from, to] = [content.covers.fromMs, content.covers.toMs].map((ms) =>
      clamp(self.valToPos(ms / 1_000, 'x', true)),
    ) as [number, number]
    ctx.fillStyle = colours.sunken
    ctx.fillRect(bbox.left, bbox.top, from - bbox.left, bbox.height)
    ctx.fillRect(to, bbox.top, end - to, bbox.height)
  }

  function drawUsual(self: uPlot) {
    const { ctx, bbox } = self
    const { usual } = content
    if (!usual) return
    const clamp = (y: number) => Math.min(Math.max(y, bbox.top), bbox.top + bbox.height)
    const [top, bottom] = [usual.most, usual.least].map((value) =>
      clamp(self.valToPos(value, 'y', true)),
    ) as [number, number]
    // Where all of the plot is usual there is nothing to tell apart.
    if (top <= bbox.top && bottom >= bbox.top + bbox.height) return
    ctx.save()
    ctx.fillStyle = colours.usual
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
    ctx.strokeStyle = colours['usual-edge']
    ctx.lineWidth = uPlot.pxRatio
    ctx.setLineDash([4 * uPlot.pxRatio, 4 * uPlot.pxRatio])
    for (const y of [top, bottom]) {
      if (y <= bbox.top || y >= bbox.top + bbox.height) continue
      ctx.beginPath()
      ctx.moveTo(bbox.left, y)
      ctx.lineTo(bbox.left + bbox.width, y)
      ctx.stroke()
    }
    ctx.restore()
  }

  /** A bar from each diastolic to its systolic, with a cap at either end. */
  function drawPairs(self: uPlot) {
    const { ctx, bbox } = self
    const [upper = '', lower = ''] = content.fields
    const inSight = marksIn(content.marks, range)
    const ratio = uPlot.pxRatio
    const room = bbox.width / ratio / Math.max(inSight.length, 1)
    const cap = Math.min(4, Math.max(1, room / 3)) * ratio
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.strokeStyle = colours.accent
    ctx.lineCap = 'round'
    for (const { atMs, values } of content.marks) {
      const [high, low] = [values[upper], values[lower]]
      if (!high || !low) continue
      const x = self.valToPos(atMs / 1_000, 'x', true)
      if (x < bbox.left || x > bbox.left + bbox.width) continue
      const [top, bottom] = [high, low].map(({ mean }) => self.valToPos(mean, 'y', true)) as [number, number]
      ctx.lineWidth = Math.min(2.5, Math.max(1, room / 4)) * ratio
      ctx.beginPath()
      ctx.moveTo(x, top)
      ctx.lineTo(x, bottom)
      for (const y of [top, bottom]) {
        ctx.moveTo(x - cap, y)
        ctx.lineTo(x + cap, y)
      }
      ctx.stroke()
    }
    ctx.restore()
  }

  function redraw() {
    plot.redraw(true, true)
  }

  function rescale() {
    const [min, max] = seconds()
    plot.batch(() => {
      plot.setScale('x', { min, max })
      plot.setScale('y', { min: height[0], max: height[1] })
    })
  }

  return {
    show(next) {
      content = next
      height = heightNow() ?? height
      plot.setData(dataOf(), false)
      rescale()
      redraw()
    },
    setRange(next) {
      range = next
      rescale()
    },
    fitHeight() {
      const next = heightNow()
      if (!next || (next[0] === height[0] && next[1] === height[1])) return
      height = next
      rescale()
    },
    setColours(next) {
      colours = next
      redraw()
    },
    resize: (width, newHeight) => plot.setSize({ width, height: newHeight }),
    area: plot.over,
    yOf: (value) => plot.valToPos(value, 'y'),
    destroy: () => plot.destroy(),
  }
}

/** Round values, as many as leave 36 pixels between them, some six at most. */
function roundSplits([least, most]: [number, number], pixels: number): number[] {
  const step = roundStep((most - least) / Math.min(6, Math.max(2, Math.floor((pixels - 16) / 36))))
  const first = Math.ceil(least / step - 1e-9)
  return Array.from({ length: Math.floor(most / step + 1e-9) - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}
