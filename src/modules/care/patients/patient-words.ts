// What the list says of a patient in words: why the status is as it is, and which rule says so.
import { OUTER, outerBoundsIn } from '../summaries/what-is-summarised.ts'
import type { Due } from './list-statement.ts'
import type { ListedPatient, ListedType, RuleKind } from './listed-patient.ts'

/** What people call types whose names do not say it. */
const NAMES: Record<string, string> = {
  interstitialGlucose: 'sensor glucose',
  respiratoryRate: 'breathing rate',
  bloodKetone: 'blood ketones',
  stepCount: 'steps',
  heartRateVariabilitySdnn: 'heart rate variability (SDNN)',
  heartRateVariabilityRmssd: 'heart rate variability (RMSSD)',
  peakExpiratoryFlow: 'peak flow',
  fev1: 'FEV1',
  painScore: 'pain',
}

const UNITS: Record<string, string> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
  '{score}': '',
  '1': '',
}

export type Worded = Pick<ListedPatient, 'reason' | 'rule'>

type About = {
  status: ListedPatient['status']
  types: (ListedType & { due: Due[] })[]
  lastReadingAt: string | null
  timeZone: string
  now: number
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

export function wordsFor(about: About): Worded {
  const { status, types } = about
  for (const [due, kind] of DECIDES[status] ?? []) {
    const concerned = types.filter((type) => type.due.includes(due))
    const [type] = concerned.toSorted((a, b) => decidedAt(b, kind) - decidedAt(a, kind))
    if (type)
      return {
        reason: `${REASONS[kind](type, about)}.`,
        rule: { kind, readingType: type.readingType, text: `${RULES[kind](type, about)}.` },
      }
  }
  return { reason: `${plainReason(about)}.`, rule: null }
}

function decidedAt(type: ListedType, kind: RuleKind): number {
  const at = kind === 'readingOutside' ? type.farthest?.at : type.newest?.at
  return at === undefined ? 0 : Date.parse(at)
}

const REASONS: Record<RuleKind, (type: ListedType, about: About) => string> = {
  newestOutside: (type, about) =>
    type.newest === null
      ? capital(nameOf(type))
      : `${capital(nameOf(type))} ${valuesText(type.newest.values, type)} ${when(type.newest.at, about)}, ${beyondText(type, type.newest.values)}`,
  readingOutside: (type, about) =>
    type.farthest === null
      ? capital(nameOf(type))
      : `${capital(nameOf(type))} ${valuesText(type.farthest.values, type)} ${when(type.farthest.at, about)}, ${beyondText(type, type.farthest.values)}`,
  goal: (type) => `${shareText(type.share)} of ${nameOf(type)} in target in 14 days`,
  shareFell: (type) =>
    `${shareText(type.share)} of ${nameOf(type)} in target in 14 days, ${shareText(type.share?.before ?? null)} in the 14 days before`,
  noReading: (type, about) =>
    type.newest === null
      ? `No ${nameOf(type)} so far`
      : `No ${nameOf(type)} for ${daysText(type.newest.at, about)}; the last was ${valuesText(type.newest.values, type)} ${when(type.newest.at, about)}${sideNote(type)}`,
}

const RULES: Record<RuleKind, (type: ListedType, about: About) => string> = {
  newestOutside: (type, about) => `The newest reading is outside ${boundsText(type, about)}`,
  readingOutside: (type, about) =>
    `A reading of the last 14 days, received since your last review, is outside ${boundsText(type, about)}`,
  goal: (type, about) =>
    `At most ${percent(OUTER.goal)} of the readings of 14 days are in ${targetText(type, about)}: the ${OUTER.source}, asks for more`,
  shareFell: (type, about) =>
    `The share in ${targetText(type, about)} fell by ${about.worseBy} percentage points or more from one fortnight to the next, as chosen for this list`,
  noReading: (type, about) =>
    `There is ${targetText(type, about)}, and no reading for ${about.silentAfter === 1 ? 'a day' : `${about.silentAfter} days`}, as chosen for this list`,
}

function plainReason({ status, types, lastReadingAt }: About): string {
  const judged = types.filter(({ share }) => share !== null && share.judged > 0)
  switch (status) {
    case 'preparing':
      return 'The readings are being summarised'
    case 'noTarget':
      return lastReadingAt === null ? 'No target and no reading' : 'No target is set, so nothing is judged'
    case 'noData':
      return 'No reading of the last 14 days to compare with a target'
    case 'reviewed':
      return `Outside target, and you have looked since: ${judged.map((type) => `${shareText(type.share)} of ${nameOf(type)} in target`).join(', ')}`
    default:
      return judged.every(({ share }) => share?.judged === share?.inTarget)
        ? 'All readings of 14 days are in target'
        : `${capital(judged.map((type) => `${shareText(type.share)} of ${nameOf(type)} in target`).join(', '))} in 14 days`
  }
}

const nameOf = ({ readingType }: { readingType: string }) =>
  NAMES[readingType] ?? readingType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const unitText = (unit: string) => {
  const shown = UNITS[unit] ?? unit
  return shown === '' ? '' : shown === '%' ? ' %' : shown.startsWith('/') ? shown : ` ${shown}`
}

const NUMBERS: Record<string, Intl.NumberFormat> = {
  'mmol/L': new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
}
const PLAIN_NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1, useGrouping: false })
const numberText = (value: number, unit: string) => (NUMBERS[unit] ?? PLAIN_NUMBER).format(value)

/** "178/112 mmHg", "23.0 mmol/L". */
function valuesText(values: Record<string, number>, { readingType, unit }: ListedType): string {
  const shown =
    readingType === 'bloodPressure' ? [values['systolic'], values['diastolic']] : [Object.values(values)[0]]
  const texts = shown.map((value) => (value === undefined ? '–' : numberText(value, unit)))
  return `${texts.join('/')}${unitText(unit)}`
}

/** Which bound was passed: of the outer ones where there are such. */
function beyondText(type: ListedType, values: Record<string, number>): string {
  const outer = outerOf(type)
  if (outer) {
    const [low, high] = outer
    const value = Object.values(values)[0] ?? 0
    return value < low
      ? `below ${numberText(low, type.unit)}${unitText(type.unit)}`
      : `above ${numberText(high, type.unit)}${unitText(type.unit)}`
  }
  const sides = type.targets.map(({ field, low, high, below }) => {
    const value = values[field]
    if (value === undefined) return undefined
    if (low !== null && value < low) return 'below'
    return (high !== null && value > high) || (below !== null && value >= below) ? 'above' : undefined
  })
  const found = new Set(sides.filter((side) => side !== undefined))
  return found.size === 2 ? 'outside the target' : `${found.has('below') ? 'below' : 'above'} the target`
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
function targetText({ targets, unit }: ListedType, { timeZone }: Pick<About, 'timeZone'>): string {
  const [first] = targets
  if (!first) return 'the target'
  const ranges = targets.map(({ low, high, below, unit: of }) => {
    const text = (value: number) => numberText(value, of)
    if (below !== null) return low === null ? `below ${text(below)}` : `${text(low)} to below ${text(below)}`
    if (low === null) return `up to ${text(high ?? 0)}`
    return high === null ? `from ${text(low)}` : `${text(low)}–${text(high)}`
  })
  const isBelow = targets.every(({ below, low }) => below !== null && low === null)
  const text = isBelow
    ? `below ${targets.map(({ below }) => numberText(below ?? 0, unit)).join('/')}`
    : ranges
        .map((range, index) => (targets.length > 1 ? `${targets[index]?.field} ${range}` : range))
        .join(', ')
  const setBy = `set by ${first.setBy} on ${dateOf(Date.parse(first.setAt), timeZone)}`
  return `the target ${text}${unitText(first.unit)}, ${setBy},`.replace(/,$/, '')
}

const percent = (share: number) => `${Math.floor(share * 100)} %`

/** Never more than there is: 69.9 % is not 70. */
function shareText(share: { judged: number; inTarget: number } | null): string {
  return share === null || share.judged === 0 ? '–' : percent(share.inTarget / share.judged)
}

function daysText(at: string, { now }: About): string {
  const days = Math.floor((now - Date.parse(at)) / 86_400_000)
  return days === 1 ? 'a day' : `${days} days`
}

/** Formatters are slow to make; zones are few. */
const FORMATS = new Map<string, { date: Intl.DateTimeFormat; time: Intl.DateTimeFormat }>()
const MAX_FORMATS = 100

function formatsIn(timeZone: string) {
  const known = FORMATS.get(timeZone)
  if (known) return known
  if (FORMATS.size >= MAX_FORMATS) FORMATS.clear()
  const made = {
    date: new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }),
    time: new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
  }
  FORMATS.set(timeZone, made)
  return made
}

const dateOf = (at: number, timeZone: string) => formatsIn(timeZone).date.format(at)

/** "at 07:40 today", "at 03:12 on 4 November". */
function when(instant: string, { timeZone, now }: About): string {
  const at = Date.parse(instant)
  const { date, time } = formatsIn(timeZone)
  const [day, today] = [date.format(at), date.format(now)]
  if (day === today) return `at ${time.format(at)} today`
  const year = today.slice(-5)
  return `at ${time.format(at)} on ${day.endsWith(year) ? day.slice(0, -5) : day}`
}
