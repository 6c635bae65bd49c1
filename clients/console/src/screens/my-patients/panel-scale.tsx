// What the small charts of the side panel share: a scale for their values, the band of a target, and the numbers beside them.
import type { Band } from '../charts/judged.ts'

export const BAND_WIDTH = 360
const [LEFT, RIGHT, TOP] = [36, BAND_WIDTH - 6, 10]
/** How far a band that is open on one side fades away. */
const FADE = 26
/** Two numbers at the axis are so far apart, or the second is left out. */
const APART = 11

export type PanelScale = { left: number; right: number; bottom: number; y: (value: number) => number }

/** All values with some air. `base` is the room for what stands under the chart. */
export function scaleOf(
  values: readonly number[],
  { height, base }: { height: number; base: number },
): PanelScale {
  const [lowest, highest] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)]
  const air = (highest - lowest) * 0.06 || 1
  const [from, to] = [lowest - air, highest + air]
  const bottom = height - base
  return {
    left: LEFT,
    right: RIGHT,
    bottom,
    y: (value) => TOP + ((to - value) / (to - from)) * (bottom - TOP),
  }
}

/** Open on one side, it fades. */
export function PanelBand({ id, band, scale }: { id: string; band: Band; scale: PanelScale }) {
  const { left, right, y, bottom } = scale
  const [top, base] = [band.high, band.low].map((bound) => (bound === undefined ? undefined : y(bound)))
  const from = top ?? Math.max(0, (base ?? bottom) - FADE)
  const to = base ?? Math.min(bottom, from + FADE)
  const isOpen = top === undefined || base === undefined
  return (
    <>
      {isOpen && (
        <linearGradient id={id} x1="0" x2="0" y1={top === undefined ? 1 : 0} y2={top === undefined ? 0 : 1}>
          <stop class="panel-fade" offset="0" />
          <stop class="panel-fade out" offset="1" />
        </linearGradient>
      )}
      <rect
        class={isOpen ? undefined : 'target-band'}
        {...(isOpen ? { fill: `url(#${id})` } : {})}
        x={left}
        width={right - left}
        y={from}
        height={Math.max(0, to - from)}
      />
    </>
  )
}

type Level = { value: number; kind: 'target-line' | 'outer-line' | 'grid-line' }

/** The bounds of the targets first, then those around them, then the lowest and the highest value. */
export function levelsOf(levels: Record<'bounds' | 'outer' | 'values', readonly number[]>): Level[] {
  const { bounds, outer, values } = levels
  const ends = values.length === 0 ? [] : [Math.min(...values), Math.max(...values)]
  return [
    ...bounds.map((value) => ({ value, kind: 'target-line' as const })),
    ...outer.map((value) => ({ value, kind: 'outer-line' as const })),
    ...ends.map((value) => ({ value, kind: 'grid-line' as const })),
  ]
}

/** Lines with their numbers. Those that are given first matter most. */
export function PanelLevels(props: {
  scale: PanelScale
  levels: readonly Level[]
  text: (value: number) => string
}) {
  const { scale, levels, text } = props
  const { left, right, y } = scale
  const isFree = (value: number, index: number) =>
    !levels.slice(0, index).some((before) => Math.abs(y(before.value) - y(value)) < APART)
  return (
    <>
      {levels.map(({ value, kind }, index) => (
        <g key={`${kind} ${value}`} class={kind}>
          <line x1={left} x2={right} y1={y(value)} y2={y(value)} />
          {isFree(value, index) && (
            <text x={left - 5} y={y(value) + 4} text-anchor="end">
              {text(value)}
            </text>
          )}
        </g>
      ))}
    </>
  )
}
