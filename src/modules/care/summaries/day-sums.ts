// The sums of one UTC day of a patient's readings, for one target: what means, goals and falls are judged by. Plain: no clock, no database.
// A value of a sensor stands until the next one, at most 20 minutes and never beyond its day, and is counted in hours; other values are
// counted one by one. Each bound includes what is farther out.
import { isMore } from '../status/beyond.ts'
import type { Sums } from '../status/facts.ts'
import { HOUSE } from '../status/house.ts'

const HOUR_MS = 3_600_000
const SECOND_MS = 1_000

type Bounds = { low?: number; high?: number; farLow?: number; farHigh?: number }
export type DaySums = Omit<Sums, 'days'> & { lowest: number; highest: number }

const NONE = { values: 0, sum: 0, total: 0, inRange: 0, below: 0, farBelow: 0, above: 0, farAbove: 0 }

export class DayOfField {
  readonly #bounds: Bounds
  readonly #isSensor: boolean
  readonly #endsAt: number
  readonly #sums: DaySums = { ...NONE, lowest: Infinity, highest: -Infinity }
  /** The second of the newest value, and what was counted in it. */
  #second = -Infinity
  #counted: string[] = []
  #standing: { value: number; since: number } | undefined

  constructor(bounds: Bounds, { isSensor, endsAt }: { isSensor: boolean; endsAt: number }) {
    this.#bounds = bounds
    this.#isSensor = isSensor
    this.#endsAt = endsAt
  }

  /** Values come in order of their times. One measurement counts once, however often it was sent: see status/counted.ts. */
  take(value: number, at: number) {
    const second = Math.floor(at / SECOND_MS)
    if (second !== this.#second) this.#counted = []
    this.#second = second
    const digits = value.toPrecision(9)
    if (this.#counted.includes(digits)) return
    this.#counted.push(digits)
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
    this.#stand(this.#endsAt)
    return this.#sums.values > 0 ? this.#sums : undefined
  }

  #stand(until: number) {
    if (!this.#standing) return
    const { value, since } = this.#standing
    this.#add(value, Math.min(until - since, HOUSE.standsMinutes * 60_000) / HOUR_MS)
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
