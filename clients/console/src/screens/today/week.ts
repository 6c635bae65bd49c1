// How many readings of the last seven days, today among them, are in target with each of their numbers. Nothing where they are too many
// to be known one by one, as those of a sensor are: of these a share of time is told, in the report.
import { asDisplayed, placeOf, type Range } from '../../care/in-target.ts'
import { startOfDay } from '../../format/zone-calendar.ts'
import type { Month } from './month.ts'

const DAYS = 7

export type Week = { count: number; inTarget: number }

/** `targets` in the unit of the values. */
export function weekOf(
  { points }: Pick<Month, 'points'>,
  { targets, now, zone }: { targets: readonly Range[]; now: number; zone: string },
): Week | undefined {
  const fromMs = startOfDay(now, zone, 1 - DAYS)
  const judged = points
    ?.filter(({ atMs }) => atMs >= fromMs)
    .map(({ values }) =>
      targets.flatMap((target) => {
        const value = values[target.field]
        return value === undefined ? [] : [placeOf(asDisplayed(value, target.unit), target.unit, target)]
      }),
    )
    .filter((places) => places.length > 0)
  return (
    judged && {
      count: judged.length,
      inTarget: judged.filter((places) => places.every((place) => place === 'in')).length,
    }
  )
}
