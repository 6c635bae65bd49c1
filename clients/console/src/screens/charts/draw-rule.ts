// An alert rule on a plot: its bounds as lines, and the times at which it alerts shaded behind what is drawn, each with a bar above it
// that is seen without colour too.
import uPlot from 'uplot'
import { numberText } from '../../format/numbers.ts'
import { clipToArea, type Drawn, MARK_ROOM_PX, type PlotContent, xOf, yOf } from './draw-plot.ts'

const SHADE = 0.16
const BAR_PX = 5
/** An alert of a few minutes is seen in 90 days too. */
const MIN_WIDTH_PX = 3
const RING_PX = 2
const RING_RADIUS_PX = 6
/** Numbers that are closer would cover each other. */
const NUMBER_PX = 14

export const ruleBoundsOf = ({ rule }: PlotContent) =>
  [rule?.bound, rule?.clear].filter((bound) => bound !== undefined)

export function drawSpans(plot: uPlot, { content, colours, range }: Drawn) {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  clipToArea(plot, MARK_ROOM_PX * ratio)
  ctx.fillStyle = colours.review
  for (const { fromMs, toMs } of content.rule?.spans ?? []) {
    if (toMs < range.fromMs || fromMs >= range.toMs) continue
    const left = Math.max(bbox.left, xOf(plot, fromMs))
    const right = Math.min(bbox.left + bbox.width, xOf(plot, toMs))
    const width = Math.max(right - left, MIN_WIDTH_PX * ratio)
    ctx.globalAlpha = SHADE
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    ctx.fillRect(left, bbox.top - BAR_PX * ratio, width, BAR_PX * ratio)
  }
  ctx.restore()
}

/** A ring around each reading by which it alerts. */
export function drawOpening(plot: uPlot, { content, colours, range }: Drawn) {
  const opening = content.rule?.opening?.filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs)
  if (!opening || opening.length === 0) return
  const { ctx } = plot
  const ratio = uPlot.pxRatio
  clipToArea(plot, MARK_ROOM_PX * ratio)
  for (const [width, colour] of [
    [RING_PX + 3, colours.surface],
    [RING_PX, colours.review],
  ] as const) {
    ctx.lineWidth = width * ratio
    ctx.strokeStyle = colour
    for (const { atMs, value } of opening) {
      ctx.beginPath()
      ctx.arc(xOf(plot, atMs), yOf(plot, value), RING_RADIUS_PX * ratio, 0, 2 * Math.PI)
      ctx.stroke()
    }
  }
  ctx.restore()
}

/** A line beyond which it alerts, a dotted one for what ends it, and their numbers at the axis. */
export function drawRuleBounds(plot: uPlot, { content, colours }: Drawn) {
  if (!content.rule) return
  const { bound, clear } = content.rule
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'right'
  ctx.textBaseline = 'middle'
  ctx.strokeStyle = colours.review
  ctx.fillStyle = colours.review
  const line = (value: number, { dash, isNumbered }: { dash: number[]; isNumbered: boolean }) => {
    const y = Math.round(yOf(plot, value)) + 0.5
    ctx.lineWidth = 1.5 * ratio
    ctx.setLineDash(dash)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    if (isNumbered) ctx.fillText(numberText(value), bbox.left - 8 * ratio, y)
  }
  if (clear !== undefined) {
    const apart = bound === undefined ? NUMBER_PX : Math.abs(yOf(plot, bound) - yOf(plot, clear)) / ratio
    line(clear, { dash: [2 * ratio, 4 * ratio], isNumbered: apart >= NUMBER_PX })
  }
  if (bound !== undefined) line(bound, { dash: [], isNumbered: true })
  ctx.restore()
}
