// How many readings of the last seven days, today among them, are in target with each of their numbers. Nothing where they are too many
// to be known one by one, as those of a sensor are: of these a share of time is told, in the report.
import { asDisplayed, placeOf, type Range } from '../../care/in-target.ts'
import { startOfDay } from '../../format/zone-calendar.ts'
import type { Month, Point } from './month.ts'

const DAYS = 7

export type Week = { count: number; inTarget: number }

/** `targets` in the unit of the values. */
export function weekOf(
  { points }: Pick<Month, 'points'>,
  { targets, now, zone }: { targets: readonly Range[]; now: number; zone: string },
): Week | undefined {
  const fromMs = startOfDay(now, zone, 1 - DAYS)
  if (!points) return undefined
  const judged = counted(points.filter(({ atMs }) => atMs >= fromMs))
    .map(({ values }) =>
      targets.flatMap((target) => {
        const value = values[target.field]
        return value === undefined ? [] : [placeOf(asDisplayed(value, target.unit), target.unit, target)]
      }),
    )
    .filter((places) => places.length > 0)
  return {
    count: judged.length,
    inTarget: judged.filter((places) => places.every((place) => place === 'in')).length,
  }
}

/** One measurement that was sent twice counts once, as the service counts it: equal values at the same second. */
const counted = (points: readonly Point[]) => [
  ...new Map(points.map((point) => [contentOf(point), point])).values(),
]

function contentOf({ atMs, values }: Point): string {
  // Nine digits: 100.4 °F is 38.00000000000001 °C.
  const said = Object.entries(values).map(([field, value]) => `${field} ${value.toPrecision(9)}`)
  return [Math.floor(atMs / 1_000), ...said].join(' ')
}
