// How the last 30 days differ from the 30 before, where that is worth a word. Compared are the means of all readings; a change is
// noteworthy where it is at least 2 % and at least twice what the differences from day to day would bring about by chance (the
// standard error of the difference of the means of days), and where the middle days differ by 2 % too: one mistyped value is no change.

import { meanText } from '../../format/numbers.ts'
import { durationText } from '../../format/times.ts'
import type { Day, Month } from './month.ts'

/** On fewer days a mean says nothing about a month. */
const MIN_DAYS = 4
const MIN_PART = 0.02
/** A reading of these may stand for an hour or for a day, so a mean of readings means nothing. */
const SUMS = new Set(['stepCount', 'activeEnergy'])

export type MonthOfType = {
  readingType: string
  month: Month
  fields: readonly string[]
  unitName: string
}
export type Change = {
  readingType: string
  direction: 'higher' | 'lower' | 'different'
  /** "132/84", and before "128/82". */
  now: string
  before: string
  unitName: string
  /** In standard deviations of the days: by it, changes of different types are compared. */
  size: number
}

export const isCompared = (readingType: string) => !SUMS.has(readingType)

/** The largest of all types. */
export function largestChange(months: readonly MonthOfType[]): Change | undefined {
  const changes = months.flatMap((month) => changeOf(month) ?? [])
  return changes.toSorted((one, other) => other.size - one.size)[0]
}

function changeOf({ readingType, month, fields, unitName }: MonthOfType): Change | undefined {
  if (!isCompared(readingType)) return undefined
  const found = fields.map((field) => compared(month, field))
  const known = found.filter((one) => one !== undefined)
  if (known.length === 0 || known.length < fields.length) return undefined
  const noteworthy = known.filter((one) => one.isNoteworthy)
  const signs = new Set(noteworthy.map(({ difference }) => Math.sign(difference)))
  const size = Math.max(...noteworthy.map((one) => one.size))
  const text = (values: number[]) => values.map((value) => amountText(value, unitName)).join('/')
  const [now, before] = [text(known.map((one) => one.now)), text(known.map((one) => one.before))]
  if (noteworthy.length === 0 || now === before) return undefined
  const direction = signs.size > 1 ? 'different' : signs.has(1) ? 'higher' : 'lower'
  const isDuration = unitName === 'min'
  return { readingType, direction, now, before, unitName: isDuration ? '' : unitName, size }
}

function amountText(value: number, unitName: string): string {
  if (unitName === 'min') return durationText(Math.round(value))
  // Blood pressure is measured and said in whole mmHg.
  return meanText(unitName === 'mmHg' ? Math.round(value) : value)
}

function compared({ days, earlier }: Month, field: string) {
  const [last, first] = [meansOf(days, field), meansOf(earlier ?? [], field)]
  if (last.length < MIN_DAYS || first.length < MIN_DAYS) return undefined
  const [now, before] = [meanOf(last), meanOf(first)]
  const difference = now - before
  const squares = squaresOf(last) + squaresOf(first)
  const deviation = Math.sqrt(squares / (last.length + first.length - 2))
  const byChance = 2 * deviation * Math.sqrt(1 / last.length + 1 / first.length)
  const magnitude = Math.abs(difference)
  const ofMiddle = (middleOf(last) - middleOf(first)) * Math.sign(difference)
  const least = Math.max(MIN_PART * Math.abs(before), Number.MIN_VALUE)
  return {
    now,
    before,
    difference,
    isNoteworthy: magnitude >= least && ofMiddle >= least && magnitude >= byChance,
    // Days that are all alike would make every change endless.
    size: magnitude / Math.max(deviation, 0.01 * Math.abs(before), Number.MIN_VALUE),
  }
}

type DayMean = { mean: number; count: number }

const meansOf = (days: readonly Day[], field: string): DayMean[] =>
  days.flatMap(({ ranges }) => ranges[field] ?? [])

function meanOf(days: readonly DayMean[]): number {
  const count = days.reduce((sum, day) => sum + day.count, 0)
  return days.reduce((sum, { mean, count: of }) => sum + mean * of, 0) / count
}

function middleOf(days: readonly DayMean[]): number {
  const means = days.map(({ mean }) => mean).toSorted((a, b) => a - b)
  const [lower, upper] = [means[(means.length - 1) >> 1], means[means.length >> 1]]
  return ((lower ?? 0) + (upper ?? 0)) / 2
}

function squaresOf(days: readonly DayMean[]): number {
  const middle = days.reduce((sum, { mean }) => sum + mean, 0) / days.length
  return days.reduce((sum, { mean }) => sum + (mean - middle) ** 2, 0)
}
