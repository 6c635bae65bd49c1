// Why there is an alert, and why it is over, each in one sentence.
import { partsOf } from '../rules/duration.ts'
import { capital, nameOfType, unitText } from '../type-words.ts'
import type { RuleOfFold } from './rule-of-fold.ts'

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2, useGrouping: false })

type Found = {
  value: number | null
  outOfRange?: string | undefined
  symptom?: string | undefined
  severity?: string | undefined
  /** So many values were beyond the bound. */
  count?: number | undefined
  /** The value before a change. */
  from?: number | undefined
}

export function whyOf(rule: RuleOfFold, { count, from, ...found }: Found): string {
  const { readingType, terms } = rule
  const { value, change, missing, symptom } = terms
  if (missing) return `No reading of ${nameOfType(readingType)} for ${spoken(missing.for)}.`
  if (symptom) return `Symptom: ${found.symptom} (${found.severity}).`
  if (change) {
    const verb = change.by > 0 ? 'rose' : 'fell'
    return `${nameOf(rule)} ${verb} from ${inUnit(rule, from)} to ${inUnit(rule, found.value)} within ${spoken(change.within)}.`
  }
  const { above, below, times, within } = value
  const bound = above === undefined ? `below ${inUnit(rule, below)}` : `above ${inUnit(rule, above)}`
  if (times === 1 || within === undefined || count === 1)
    return `${nameOf(rule)} was ${valueOf(rule, found)}, ${bound}.`
  return `${nameOf(rule)} was ${bound} ${times} times within ${spoken(within)}; the newest was ${valueOf(rule, found)}.`
}

/** Why it is over. */
export function overBy(rule: RuleOfFold, found: Found | null): string {
  if (rule.terms.missing) return `A reading of ${nameOfType(rule.readingType)} arrived.`
  if (rule.terms.symptom || !found) return 'There was no such symptom for 72 hours.'
  if (rule.terms.change) return `${nameOf(rule)} changed by less.`
  return `${nameOf(rule)} was ${valueOf(rule, found)}.`
}

const valueOf = (rule: RuleOfFold, { value, outOfRange }: Found) =>
  outOfRange === undefined ? inUnit(rule, value) : `too ${outOfRange} for the sensor`

const inUnit = ({ terms }: RuleOfFold, value: number | null | undefined) =>
  `${NUMBER.format(value ?? 0)}${unitText(terms.unit ?? '')}`

function nameOf({ readingType, field }: RuleOfFold): string {
  const name = capital(nameOfType(readingType))
  return field === null || field === 'value' ? name : `${name} (${nameOfType(field)})`
}

const WORDS = ['day', 'hour', 'minute']

/** P2DT3H → 2 days and 3 hours. */
function spoken(duration: string): string {
  const parts = partsOf(duration).flatMap((count, nth) =>
    count === 0 ? [] : [`${count} ${WORDS[nth]}${count === 1 ? '' : 's'}`],
  )
  return new Intl.ListFormat('en-GB').format(parts)
}
