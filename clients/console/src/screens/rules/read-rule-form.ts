// What was typed into the form of a rule, as what to set, or what is wrong with it, field by field; and a rule back as typed.
import type { ReadingTypeEntry, Rule, RuleToSet } from '../../../../typescript/src/client.ts'
import { boundOf } from '../../care/rule-text.ts'
import type { Severity } from '../../care/severity-mark.tsx'
import { numberText } from '../../format/numbers.ts'
import { unitSign } from '../../format/units.ts'
import type { NumberField } from '../add/form-of.ts'
import { numberFrom } from '../add/read-form.ts'
import { numbersOf } from '../targets/read-target-form.ts'
import { type DurationLimits, readDuration, type TypedDuration, typedDuration } from './typed-duration.ts'

/** `sustained` is proposed first: one odd reading alerts nobody. */
export const KINDS = ['sustained', 'threshold', 'change', 'missing'] as const
export type RuleKind = (typeof KINDS)[number]

export type TypedRule = {
  kind: RuleKind
  field: string
  /** In UCUM; empty until one is chosen. */
  unit: string
  side: 'above' | 'below'
  bound: string
  /** How several readings are said. */
  stays: 'count' | 'time'
  count: string
  of: string
  sustainedFor: TypedDuration
  way: 'up' | 'down'
  by: string
  within: TypedDuration
  missingFor: TypedDuration
  severity: Severity | undefined
  clearBound: string
  clearCount: string
  /** Whether the bound itself ends an alert, as a stored rule may say. */
  isClearAt: boolean
  maxAge: TypedDuration
  label: string
}

/** By the name of what is typed; "" for the form as a whole. */
export type RuleMistakes = Partial<Record<keyof TypedRule, string>>
/** What the rule says, without whose it is. */
export type Terms = Omit<RuleToSet, 'patientUid' | 'ruleId'>
type Read = { terms: Terms } | { mistakes: RuleMistakes }

/** As the service takes them. */
const LIMITS = {
  sustainedFor: ['PT10M', 'P1D'],
  within: ['PT10M', 'P30D'],
  missingFor: ['PT1H', 'P30D'],
  maxAge: ['PT5M', 'P30D'],
} as const satisfies Partial<Record<keyof TypedRule, DurationLimits>>
type DurationName = keyof typeof LIMITS
const MAX_COUNT = 10

/** No bound and no severity is proposed: that is for the doctor to say. */
export function emptyRule(entry: ReadingTypeEntry, unit: string): TypedRule {
  return {
    kind: entry.numbers.length > 0 ? 'sustained' : 'missing',
    field: numbersOf(entry)[0]?.name ?? '',
    unit,
    side: 'above',
    bound: '',
    stays: 'count',
    count: '3',
    of: '4',
    sustainedFor: { amount: '', unit: 'hours' },
    way: 'up',
    by: '',
    within: { amount: '', unit: 'days' },
    missingFor: { amount: '', unit: 'days' },
    severity: undefined,
    clearBound: '',
    clearCount: '',
    isClearAt: false,
    maxAge: { amount: '1', unit: 'days' },
    label: '',
  }
}

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value))

/** As it is set now. */
export function typedRule(rule: Rule, entry: ReadingTypeEntry): TypedRule {
  const empty = emptyRule(entry, rule.unit ?? '')
  const { sustained, change, missing, clear } = rule
  const bound = boundOf(rule)
  const at = clear?.atMost ?? clear?.atLeast
  const duration = (iso: string | null | undefined, otherwise: TypedDuration) =>
    iso === null || iso === undefined ? otherwise : typedDuration(iso)
  return {
    ...empty,
    kind: KINDS.find((kind) => rule[kind] !== null) ?? empty.kind,
    field: rule.field ?? empty.field,
    side: bound?.side ?? 'above',
    bound: textOf(bound?.value),
    stays: sustained?.for === undefined ? 'count' : 'time',
    count: textOf(sustained?.count) || empty.count,
    of: textOf(sustained?.of) || empty.of,
    sustainedFor: duration(sustained?.for, empty.sustainedFor),
    way: change && change.by < 0 ? 'down' : 'up',
    by: textOf(change ? Math.abs(change.by) : undefined),
    within: duration(change?.within, empty.within),
    missingFor: duration(missing?.for, empty.missingFor),
    severity: rule.severity,
    // What ends it is said where it is another bound than its own.
    clearBound: textOf(clear?.below ?? clear?.above ?? (at === bound?.value ? undefined : at)),
    isClearAt: at !== undefined && at !== bound?.value,
    clearCount: textOf(clear?.count),
    maxAge: duration(rule.maxAge, empty.maxAge),
    label: rule.label ?? '',
  }
}

export function readRuleForm(entry: ReadingTypeEntry, typed: TypedRule): Read {
  const mistakes: RuleMistakes = {}
  const number = numbersOf(entry).find(({ name }) => name === typed.field)
  const isMeasured = typed.kind !== 'missing'
  if (isMeasured && entry.units.length > 1 && typed.unit === '') mistakes.unit = 'Choose the unit.'
  const unit = typed.unit || (entry.units[0] ?? '')
  const condition = conditionIn(typed, { number, unit, mistakes })
  const clear = isMeasured ? clearIn(typed, { number, unit, mistakes }) : undefined
  const maxAge = isMeasured ? durationIn('maxAge', typed, mistakes) : undefined
  if (typed.severity === undefined) mistakes.severity = 'Choose how urgent it is.'
  if (typed.severity === undefined || Object.keys(mistakes).length > 0) return { mistakes }
  const label = typed.label.replace(/\s+/g, ' ').trim()
  return {
    terms: {
      readingType: entry.readingType,
      ...(isMeasured && number && { field: number.name, unit: number.unitOf(unit) }),
      severity: typed.severity,
      ...condition,
      ...(clear && { clear }),
      ...(maxAge !== undefined && { maxAge }),
      ...(label !== '' && { label }),
    },
  }
}

type Within = { number: NumberField | undefined; unit: string; mistakes: RuleMistakes }
type Condition = Pick<Terms, RuleKind>

/** What is wrong is added to the mistakes, and what is returned then is of no use. */
function conditionIn(typed: TypedRule, within: Within): Condition {
  const { mistakes } = within
  if (typed.kind === 'missing') {
    const time = requiredDuration('missingFor', typed, mistakes)
    return { missing: { for: time } }
  }
  if (typed.kind === 'change') {
    const by = changeIn(typed, within)
    return {
      change: {
        by: typed.way === 'up' ? by : -by,
        within: requiredDuration('within', typed, mistakes),
      },
    }
  }
  const bound = boundIn(typed, within)
  const side = typed.side === 'above' ? { above: bound } : { below: bound }
  if (typed.kind === 'threshold') return { threshold: side }
  if (typed.stays === 'time')
    return { sustained: { ...side, for: requiredDuration('sustainedFor', typed, mistakes) } }
  const count = wholeIn('count', typed, { least: 2, most: MAX_COUNT }, mistakes)
  const of = wholeIn('of', typed, { least: Math.max(2, count ?? 2), most: MAX_COUNT }, mistakes)
  return { sustained: { ...side, count: count ?? 2, of: of ?? 2 } }
}

function boundIn({ bound, side }: TypedRule, { number, unit, mistakes }: Within): number {
  const read = numberIn(bound, 'The bound is missing.')
  const limits = number?.limitsIn(unit)
  if (read.mistake !== undefined) mistakes.bound = read.mistake
  else if (limits) {
    const { least, most } = limits
    // No reading can be beyond the end of what is possible.
    const isPossible =
      side === 'above' ? read.value >= least && read.value < most : read.value > least && read.value <= most
    const sign = unitSign(number?.unitOf(unit) ?? '')
    if (!isPossible)
      mistakes.bound =
        side === 'above'
          ? `It must be at least ${numberText(least)} and less than ${numberText(most)} ${sign}.`
          : `It must be more than ${numberText(least)} and at most ${numberText(most)} ${sign}.`
  }
  return read.value
}

function changeIn({ by }: TypedRule, { number, unit, mistakes }: Within): number {
  const read = numberIn(by, 'By how much is missing.')
  const limits = number?.limitsIn(unit)
  const widest = limits ? limits.most - limits.least : Number.POSITIVE_INFINITY
  if (read.mistake !== undefined) mistakes.by = read.mistake
  else if (read.value <= 0) mistakes.by = 'It must be more than 0.'
  else if (read.value > widest) mistakes.by = `It must be at most ${numberText(widest)}.`
  return read.value
}

/** Left empty, the rule's own bound ends an alert. */
function clearIn(typed: TypedRule, { number, unit, mistakes }: Within): Terms['clear'] {
  const count =
    typed.clearCount.trim() === ''
      ? undefined
      : wholeIn('clearCount', typed, { least: 1, most: MAX_COUNT }, mistakes)
  const counted = count === undefined ? {} : { count }
  if (typed.kind === 'change' || typed.clearBound.trim() === '')
    return count === undefined ? undefined : counted
  const read = numberIn(typed.clearBound, '')
  const own = numberFrom(typed.bound)
  const limits = number?.limitsIn(unit)
  const isAbove = typed.side === 'above'
  if (read.mistake !== undefined) mistakes.clearBound = read.mistake
  else if (own !== undefined && (isAbove ? read.value > own : read.value < own))
    mistakes.clearBound = `It must be ${isAbove ? 'at most' : 'at least'} ${numberText(own)}, the bound of the rule.`
  else if (limits && (isAbove ? read.value <= limits.least : read.value >= limits.most))
    // No reading would end an alert.
    mistakes.clearBound = `It must be ${isAbove ? `more than ${numberText(limits.least)}` : `less than ${numberText(limits.most)}`}.`
  const [strict, inclusive] = isAbove ? (['below', 'atMost'] as const) : (['above', 'atLeast'] as const)
  return { [typed.isClearAt ? inclusive : strict]: read.value, ...counted }
}

function numberIn(text: string, missing: string): { value: number; mistake?: string } {
  if (text.trim() === '') return { value: 0, mistake: missing }
  const value = numberFrom(text)
  return value === undefined ? { value: 0, mistake: 'This is not a number.' } : { value }
}

function wholeIn(
  name: 'count' | 'of' | 'clearCount',
  typed: TypedRule,
  { least, most }: { least: number; most: number },
  mistakes: RuleMistakes,
): number | undefined {
  const text = typed[name].trim()
  const value = /^\d{1,3}$/.test(text) ? Number(text) : undefined
  if (value !== undefined && value >= least && value <= most) return value
  mistakes[name] = `It must be a whole number from ${least} to ${most}.`
  return undefined
}

function durationIn(name: DurationName, typed: TypedRule, mistakes: RuleMistakes): string | undefined {
  const { iso, mistake } = readDuration(typed[name], LIMITS[name])
  if (mistake !== undefined) mistakes[name] = mistake
  return iso
}

function requiredDuration(name: DurationName, typed: TypedRule, mistakes: RuleMistakes): string {
  const iso = durationIn(name, typed, mistakes)
  if (iso === undefined && mistakes[name] === undefined) mistakes[name] = 'The time is missing.'
  return iso ?? ''
}

/** What the service found wrong, at the field that it names. */
export function placeOfPointer(pointer: string): keyof TypedRule | undefined {
  const [, first = '', second = ''] = pointer.split('/')
  if (first === 'threshold' || (first === 'sustained' && (second === 'above' || second === 'below')))
    return 'bound'
  if (first === 'clear') return second === 'count' ? 'clearCount' : 'clearBound'
  return PLACES[`${first}/${second}`] ?? PLACES[first]
}

const PLACES: Readonly<Record<string, keyof TypedRule>> = {
  'sustained/count': 'count',
  'sustained/of': 'of',
  'sustained/for': 'sustainedFor',
  'change/by': 'by',
  'change/within': 'within',
  'missing/for': 'missingFor',
  unit: 'unit',
  severity: 'severity',
  maxAge: 'maxAge',
  label: 'label',
}
