// Rules in words: "systolic blood pressure above 160 mmHg, 2 times within 2 days", "no body weight for 2 days", "any severe symptom".
import type { Rule } from '../../../typescript/src/client.ts'
import { isoDurationText } from '../format/iso-duration.ts'
import { numberText } from '../format/numbers.ts'
import { severityWord } from '../format/reading-text.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { words } from '../words/words.ts'

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
  const { ruleWords } = words
  if (readingType === 'bloodPressure' && (field === 'systolic' || field === 'diastolic'))
    return ruleWords.pressure(field, name)
  return ruleWords.part(name, nameWithin(field))
}

export function ruleText(rule: RuleInWords): string {
  const { readingType, value, change, missing, symptom } = rule
  const { ruleWords } = words
  const length = (duration: string) => isoDurationText(duration, { isAfter: true })
  if (symptom) return symptomText(symptom.severity)
  if (missing) return ruleWords.missing(nameWithin(readingType), length(missing.for))
  const name = measureName(rule)
  if (change) {
    const amount = amountText(Math.abs(change.by), rule)
    return ruleWords[change.by < 0 ? 'falls' : 'rises'](name, amount, length(change.within))
  }
  const { times = 1, within } = value ?? {}
  const often = times > 1 && within !== undefined ? ruleWords.often(times, length(within)) : ''
  return `${ruleWords.value(name, boundText(value, rule))}${often}`
}

const symptomText = (least: string) =>
  least === 'MILD'
    ? words.ruleWords.anySymptom
    : words.ruleWords.symptomOf(severityWord(least), least === 'SEVERE')

type Bound = { above?: number; below?: number } | undefined

const boundText = (bound: Bound, rule: RuleInWords): string =>
  words.ruleWords[bound?.above === undefined ? 'below' : 'above'](
    amountText(bound?.above ?? bound?.below ?? 0, rule),
  )

const amountText = (value: number, { unit }: RuleInWords) =>
  `${numberText(value)} ${unitSign(unit ?? '')}`.trim()

/** What ends an alert of it. */
export function endText(rule: RuleInWords): string {
  const { value, missing, symptom, clear } = rule
  const { ruleWords } = words
  if (symptom) return ruleWords.endsAfterSymptom
  if (missing) return ruleWords.endsWithReading
  if (clear) return ruleWords.endsWith(boundText(clear, rule))
  if (!value) return ruleWords.endsUnchanged
  return ruleWords.endsWhenNot(boundText(value, rule), (value.times ?? 1) > 1)
}
