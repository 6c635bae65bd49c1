// Targets on a plot: a band behind what is drawn, and a triangle at each value outside, which is seen without colour too.
import uPlot from 'uplot'
import { numberText } from '../../format/numbers.ts'
import { areBars, clipToArea, type Drawn, xOf, yOf } from './draw-plot.ts'
import type { Band, Outside } from './judged.ts'

/** How far a band that is open on one side fades away. */
const FADE_PX = 44
const TRIANGLE_PX = 5.5
const PIXELS_PER_TRIANGLE = 12

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

/** Upwards above the target, downwards below. Where they would run into each other, one at the farthest of each stretch. */
export function drawOutside(plot: uPlot, { content, range, colours }: Drawn) {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  const inSight = content.outside.filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs)
  const hasRoom = inSight.length * PIXELS_PER_TRIANGLE * ratio < bbox.width
  clipToArea(plot)
  ctx.lineWidth = 1.5 * ratio
  ctx.strokeStyle = colours.surface
  for (const { atMs, value, place } of hasRoom ? inSight : farthest(inSight)) {
    const side = (place === 'above' ? 1 : -1) * TRIANGLE_PX * ratio
    // A bar has an end to stand on; a dot is covered.
    const hasEnd = content.isStatistics || areBars(content)
    const [x, y] = [xOf(plot, atMs), yOf(plot, value) - (hasEnd ? side : 0)]
    ctx.fillStyle = place === 'above' ? colours.high : colours.low
    ctx.beginPath()
    ctx.moveTo(x, y - side)
    ctx.lineTo(x + side, y + side * 0.8)
    ctx.lineTo(x - side, y + side * 0.8)
    ctx.closePath()
    ctx.stroke()
    ctx.fill()
  }
  ctx.restore()
}

/** Of marks that follow each other on the same side, the one farthest out. */
function farthest(outside: readonly Outside[]): Outside[] {
  const found: Outside[] = []
  const lastOf = { above: undefined as Outside | undefined, below: undefined as Outside | undefined }
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
