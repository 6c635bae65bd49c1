// What was typed into the sentence of a rule, as what to set, or what is wrong with it, gap by gap; and a rule back as typed.
import type { ReadingTypeEntry, RoundsError, Rule, RuleToSet } from '../../../../typescript/src/client.ts'
import type { Severity } from '../../care/severity-mark.tsx'
import { numberText } from '../../format/numbers.ts'
import { unitSign } from '../../format/units.ts'
import { words } from '../../words/words.ts'
import type { NumberField } from '../add/form-of.ts'
import { numberFrom } from '../add/read-form.ts'
import { numbersOf } from './read-target-form.ts'

const KINDS = ['symptom', 'value', 'change', 'missing'] as const
type RuleKind = (typeof KINDS)[number]
type SymptomSeverity = 'MILD' | 'MODERATE' | 'SEVERE'

export type TypedRule = {
  kind: RuleKind
  readingType: string
  field: string
  /** In UCUM; empty until one is chosen. */
  unit: string
  /** Of a value, or the way of a change. */
  side: 'above' | 'below'
  bound: string
  times: string
  within: string
  missingFor: string
  least: SymptomSeverity
  clear: string
  severity: Severity | undefined
  label: string
}

/** By the name of what is typed. */
export type RuleMistakes = Partial<Record<keyof TypedRule, string>>
/** What the rule says, without whose it is. */
export type Terms = Omit<RuleToSet, 'patientUid' | 'ruleId'>
type Read = { terms: Terms } | { mistakes: RuleMistakes }

const MAX_TIMES = 20

/** No bound and no severity is proposed: that is for the doctor to say. */
export const emptyRule = ({ readingType, numbers }: ReadingTypeEntry, unit: string): TypedRule => ({
  kind: numbers.length > 0 ? 'value' : 'missing',
  readingType,
  field: numbers[0]?.field ?? '',
  unit,
  side: 'above',
  bound: '',
  times: '1',
  within: 'P2D',
  missingFor: 'P2D',
  least: 'SEVERE',
  clear: '',
  severity: undefined,
  label: '',
})

/** As it is set now. */
export function typedRule(rule: Rule, entry: ReadingTypeEntry): TypedRule {
  const { value, change, missing, symptom, clear } = rule
  const empty = emptyRule(entry, rule.unit ?? '')
  const bound = value ? (value.above ?? value.below) : change && Math.abs(change.by)
  return {
    ...empty,
    kind: KINDS.find((kind) => rule[kind] !== undefined) ?? empty.kind,
    readingType: rule.readingType,
    field: rule.field ?? empty.field,
    side: value?.below !== undefined || (change?.by ?? 0) < 0 ? 'below' : 'above',
    bound: bound === undefined ? '' : String(bound),
    times: String(value?.times ?? 1),
    within: value?.within ?? change?.within ?? empty.within,
    missingFor: missing?.for ?? empty.missingFor,
    least: symptom?.severity ?? empty.least,
    clear: clear ? String(clear.above ?? clear.below) : '',
    severity: rule.severity,
    label: rule.label ?? '',
  }
}

export function readRuleForm(entry: ReadingTypeEntry | undefined, typed: TypedRule): Read {
  const mistakes: RuleMistakes = {}
  const { kind, severity } = typed
  if (severity === undefined) mistakes.severity = words.ruleForm.chooseUrgency
  const condition = conditionIn(entry, typed, mistakes)
  if (severity === undefined || Object.keys(mistakes).length > 0) return { mistakes }
  const label = typed.label.replace(/\s+/g, ' ').trim()
  const readingType = kind === 'symptom' ? 'symptom' : typed.readingType
  return { terms: { readingType, severity, ...condition, ...(label !== '' && { label }) } }
}

/** What is wrong is added to the mistakes, and what is returned then is of no use. */
function conditionIn(
  entry: ReadingTypeEntry | undefined,
  typed: TypedRule,
  mistakes: RuleMistakes,
): Omit<Terms, 'readingType' | 'severity'> {
  const { kind, side, within } = typed
  if (kind === 'symptom') return { symptom: { severity: typed.least } }
  if (kind === 'missing') return { missing: { for: typed.missingFor } }
  const number = entry && numbersOf(entry).find(({ name }) => name === typed.field)
  if (entry && entry.units.length > 1 && typed.unit === '') mistakes.unit = words.plan.chooseUnit
  const unit = typed.unit || (entry?.units[0] ?? '')
  const bound = amountIn('bound', typed, mistakes) ?? 0
  const of = { field: typed.field, unit: number?.unitOf(unit) ?? unit }
  if (kind === 'change') {
    if (bound <= 0) mistakes.bound ??= words.ruleForm.moreThanZero
    return { ...of, change: { by: side === 'above' ? bound : -bound, within } }
  }
  mistakePossible(number, { unit, bound, side }, mistakes)
  const times = /^\d{1,2}$/.test(typed.times.trim()) ? Number(typed.times) : 0
  if (times < 1 || times > MAX_TIMES) mistakes.times = words.ruleForm.wholeNumber(MAX_TIMES)
  const clear = typed.clear.trim() === '' ? undefined : amountIn('clear', typed, mistakes)
  if (clear !== undefined && (side === 'above' ? clear > bound : clear < bound))
    mistakes.clear = words.ruleForm[side === 'above' ? 'atMost' : 'atLeast'](numberText(bound))
  return {
    ...of,
    value: { [side]: bound, ...(times > 1 && { times, within }) },
    ...(clear !== undefined && { clear: { [side === 'above' ? 'below' : 'above']: clear } }),
  }
}

function amountIn(name: 'bound' | 'clear', typed: TypedRule, mistakes: RuleMistakes): number | undefined {
  const value = numberFrom(typed[name])
  if (value === undefined)
    mistakes[name] = typed[name].trim() === '' ? words.ruleForm.missingNumber : words.plan.notANumber
  return value
}

type Said = { unit: string; bound: number; side: 'above' | 'below' }

/** No reading can be beyond the end of what is possible. */
function mistakePossible(
  number: NumberField | undefined,
  { unit, bound, side }: Said,
  mistakes: RuleMistakes,
) {
  const limits = number?.limitsIn(unit)
  if (!number || !limits || mistakes.bound !== undefined) return
  const { least, most } = limits
  const isPossible = side === 'above' ? bound >= least && bound < most : bound > least && bound <= most
  if (!isPossible)
    mistakes.bound = words.ruleForm[side === 'above' ? 'possibleAbove' : 'possibleBelow'](
      numberText(least),
      `${numberText(most)} ${unitSign(number.unitOf(unit))}`,
    )
}

/** What the service found wrong, at the gap that it names. */
export const mistakesIn = ({ errors }: RoundsError): RuleMistakes =>
  Object.fromEntries(
    errors.flatMap(({ pointer, message }) => {
      const place = placeOfPointer(pointer)
      return place ? [[place, words.plan.found(message)]] : []
    }),
  )

export function placeOfPointer(pointer: string): keyof TypedRule | undefined {
  const [, first = '', second = ''] = pointer.split('/')
  if (first === 'value' || first === 'change')
    return second === 'times' || second === 'within' ? second : 'bound'
  return PLACES[first]
}

const PLACES: Readonly<Record<string, keyof TypedRule>> = {
  missing: 'missingFor',
  symptom: 'least',
  clear: 'clear',
  unit: 'unit',
  severity: 'severity',
  label: 'label',
}
