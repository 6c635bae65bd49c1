// What uPlot does not draw by itself: what is not known, the range of each bucket, and blood pressures as bars.
import uPlot from 'uplot'
import type { Colours } from './colours.ts'
import type { Band, Outside } from './judged.ts'
import { type Mark, marksIn } from './marks.ts'
import type { TimeRange } from './time-range.ts'

export type PlotContent = {
  marks: readonly Mark[]
  fields: readonly string[]
  kind: 'line' | 'pair'
  isStatistics: boolean
  bands: readonly Band[]
  /** Values outside their band, in order of time. */
  outside: readonly Outside[]
  /** What is known; the rest is shaded, so that it is not taken for a gap. */
  covers: TimeRange
  valueText: (value: number) => string
  /** Where the time axis has its labels. */
  ticks: (range: TimeRange, width: number) => number[]
}

/** What a plot shows now. */
export type Drawn = {
  content: PlotContent
  range: TimeRange
  colours: Colours
  /** The least and the most value in sight. */
  height: [number, number]
}

export const areBars = ({ kind, isStatistics }: PlotContent) => kind === 'pair' && !isStatistics

export function drawUnknown(plot: uPlot, { content, colours }: Drawn) {
  const { ctx, bbox } = plot
  const end = bbox.left + bbox.width
  const clampedX = (ms: number) => Math.min(Math.max(xOf(plot, ms), bbox.left), end)
  const [from, to] = [clampedX(content.covers.fromMs), clampedX(content.covers.toMs)]
  ctx.fillStyle = colours.sunken
  ctx.fillRect(bbox.left, bbox.top, from - bbox.left, bbox.height)
  ctx.fillRect(to, bbox.top, end - to, bbox.height)
}

/** From the minimum to the maximum of each bucket, over its time: the ends are as clear as the mean, also of one that stands alone. */
export function drawRanges(plot: uPlot, { content, colours }: Drawn) {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  clipToArea(plot)
  for (const { bucket, values } of content.marks) {
    if (!bucket) continue
    const [start, end] = [xOf(plot, bucket.startMs), xOf(plot, bucket.endMs)]
    if (end < bbox.left || start > bbox.left + bbox.width) continue
    const air = Math.min(3 * ratio, (end - start) / 5)
    const [left, width] = [start + air / 2, Math.max(end - start - air, ratio)]
    for (const field of content.fields) {
      const summary = values[field]
      if (!summary) continue
      const [top, bottom] = [yOf(plot, summary.max), yOf(plot, summary.min)]
      ctx.fillStyle = colours.band
      ctx.fillRect(left, top, width, bottom - top)
      ctx.fillStyle = colours.accent
      for (const y of [top, bottom]) ctx.fillRect(left, y - 0.75 * ratio, width, 1.5 * ratio)
    }
  }
  ctx.restore()
}

/** A bar from each diastolic to its systolic, with a cap at either end. */
export function drawBars(plot: uPlot, { content, range, colours }: Drawn) {
  const { ctx, bbox } = plot
  const [upper = '', lower = ''] = content.fields
  const ratio = uPlot.pxRatio
  const room = bbox.width / ratio / Math.max(marksIn(content.marks, range).length, 1)
  const cap = Math.min(4, Math.max(1, room / 3)) * ratio
  clipToArea(plot)
  ctx.strokeStyle = colours.accent
  ctx.lineCap = 'round'
  ctx.lineWidth = Math.min(2.5, Math.max(1, room / 4)) * ratio
  for (const { atMs, values } of content.marks) {
    const [high, low] = [values[upper], values[lower]]
    if (!high || !low) continue
    const x = xOf(plot, atMs)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    const [top, bottom] = [yOf(plot, high.mean), yOf(plot, low.mean)]
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

/** In pixels of the canvas. */
export const xOf = (plot: uPlot, ms: number) => plot.valToPos(ms / 1_000, 'x', true)
export const yOf = (plot: uPlot, value: number) => plot.valToPos(value, 'y', true)

/** Above and below the area, in CSS pixels: a mark at an end of the axis is drawn whole. */
export const MARK_ROOM_PX = 13

/** Until the context is restored. */
export function clipToArea({ ctx, bbox }: uPlot, marginPx = 0) {
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left - marginPx, bbox.top - marginPx, bbox.width + 2 * marginPx, bbox.height + 2 * marginPx)
  ctx.clip()
}
