// What the list says of a patient in words: why the status is as it is, and which rule says so.
import { OUTER, outerBoundsIn } from '../summaries/what-is-summarised.ts'
import { capital, nameOfType, unitText } from '../type-words.ts'
import type { AlertOfList, Due } from './list-statement.ts'
import type { RuleKind as AnyRuleKind, ListedPatient, ListedType } from './listed-patient.ts'

/** Of what is known of a type. */
type RuleKind = Exclude<AnyRuleKind, 'openAlert'>

type Target = ListedType['targets'][number]

export type Worded = Pick<ListedPatient, 'reason' | 'rule'>

type About = {
  status: ListedPatient['status']
  types: (ListedType & { due: Due[] })[]
  alert: AlertOfList | null
  lastReadingAt: string | null
  lastReview: ListedPatient['lastReview']
  isLimited: boolean
  timeZone: string
  /** In which times and dates are written, such as en-US. */
  english: string
  now: number
  /** Of the doctor's token. */
  subject: string
  silentAfter: number | undefined
  worseBy: number | undefined
}

/** What applies first of a status, and the type to which it does. */
const DECIDES: Partial<Record<ListedPatient['status'], [Due, RuleKind][]>> = {
  attention: [['attention', 'newestOutside']],
  review: [
    ['outside', 'readingOutside'],
    ['goal', 'goal'],
  ],
  worse: [['worse', 'shareFell']],
  silent: [['silent', 'noReading']],
}

/** What is not to be hidden behind another type. */
const OUTSIDE = new Set<Due>(['attention', 'outside'])

export function wordsFor(about: About): Worded {
  const { status, types, alert } = about
  if (alert) return alertWords(alert, about)
  for (const [due, kind] of DECIDES[status] ?? []) {
    const concerned = types.filter((type) => type.due.includes(due))
    const [type] = concerned.toSorted((a, b) => decidedAt(b, kind) - decidedAt(a, kind))
    const others = types.filter((other) => other !== type && other.due.some((one) => OUTSIDE.has(one)))
    const also = others.length > 0 ? `; also outside: ${listOf(others.map(nameOf))}` : ''
    if (type)
      return {
        reason: `${REASONS[kind](type, about)}${also}.`,
        rule: { kind, readingType: type.readingType, text: `${RULES[kind](type, about)}.`, alertId: null },
      }
  }
  return { reason: `${plainReason(about)}.`, rule: null }
}

/** "Alert at 07:40 today: …" */
function alertWords(alert: AlertOfList, about: About): Worded {
  const { reading_type: readingType, why, opened_at: openedAt, set_by: setBy, set_at: setAt } = alert
  const others = about.types.filter(
    (type) => type.readingType !== readingType && type.due.some((one) => OUTSIDE.has(one)),
  )
  const also = others.length > 0 ? ` Also outside target: ${listOf(others.map(nameOf))}.` : ''
  const setText = `${setBy === about.subject ? 'you' : setBy} on ${dateOf(setAt, about)}`
  return {
    reason: `Alert ${when(openedAt, about)}: ${why}${also}`,
    rule: {
      kind: 'openAlert',
      readingType,
      text: `An alert is open by a rule set by ${setText}, and no doctor has acknowledged it.`,
      alertId: alert.alert_id,
    },
  }
}

function decidedAt(type: ListedType, kind: RuleKind): number {
  const at = kind === 'readingOutside' ? type.farthest?.at : type.newest?.at
  return at === undefined ? 0 : Date.parse(at)
}

const REASONS: Record<RuleKind, (type: ListedType, about: About) => string> = {
  newestOutside: (type, about) => outsideText(type, type.newest, about),
  readingOutside: (type, about) => outsideText(type, type.farthest, about),
  goal: (type) => `${sharesText([type])} in 14 days`,
  shareFell: (type) =>
    `${sharesText([type])} in 14 days, ${shareText(type.share?.before ?? null)} in the 14 days before`,
  noReading: (type, about) =>
    type.newest === null
      ? `No reading of ${nameOf(type)} so far`
      : `No reading of ${nameOf(type)} for ${daysText(type.newest.at, about)}; the last was ${valuesText(type, type.newest.values)} ${when(type.newest.at, about)}${sideNote(type)}`,
}

const RULES: Record<RuleKind, (type: ListedType, about: About) => string> = {
  newestOutside: (type, about) => `The newest reading is outside ${boundsText(type, about)}`,
  // Which of them was received since is not known; the one that is named is the farthest outside.
  readingOutside: (type, about) =>
    about.lastReview === null
      ? `A reading of the last 14 days is outside ${boundsText(type, about)}`
      : `Since your last review, a reading of the last 14 days was received that is outside ${boundsText(type, about)}; the reason names the farthest of the 14 days`,
  goal: (type, about) =>
    `At most ${percentOf(OUTER.goal * 100)} of the readings of 14 days are in ${targetText(type, about)}: the ${OUTER.source}, asks for more`,
  shareFell: (type, about) =>
    `The share in ${targetText(type, about)} fell by ${about.worseBy} percentage points or more from one fortnight to the next, as chosen for this list`,
  noReading: (type, about) =>
    `There is ${targetText(type, about)}, and no reading for ${about.silentAfter === 1 ? 'a day' : `${about.silentAfter} days`}, as chosen for this list`,
}

function plainReason({ status, types, lastReadingAt, lastReview, isLimited, ...about }: About): string {
  const judged = types.filter(({ share }) => share !== null && share.judged > 0)
  switch (status) {
    case 'preparing':
      return 'The readings are being summarised'
    case 'noTarget':
      return lastReadingAt === null && !isLimited
        ? 'No target is set, and nothing was measured in 30 days'
        : 'No target is set, so nothing is judged'
    case 'noData':
      return judged.length === 0
        ? 'No reading of the last 14 days to compare with a target'
        : `Too few readings to judge: ${judged.map((type) => `${type.share?.inTarget} of ${type.share?.judged} of ${nameOf(type)} in target`).join(', ')} in 14 days`
    case 'reviewed': {
      const looked = lastReview === null ? 'You have looked' : `You looked ${when(lastReview.at, about)}`
      return judged.length === 0
        ? `${looked} at readings outside target`
        : `${looked}; ${sharesText(judged)} in 14 days`
    }
    default:
      return judged.every(({ share }) => share?.judged === share?.inTarget)
        ? `All readings of ${listOf(judged.map(nameOf))} in 14 days are in target`
        : `${sharesText(judged)} in 14 days`
  }
}

const sharesText = (types: ListedType[]) =>
  types.map((type) => `${shareText(type.share)} of ${nameOf(type)} in target`).join(', ')

const listOf = (names: string[]) => new Intl.ListFormat('en-GB').format(names)

const nameOf = ({ readingType }: { readingType: string }) => nameOfType(readingType)

const NUMBERS: Record<string, Intl.NumberFormat> = {
  'mmol/L': new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 2 }),
}
const PLAIN_NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2, useGrouping: false })
const numberText = (value: number, unit: string) => (NUMBERS[unit] ?? PLAIN_NUMBER).format(value)
const quantityText = (value: number, unit: string) => `${numberText(value, unit)}${unitText(unit)}`

/** "Blood pressure 178/112 mmHg at 07:40 today, above the target". */
function outsideText(
  type: ListedType,
  reading: { at: string; values: Record<string, number> } | null,
  about: About,
): string {
  const name = capital(nameOf(type))
  return reading === null
    ? name
    : `${name} ${valuesText(type, reading.values)} ${when(reading.at, about)}, ${beyondText(type, reading.values)}`
}

const PRESSURES = ['systolic', 'diastolic']
const isPressure = (field: string) => PRESSURES.includes(field)

/** "178/112 mmHg", "23.0 mmol/L", and what else is outside its target: "120/80 mmHg, pulse 150/min". */
function valuesText(type: ListedType, values: Record<string, number>): string {
  const { readingType, unit } = type
  const main = readingType === 'bloodPressure' ? PRESSURES : Object.keys(values).slice(0, 1)
  const texts = main.map((field) => (values[field] === undefined ? '–' : numberText(values[field], unit)))
  const others = type.targets.flatMap((target) => {
    const { field } = target
    const value = values[field]
    return value === undefined || main.includes(field) || sideOf(value, target) === undefined
      ? []
      : [`, ${field} ${quantityText(value, target.unit)}`]
  })
  return `${texts.join('/')}${unitText(unit)}${others.join('')}`
}

function sideOf(
  value: number,
  { low, high, below }: Pick<Target, 'low' | 'high' | 'below'>,
): 'below' | 'above' | undefined {
  if (low !== null && value < low) return 'below'
  return (high !== null && value > high) || (below !== null && value >= below) ? 'above' : undefined
}

/** Which bound was passed: of the outer ones where there are such. */
function beyondText(type: ListedType, values: Record<string, number>): string {
  const outer = outerOf(type)
  if (outer) {
    const [low, high] = outer
    const value = Object.values(values)[0] ?? 0
    return value < low ? `below ${quantityText(low, type.unit)}` : `above ${quantityText(high, type.unit)}`
  }
  const found = new Set(
    type.targets.flatMap((target) => {
      const value = values[target.field]
      return value === undefined ? [] : [sideOf(value, target)]
    }),
  )
  if (found.has('below') === found.has('above')) return 'outside the target'
  return found.has('below') ? 'below the target' : 'above the target'
}

function sideNote(type: ListedType): string {
  const sides = Object.values(type.newest?.sides ?? {})
  if (sides.includes('above')) return ', above the target'
  return sides.includes('below') ? ', below the target' : ''
}

function outerOf({ targets, unit }: ListedType): readonly [number, number] | undefined {
  return targets.some(({ preset }) => preset === OUTER.preset) ? outerBoundsIn(unit) : undefined
}

function boundsText(type: ListedType, about: About): string {
  const outer = outerOf(type)
  const target = targetText(type, about)
  if (!outer) return target
  const [low, high] = outer.map((bound) => numberText(bound, type.unit))
  return `${low}–${high}${unitText(type.unit)}, the outer bounds of ${target} (${OUTER.source})`
}

/** "the target below 135/85 mmHg, set by dr-willow on 3 October 2026". */
function targetText({ targets }: ListedType, about: Read & Pick<About, 'subject'>): string {
  const setText = ({ setBy, setAt }: Target) =>
    `set by ${setBy === about.subject ? 'you' : setBy} on ${dateOf(setAt, about)}`
  const [first, ...others] = targets
  if (!first) return 'the target'
  if (others.some((other) => setText(other) !== setText(first)))
    return `the targets ${listOf(targets.map((target) => `${target.field} ${rangeText(target)} (${setText(target)})`))}`
  return `the target ${rangesText(targets)}, ${setText(first)}`
}

/** Without the field where there is one only, and of both pressures as they are written. */
function rangesText(targets: Target[]): string {
  const [first] = targets
  if (first && targets.length === 1 && first.field === 'value') return rangeText(first)
  if (first && isPairBelow(targets))
    return `below ${targets.map(({ below }) => numberText(below ?? 0, first.unit)).join('/')}${unitText(first.unit)}`
  return targets.map((target) => `${target.field} ${rangeText(target)}`).join(', ')
}

const isPairBelow = (targets: Target[]) =>
  targets.length === 2 &&
  targets.every(({ field, below, low }) => isPressure(field) && below !== null && low === null)

function rangeText({ low, high, below, unit }: Target): string {
  const text = (value: number) => numberText(value, unit)
  const of = unitText(unit)
  if (below !== null) return `${low === null ? '' : `${text(low)} to `}below ${text(below)}${of}`
  if (low === null) return `up to ${text(high ?? 0)}${of}`
  return high === null ? `from ${text(low)}${of}` : `${text(low)}–${text(high)}${of}`
}

/** Never more than there is: 69.9 % is not 70. */
const percentOf = (hundredths: number) => `${Math.floor(hundredths)} %`

function shareText(share: { judged: number; inTarget: number } | null): string {
  return share === null || share.judged === 0 ? '–' : percentOf((share.inTarget * 100) / share.judged)
}

function daysText(at: string, { now }: Pick<About, 'now'>): string {
  const days = Math.floor((now - Date.parse(at)) / 86_400_000)
  return days === 1 ? 'a day' : `${days} days`
}

/** How a doctor reads times. */
type Read = Pick<About, 'timeZone' | 'english'>

/** Formatters are slow to make; those in use are few. */
const FORMATS = new Map<string, ReturnType<typeof makeFormats>>()
const MAX_FORMATS = 100

function formatsFor({ timeZone, english }: Read) {
  const key = `${english} ${timeZone}`
  const known = FORMATS.get(key)
  if (known) return known
  if (FORMATS.size >= MAX_FORMATS) FORMATS.clear()
  const made = makeFormats({ timeZone, english })
  FORMATS.set(key, made)
  return made
}

function makeFormats({ timeZone, english }: Read) {
  const day = { timeZone, day: 'numeric', month: 'long' } as const
  return {
    time: new Intl.DateTimeFormat(english, { timeZone, hour: '2-digit', minute: '2-digit' }),
    day: new Intl.DateTimeFormat(english, day),
    date: new Intl.DateTimeFormat(english, { ...day, year: 'numeric' }),
    year: new Intl.DateTimeFormat(english, { timeZone, year: 'numeric' }),
  }
}

const dateOf = (instant: string, read: Read) => formatsFor(read).date.format(Date.parse(instant))

/** "at 07:40 today", "at 03:12 on 4 November"; in the United States "at 03:12 AM on November 4". */
function when(instant: string, about: Read & Pick<About, 'now'>): string {
  const at = Date.parse(instant)
  const { now } = about
  const { time, day, date, year } = formatsFor(about)
  if (date.format(at) === date.format(now)) return `at ${time.format(at)} today`
  const isThisYear = year.format(at) === year.format(now)
  return `at ${time.format(at)} on ${(isThisYear ? day : date).format(at)}`
}
