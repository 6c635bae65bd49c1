// Targets in words: "70–180 mg/dL", "below 135/85 mmHg", "set by Dr Willow Sample on 3 Oct".
import type { Target } from '../../../typescript/src/client.ts'
import type { NamedDoctor } from '../directory/doctor-names.ts'
import { numberText } from '../format/numbers.ts'
import { durationText, longDateText, occasionText } from '../format/times.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { type Bounds, boundsIn, type JudgedField } from './in-target.ts'

export type Range = Bounds & { field: string }

/** Of the fields of one type, which is at least one. */
export function rangesText(ranges: readonly Range[]): string {
  const [pair, rest] = pairOf(ranges)
  const isAlone = ranges.length === 1
  const texts = rest.map((range) =>
    isAlone && range.field === 'value' ? rangeText(range) : `${nameWithin(range.field)} ${rangeText(range)}`,
  )
  return [...(pair ? [pair] : []), ...texts].join(', ')
}

/** In the unit in which values are shown, and as it was set where that is another. */
export function rangesTextIn(ranges: readonly Range[], unit: string | undefined): string {
  const own = rangesText(ranges)
  const isOther = (range: Range) => unit !== undefined && range.unit !== unit
  if (unit === undefined || !ranges.every(isOther)) return own
  return `${rangesText(ranges.map((range) => boundsIn(range, unit)))} (${own})`
}

/** The two pressures with one bound each are said as people say them: "below 135/85". */
function pairOf(ranges: readonly Range[]): [string | undefined, readonly Range[]] {
  const [systolic, diastolic] = ['systolic', 'diastolic'].map((name) =>
    ranges.find(({ field }) => field === name),
  )
  if (!systolic || !diastolic || shapeOf(systolic) !== shapeOf(diastolic)) return [undefined, ranges]
  const only = (['low', 'high', 'below'] as const).filter((bound) => systolic[bound] !== null)
  const [bound] = only
  if (bound === undefined || only.length > 1) return [undefined, ranges]
  const text = `${WORDS[bound]} ${[systolic, diastolic].map((one) => numberText(one[bound] ?? 0)).join('/')}`
  return [`${text} ${unitSign(systolic.unit)}`, ranges.filter((one) => one !== systolic && one !== diastolic)]
}

const WORDS = { low: 'at least', high: 'at most', below: 'below' }

const shapeOf = ({ low, high, below, unit }: Range) =>
  [low, high, below].map((bound) => bound === null).join() + unit

function rangeText({ low, high, below, unit }: Bounds): string {
  if (low !== null && high !== null && !isHours(high, unit))
    return `${numberText(low)}–${amountText(high, unit)}`
  const least = low === null ? '' : amountText(low, unit)
  if (high !== null)
    return low === null ? `at most ${amountText(high, unit)}` : `${least} to ${amountText(high, unit)}`
  if (below !== null)
    return low === null
      ? `below ${amountText(below, unit)}`
      : `at least ${isHours(below, unit) ? least : numberText(low)} and below ${amountText(below, unit)}`
  return `at least ${least}`
}

const isHours = (value: number, unit: string) => unit === 'min' && value >= 60

function amountText(value: number, unit: string): string {
  return isHours(value, unit) ? durationText(value) : `${numberText(value)} ${unitSign(unit)}`
}

/** "▲ above target", "▼ diastolic below target", "in target". A part of what the card shows in large is named. */
export function placeText(judged: readonly Pick<JudgedField, 'field' | 'place'>[]): string {
  const outside = judged.filter(({ place }) => place !== 'in')
  if (outside.length === 0) return 'in target'
  const isWhole = WHOLE.some((fields) => fields.every((field) => outside.some((one) => one.field === field)))
  return (['above', 'below'] as const)
    .flatMap((place) => {
      const found = outside.filter((one) => one.place === place).map(({ field }) => nameWithin(field))
      if (found.length === 0) return []
      const named = isWhole && found.length === outside.length ? '' : `${found.join(' and ')} `
      return [`${place === 'above' ? '▲' : '▼'} ${named}${place} target`]
    })
    .join(', ')
}

const WHOLE = [['value'], ['systolic', 'diastolic']]

type Author = Pick<Target, 'setBy' | 'doctorId'>
export type AuthorOptions = {
  /** The reader, who is called "you". Undefined on paper, which others read too. */
  subject: string | undefined
  /** Whether the reader is the patient or a carer, who know each other's accounts. */
  isOwn: boolean
  nameOfDoctor: (doctorId: string) => NamedDoctor
}

export function authorOf(
  { setBy, doctorId }: Author,
  { subject, isOwn, nameOfDoctor }: AuthorOptions,
): string {
  if (setBy === subject) return 'you'
  if (doctorId !== null) return nameOfDoctor(doctorId).name
  return isOwn ? setBy : 'the patient or a carer'
}

type Authored = Author & Pick<Target, 'setAt'>
type SetOptions = AuthorOptions & { zone: string; now: number }

/** Of several, the one that was set last. */
const lastOf = (targets: readonly Authored[]) =>
  targets.toSorted((one, other) => Date.parse(other.setAt) - Date.parse(one.setAt))[0]

export function setText(targets: readonly Authored[], { zone, now, ...options }: SetOptions): string {
  const last = lastOf(targets)
  if (!last) return ''
  return `set by ${authorOf(last, options)} ${occasionText(last.setAt, now, { zone, isDayOnly: true })}`
}

/** The same for paper: "set by patient-1 on 17 November 2026". */
export function setTextOnPaper(
  targets: readonly Authored[],
  { zone, ...options }: Omit<AuthorOptions, 'subject'> & { zone: string },
): string {
  const last = lastOf(targets)
  if (!last) return ''
  return `set by ${authorOf(last, { ...options, subject: undefined })} on ${longDateText(last.setAt, zone)}`
}

/** "the target that Dr Willow Sample set on 3 Oct". Undefined where the reader set them all. */
export function othersText(
  targets: readonly Authored[],
  { zone, now, ...options }: SetOptions,
): string | undefined {
  const last = lastOf(targets.filter(({ setBy }) => setBy !== options.subject))
  if (!last) return undefined
  return `the target that ${authorOf(last, options)} set ${occasionText(last.setAt, now, { zone, isDayOnly: true })}`
}
