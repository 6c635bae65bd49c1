// Rules of alerts in words: "sensor glucose above 13.9 mmol/L for 2 hours", "no reading of body weight for 2 days".
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

/** When an alert of the rule ends: "2 readings in a row below 12 mmol/L". */
export function clearText(rule: RuleInWords): string {
  const { clear, change, missing } = rule
  if (missing) return 'the next reading'
  const count = clear?.count ?? 1
  const readings = count === 1 ? 'a reading' : `${countText(count, 'reading')} in a row`
  if (change) return `${readings} without such a change`
  const [words, value] = clearBound(rule)
  return value === undefined ? readings : `${readings} ${words} ${amountText(value, rule)}`
}

function clearBound(rule: RuleInWords): [words: string, value: number | undefined] {
  const { clear } = rule
  if (typeof clear?.below === 'number') return ['below', clear.below]
  if (typeof clear?.above === 'number') return ['above', clear.above]
  const bound = boundOf(rule)
  return bound?.side === 'above' ? ['of at most', bound.value] : ['of at least', bound?.value]
}

/** As it was set: nothing is rounded away. */
const amountText = (value: number, { unit }: Pick<RuleInWords, 'unit'>) =>
  `${numberText(value)} ${typeof unit === 'string' ? unitSign(unit) : ''}`.trim()

const PARTS = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/

/** "P2D" as "2 days", "PT1H30M" as "1 hour 30 minutes". */
export function isoDurationText(duration: string): string {
  const [, days, hours, minutes] = PARTS.exec(duration) ?? []
  const parts = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
  ] as const
  const words = parts.flatMap(([count, unit]) =>
    count === undefined ? [] : [countText(Number(count), unit)],
  )
  return words.length === 0 ? duration : words.join(' ')
}
