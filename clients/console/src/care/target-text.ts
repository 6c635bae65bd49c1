// Targets in words: "70–180 mg/dL", "at most 135/85 mmHg", "set by Dr Willow Sample on 3 Oct".
import type { Target } from '../../../typescript/src/client.ts'
import { numberText } from '../format/numbers.ts'
import { durationText, longDateText, occasionText } from '../format/times.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { words } from '../words/words.ts'
import { type Bounds, boundsIn, type JudgedField, type Range } from './in-target.ts'

/** Of the fields of one type, which is at least one. */
export function rangesText(ranges: readonly Range[]): string {
  const [pair, rest] = pairOf(ranges)
  const isAlone = ranges.length === 1
  const texts = rest.map((range) =>
    isAlone && range.field === 'value'
      ? rangeText(range)
      : words.targetWords.field(nameWithin(range.field), rangeText(range)),
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

/** The two pressures with one bound each are said as people say them: "at most 135/85". */
function pairOf(ranges: readonly Range[]): [string | undefined, readonly Range[]] {
  const [systolic, diastolic] = ['systolic', 'diastolic'].map((name) =>
    ranges.find(({ field }) => field === name),
  )
  if (!systolic || !diastolic || shapeOf(systolic) !== shapeOf(diastolic)) return [undefined, ranges]
  const only = (['low', 'high'] as const).filter((bound) => systolic[bound] !== null)
  const [bound] = only
  if (bound === undefined || only.length > 1) return [undefined, ranges]
  const pair = [systolic, diastolic].map((one) => numberText(one[bound] ?? 0)).join('/')
  const text = words.targetWords[BOUNDS[bound]](`${pair} ${unitSign(systolic.unit)}`)
  return [text, ranges.filter((one) => one !== systolic && one !== diastolic)]
}

const BOUNDS = { low: 'atLeast', high: 'atMost' } as const

const shapeOf = ({ low, high, unit }: Range) => [low, high].map((bound) => bound === null).join() + unit

function rangeText({ low, high, unit }: Bounds): string {
  if (low !== null && high !== null)
    return isHours(high, unit)
      ? words.targetWords.to(amountText(low, unit), amountText(high, unit))
      : `${numberText(low)}–${amountText(high, unit)}`
  return low === null
    ? words.targetWords.atMost(amountText(high ?? 0, unit))
    : words.targetWords.atLeast(amountText(low, unit))
}

const isHours = (value: number, unit: string) => unit === 'min' && value >= 60

function amountText(value: number, unit: string): string {
  return isHours(value, unit) ? durationText(value) : `${numberText(value)} ${unitSign(unit)}`
}

/**
 * "▲ above target", "▼ diastolic below target", "in target"; with `whose`, "▲ above the target of Dr Willow Sample". A part of what the
 * card shows in large is named.
 */
export function placeText(
  judged: readonly Pick<JudgedField, 'field' | 'place'>[],
  whose = words.targetWords.aTarget,
): string {
  const outside = judged.filter(({ place }) => place !== 'in')
  if (outside.length === 0) return words.targetWords.inside(whose)
  const isWhole = WHOLE.some((fields) => fields.every((field) => outside.some((one) => one.field === field)))
  return (['above', 'below'] as const)
    .flatMap((place) => {
      const found = outside.filter((one) => one.place === place).map(({ field }) => nameWithin(field))
      if (found.length === 0) return []
      return [words.targetWords[place](isWhole && found.length === outside.length ? [] : found, whose)]
    })
    .join(', ')
}

const WHOLE = [['value'], ['systolic', 'diastolic']]

/** Who reads a target. */
export type Reader = {
  /** The account, which is addressed. Undefined on paper, which others read too. */
  subject?: string | undefined
  doctorId?: string | undefined
  patientUids: readonly string[]
  nameOfDoctor: (doctorId: string) => { name: string }
}

type Authored = Pick<Target, 'author' | 'patientUid' | 'setBy' | 'setAt'>

/** The patient and carers know each other's accounts; to others they are one. Undefined for the reader. */
export function authorOf({ author, patientUid, setBy }: Authored, reader: Reader): string | undefined {
  const { subject, doctorId, patientUids, nameOfDoctor } = reader
  const isOwn = setBy === subject || (author.kind === 'doctor' && author.doctorId === doctorId)
  if (subject !== undefined && isOwn) return undefined
  // Without a name in the token, the service knows only the id.
  if (author.doctorId !== undefined && author.name === author.doctorId)
    return nameOfDoctor(author.doctorId).name
  if (author.kind !== 'patient') return author.name
  return patientUid !== null && patientUids.includes(patientUid) ? setBy : words.targetWords.patientOrCarer
}

/** "the target of Dr Willow Sample", "your target". */
export function whoseText(target: Authored, reader: Reader): string {
  const author = authorOf(target, reader)
  return author === undefined ? words.targetWords.yourTarget : words.targetWords.targetOf(author)
}

export function setText(
  target: Authored,
  { zone, now, ...reader }: Reader & { zone: string; now: number },
): string {
  const author = authorOf(target, reader)
  const day = occasionText(target.setAt, now, { zone, isDayOnly: true })
  return author === undefined ? words.targetWords.setByYou(day) : words.targetWords.setBy(author, day)
}

/** The same for paper: "set by patient-1 on 17 November 2026". */
export function setTextOnPaper(target: Authored, { zone, ...reader }: Reader & { zone: string }): string {
  const author = authorOf(target, { ...reader, subject: undefined }) ?? ''
  return words.targetWords.setBy(author, words.targetWords.onDate(longDateText(target.setAt, zone)))
}

/** Whether the reader has set it: the doctor with this id, or without one the patient and their carers. */
export const isOwnTarget = ({ author }: Pick<Target, 'author'>, doctorId: string | undefined) =>
  doctorId === undefined
    ? author.kind === 'patient'
    : author.kind === 'doctor' && author.doctorId === doctorId
