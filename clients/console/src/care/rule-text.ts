// Rules of alerts in words: "sensor glucose above 13.9 mmol/L for 2 hours", "no reading of body weight for 2 days".
import { isoDurationText } from '../format/iso-duration.ts'
import { countText, numberText } from '../format/numbers.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'

/** What is absent may be null or left out. */
type Maybe<Value> = Value | null | undefined
type Bound = { above?: Maybe<number>; below?: Maybe<number> }

export type RuleInWords = {
  readingType: string
  field?: Maybe<string>
  unit?: Maybe<string>
  threshold?: Maybe<Bound>
  sustained?: Maybe<Bound & { count?: Maybe<number>; of?: Maybe<number>; for?: Maybe<string> }>
  change?: Maybe<{ by: number; within: string }>
  missing?: Maybe<{ for: string }>
  clear?: Maybe<Bound & { atMost?: Maybe<number>; atLeast?: Maybe<number>; count?: Maybe<number> }>
}

export type RuleBound = { side: 'above' | 'below'; value: number }

/** The value that a chart draws as a line. A rule about a change, or about missing readings, has none. */
export function boundOf({ threshold, sustained }: RuleInWords): RuleBound | undefined {
  const bound = threshold ?? sustained
  if (!bound) return undefined
  if (typeof bound.above === 'number') return { side: 'above', value: bound.above }
  return typeof bound.below === 'number' ? { side: 'below', value: bound.below } : undefined
}

/** "sensor glucose", "systolic blood pressure", "sleep, deep sleep". */
export function measureName({ readingType, field }: Pick<RuleInWords, 'readingType' | 'field'>): string {
  const name = nameWithin(readingType)
  if (field === null || field === undefined || field === 'value') return name
  const isPressure = readingType === 'bloodPressure' && (field === 'systolic' || field === 'diastolic')
  return isPressure ? `${field} ${name}` : `${name}, ${nameWithin(field)}`
}

export function ruleText(rule: RuleInWords): string {
  const { sustained, change, missing, readingType } = rule
  if (missing) return `no reading of ${nameWithin(readingType)} for ${isoDurationText(missing.for)}`
  const name = measureName(rule)
  if (change) {
    const way = change.by > 0 ? 'up' : 'down'
    return `${name} ${way} by ${amountText(Math.abs(change.by), rule)} or more within ${isoDurationText(change.within)}`
  }
  const bound = boundOf(rule)
  const beyond = bound ? `${bound.side} ${amountText(bound.value, rule)}` : ''
  if (typeof sustained?.for === 'string') return `${name} ${beyond} for ${isoDurationText(sustained.for)}`
  if (sustained) return `${sustained.count} of the last ${sustained.of} readings of ${name} ${beyond}`
  return `${name} ${beyond}`
}

/** As many readings end an alert as the service writes into a rule that does not say so. */
function clearCount({ clear, sustained }: RuleInWords): number {
  return clear?.count ?? sustained?.count ?? (sustained ? 2 : 1)
}

/** When an alert of the rule ends: "2 readings in a row below 12 mmol/L". */
export function clearText(rule: RuleInWords): string {
  const { change, missing } = rule
  if (missing) return 'the next reading'
  const count = clearCount(rule)
  const readings = count === 1 ? 'a reading' : `${countText(count, 'reading')} in a row`
  if (change) return `${readings} without such a change`
  const [words, value] = clearBound(rule)
  return value === undefined ? readings : `${readings} ${words} ${amountText(value, rule)}`
}

const CLEAR_WORDS = { below: 'below', above: 'above', atMost: 'of at most', atLeast: 'of at least' } as const
const CLEAR_NAMES = ['below', 'above', 'atMost', 'atLeast'] as const

/** The bound that ends an alert; that of the rule itself where no other is said. */
export function clearBound(rule: RuleInWords): [words: string, value: number | undefined] {
  for (const name of CLEAR_NAMES) {
    const value = rule.clear?.[name]
    if (typeof value === 'number') return [CLEAR_WORDS[name], value]
  }
  const bound = boundOf(rule)
  return [bound?.side === 'above' ? CLEAR_WORDS.atMost : CLEAR_WORDS.atLeast, bound?.value]
}

/** As it was set: nothing is rounded away. */
const amountText = (value: number, { unit }: Pick<RuleInWords, 'unit'>) =>
  `${numberText(value)} ${typeof unit === 'string' ? unitSign(unit) : ''}`.trim()

/** The usual one, which needs no words. */
const USUAL_MAX_AGE = 'P1D'

/** What happens with readings that arrive late. */
export const lateText = ({ maxAge }: { maxAge?: Maybe<string> }): string =>
  maxAge && maxAge !== USUAL_MAX_AGE
    ? `Readings that arrive more than ${isoDurationText(maxAge)} late are recorded quietly.`
    : ''
