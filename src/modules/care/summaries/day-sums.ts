// The sums of one UTC day of a patient's readings, for one target: what means, goals and falls are judged by. Plain: no clock, no database.
// A value of a sensor stands until the next one, at most 20 minutes and never beyond its day, and is counted in hours; other values are
// counted one by one. Each bound includes what is farther out.

import { digitsOf, OfSecond } from '../../casesheet/statistics/of-second.ts'
import { DAY, isMore } from '../status/beyond.ts'
import type { Sums } from '../status/facts.ts'
import { HOUSE } from '../status/house.ts'

const HOUR_MS = 3_600_000

type Bounds = { low?: number; high?: number; farLow?: number; farHigh?: number }
export type DaySums = Omit<Sums, 'days'> & { lowest: number; highest: number }

const NONE = { values: 0, sum: 0, total: 0, inRange: 0, below: 0, farBelow: 0, above: 0, farAbove: 0 }

/** Until the next value, for 20 minutes at most, and never beyond its UTC day. */
export function sensorStandsUntil(since: number, next: number): number {
  const dayEnds = (Math.floor(since / DAY) + 1) * DAY
  return Math.min(next, since + HOUSE.standsMinutes * 60_000, dayEnds)
}

export class DayOfField {
  readonly #bounds: Bounds
  readonly #isSensor: boolean
  readonly #ofSecond = new OfSecond<number>()
  readonly #sums: DaySums = { ...NONE, lowest: Infinity, highest: -Infinity }
  #standing: { value: number; since: number } | undefined

  constructor(bounds: Bounds, isSensor: boolean) {
    this.#bounds = bounds
    this.#isSensor = isSensor
  }

  /** Values come in order of their times. */
  take(value: number, at: number) {
    if (this.#ofSecond.earlier(at, digitsOf(value), value) !== undefined) return
    const sums = this.#sums
    sums.values++
    sums.sum += value
    sums.lowest = Math.min(sums.lowest, value)
    sums.highest = Math.max(sums.highest, value)
    if (!this.#isSensor) return this.#add(value, 1)
    this.#stand(at)
    this.#standing = { value, since: at }
  }

  /** Undefined where there was no value. */
  finish(): DaySums | undefined {
    this.#stand(Infinity)
    return this.#sums.values > 0 ? this.#sums : undefined
  }

  #stand(next: number) {
    if (!this.#standing) return
    const { value, since } = this.#standing
    this.#add(value, (sensorStandsUntil(since, next) - since) / HOUR_MS)
  }

  #add(value: number, amount: number) {
    const { low = -Infinity, high = Infinity, farLow = -Infinity, farHigh = Infinity } = this.#bounds
    const sums = this.#sums
    sums.total += amount
    if (isMore(low, value)) sums.below += amount
    else if (isMore(value, high)) sums.above += amount
    else sums.inRange += amount
    if (isMore(farLow, value)) sums.farBelow += amount
    if (isMore(value, farHigh)) sums.farAbove += amount
  }
}
