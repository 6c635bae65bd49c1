// Rules in words: "systolic blood pressure above 160 mmHg, 2 times within 2 days", "no body weight for 2 days", "any severe symptom".
import type { Rule } from '../../../typescript/src/client.ts'
import { isoDurationText } from '../format/iso-duration.ts'
import { numberText } from '../format/numbers.ts'
import { severityWord } from '../format/reading-text.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'

type Conditions = Pick<Rule, 'value' | 'change' | 'missing' | 'symptom' | 'clear'>

/** As it is set, or as it is typed. */
export type RuleInWords = { [Name in keyof Conditions]: Conditions[Name] | undefined } & {
  readingType: string
  field?: string | null | undefined
  unit?: string | null | undefined
}

/** "sensor glucose", "systolic blood pressure", "sleep, deep sleep". */
export function measureName({ readingType, field }: Pick<RuleInWords, 'readingType' | 'field'>): string {
  const name = nameWithin(readingType)
  if (field === null || field === undefined || field === 'value') return name
  const isPressure = readingType === 'bloodPressure' && (field === 'systolic' || field === 'diastolic')
  return isPressure ? `${field} ${name}` : `${name}, ${nameWithin(field)}`
}

export function ruleText(rule: RuleInWords): string {
  const { readingType, value, change, missing, symptom } = rule
  if (symptom) return symptomText(symptom.severity)
  if (missing) return `no ${nameWithin(readingType)} for ${isoDurationText(missing.for)}`
  const name = measureName(rule)
  if (change) {
    const way = change.by < 0 ? 'falls' : 'rises'
    return `${name} ${way} by ${amountText(Math.abs(change.by), rule)} within ${isoDurationText(change.within)}`
  }
  const { times = 1, within } = value ?? {}
  const often = times > 1 && within !== undefined ? `, ${times} times within ${isoDurationText(within)}` : ''
  return `${name} ${boundText(value, rule)}${often}`
}

const symptomText = (least: string) =>
  least === 'MILD'
    ? 'any symptom'
    : `any symptom that is ${severityWord(least)}${least === 'SEVERE' ? '' : ' or worse'}`

type Bound = { above?: number; below?: number } | undefined

function boundText(bound: Bound, rule: RuleInWords): string {
  const side = bound?.above === undefined ? 'below' : 'above'
  return `${side} ${amountText(bound?.above ?? bound?.below ?? 0, rule)}`
}

const amountText = (value: number, { unit }: RuleInWords) =>
  `${numberText(value)} ${unitSign(unit ?? '')}`.trim()

/** What ends an alert of it. */
export function endText(rule: RuleInWords): string {
  const { value, missing, symptom, clear } = rule
  if (symptom) return 'It ends 72 hours after the last one.'
  if (missing) return 'It ends with the next reading.'
  if (clear) return `It ends with a value ${boundText(clear, rule)}.`
  if (!value) return 'It ends when the newest value has not changed so much.'
  return `It ends when the newest value is not ${boundText(value, rule)}${(value.times ?? 1) > 1 ? ' so often' : ''}.`
}
