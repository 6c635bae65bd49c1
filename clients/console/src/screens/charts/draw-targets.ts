// Targets on a plot: a band behind what is drawn, and a triangle at each value outside, which is seen without colour too.
import uPlot from 'uplot'
import { numberText } from '../../format/numbers.ts'
import { areBars, clipToArea, type Drawn, MARK_ROOM_PX, xOf, yOf } from './draw-plot.ts'
import type { Band, Outside } from './judged.ts'

/** How far a band that is open on one side fades away. */
const FADE_PX = 44
const TRIANGLE_PX = 5.5
const MIN_TRIANGLE_PX = 3
/** From this size on, a triangle covers the dot of a reading. */
const DOT_COVER_PX = 4
/** On either side of a triangle. */
const AIR_PX = 0.75
/** A bucket of a pair has two values above and two below. */
const MOST_OF_A_MARK = 4

/** Behind everything. */
export function drawBands(plot: uPlot, { content, colours }: Drawn) {
  const { ctx, bbox } = plot
  const fadePx = FADE_PX * uPlot.pxRatio
  clipToArea(plot)
  for (const { low, high } of content.bands) {
    const [top, bottom] = [high, low].map((bound) => (bound === undefined ? undefined : yOf(plot, bound)))
    const from = top ?? (bottom ?? 0) - fadePx
    const to = bottom ?? (top ?? 0) + fadePx
    ctx.fillStyle = colours['in-target']
    if (top === undefined || bottom === undefined) {
      const fade = ctx.createLinearGradient(0, top ?? to, 0, top === undefined ? from : to)
      fade.addColorStop(0, colours['in-target'])
      fade.addColorStop(1, 'transparent')
      ctx.fillStyle = fade
    }
    ctx.fillRect(bbox.left, from, bbox.width, to - from)
  }
  ctx.restore()
}

/** The ends of each band: a broken line over the grid, and its number at the axis. */
export function drawBounds(plot: uPlot, { content, colours }: Drawn) {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'right'
  ctx.textBaseline = 'middle'
  ctx.strokeStyle = colours.ok
  ctx.fillStyle = colours.ok
  ctx.lineWidth = ratio
  ctx.setLineDash([5 * ratio, 4 * ratio])
  for (const bound of boundsOf(content.bands)) {
    const y = Math.round(yOf(plot, bound)) + 0.5
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.fillText(numberText(bound), bbox.left - 8 * ratio, y)
  }
  ctx.restore()
}

export const boundsOf = (bands: readonly Band[]) =>
  bands.flatMap(({ low, high }) => [low, high].filter((bound) => bound !== undefined))

/** Upwards above the target, downwards below: every one, smaller where they are dense. Where they run into each other, the farthest of
 * each stretch is of full size. */
export function drawOutside(plot: uPlot, { content, range, colours }: Drawn) {
  const { ctx } = plot
  const ratio = uPlot.pxRatio
  const fullPx = TRIANGLE_PX * ratio
  const placed = content.outside
    .filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs)
    .map((one) => ({ ...one, x: xOf(plot, one.atMs), y: yOf(plot, one.value) }))
  const sized = placed.map((one, index) => ({ ...one, sizePx: sizeAt(placed, index) }))
  const crowded = farthest(sized.filter(({ sizePx }) => sizePx === MIN_TRIANGLE_PX * ratio))
  clipToArea(plot, MARK_ROOM_PX * ratio)
  ctx.lineWidth = 1.5 * ratio
  ctx.strokeStyle = colours.surface
  for (const { x, y, place, sizePx } of [...sized, ...crowded.map((one) => ({ ...one, sizePx: fullPx }))]) {
    const side = place === 'above' ? sizePx : -sizePx
    // A bar has an end to stand on; a dot is covered by a triangle that is large enough.
    const standsOnIt = content.isStatistics || areBars(content) || sizePx < DOT_COVER_PX * ratio
    const middle = y - (standsOnIt ? side : 0)
    ctx.fillStyle = place === 'above' ? colours.high : colours.low
    ctx.beginPath()
    ctx.moveTo(x, middle - side)
    ctx.lineTo(x + side, middle + side * 0.8)
    ctx.lineTo(x - side, middle + side * 0.8)
    ctx.closePath()
    // Of small ones, the edge of one would cut the next.
    if (sizePx === fullPx) ctx.stroke()
    ctx.fill()
  }
  ctx.restore()
}

type Placed = { x: number; y: number }

/** As large as leaves its neighbours free. */
function sizeAt(placed: readonly Placed[], index: number): number {
  const ratio = uPlot.pxRatio
  const [from, to] = [Math.max(0, index - MOST_OF_A_MARK), index + MOST_OF_A_MARK + 1]
  const { x, y } = placed[index] as Placed
  const distances = placed
    .slice(from, to)
    .map((other, at) =>
      from + at === index ? Number.POSITIVE_INFINITY : Math.max(Math.abs(other.x - x), Math.abs(other.y - y)),
    )
  const fitting = Math.min(...distances) / 2 - AIR_PX * ratio
  return Math.min(TRIANGLE_PX * ratio, Math.max(MIN_TRIANGLE_PX * ratio, fitting))
}

/** Of marks that follow each other on the same side, the one farthest out. */
function farthest<Of extends Outside>(outside: readonly Of[]): Of[] {
  const found: Of[] = []
  const lastOf = { above: undefined as Of | undefined, below: undefined as Of | undefined }
  for (const one of outside) {
    const last = lastOf[one.place]
    lastOf[one.place] = one
    const kept = found.findLast(({ place }) => place === one.place)
    const isNext = last !== undefined && one.index - last.index <= 1
    if (!isNext || !kept) found.push(one)
    else if (one.place === 'above' ? one.value > kept.value : one.value < kept.value)
      found[found.lastIndexOf(kept)] = one
  }
  return found
}

/** The line in the colour of where it is; one colour where there is no target. */
export function strokeOf(plot: uPlot, field: string, { content, colours }: Drawn): string | CanvasGradient {
  const band: Band | undefined = content.bands.find((one) => one.field === field)
  const { top, height } = plot.bbox
  if (!band || !(height > 0)) return colours.accent
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height)
  const stop = (bound: number) => Math.min(1, Math.max(0, (yOf(plot, bound) - top) / height))
  const [high, low] = [
    band.high === undefined ? 0 : stop(band.high),
    band.low === undefined ? 1 : stop(band.low),
  ]
  for (const [at, colour] of [
    [0, band.high === undefined ? colours.accent : colours.high],
    [high, band.high === undefined ? colours.accent : colours.high],
    [high, colours.accent],
    [low, colours.accent],
    [low, band.low === undefined ? colours.accent : colours.low],
    [1, band.low === undefined ? colours.accent : colours.low],
  ] as const)
    gradient.addColorStop(at, colour)
  return gradient
}
