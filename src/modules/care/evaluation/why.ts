// Why there is an alert, in one sentence.

import type { RuleTerms } from '../rules/rule.ts'
import { capital, nameOfType, unitText } from '../type-words.ts'
import type { Seen } from './span.ts'
import { isBeyond } from './value-fold.ts'

type Rule = { readingType: string; field: string | null; terms: RuleTerms }

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2, useGrouping: false })

export function whyOf(
  { readingType, field, terms }: Rule,
  readings: readonly Seen[],
  isPending = false,
): string {
  const { threshold, sustained, change, missing } = terms
  const name = capital(nameOf(readingType, field))
  const inUnit = (value: number) => `${NUMBER.format(value)}${unitText(terms.unit ?? '')}`
  const newest = readings.at(-1)
  if (missing) return `No reading of ${nameOfType(readingType)} for ${spoken(missing.for)}.`
  const value = newest ? inUnit(newest.value) : ''
  if (change) {
    const first = readings[0]
    const verb = change.by > 0 ? 'rose' : 'fell'
    return `${name} ${verb} from ${first ? inUnit(first.value) : ''} to ${value} within ${spoken(change.within)}.`
  }
  const bound = boundText(threshold ?? sustained ?? {}, inUnit)
  if (!sustained) return `${name} was ${value}, ${bound}.`
  const values = readings.filter((reading) => isBeyond(terms, reading.value)).length
  if (isPending) return `${name} was ${value}, ${bound}.`
  return sustained.for === undefined
    ? `${name} was ${bound} in ${values} of the last ${sustained.of} readings; the newest was ${value}.`
    : `${name} was ${bound} for at least ${spoken(sustained.for)}; the newest was ${value}.`
}

/** Why it is over. */
export function overBy({ readingType, field, terms }: Rule, value: number | null): string {
  if (value === null) return `A reading of ${nameOfType(readingType)} arrived.`
  return `${capital(nameOf(readingType, field))} was ${NUMBER.format(value)}${unitText(terms.unit ?? '')}.`
}

function nameOf(readingType: string, field: string | null): string {
  const name = nameOfType(readingType)
  return field === null || field === 'value' ? name : `${name} (${nameOfType(field)})`
}

function boundText(
  { above, below }: { above?: number | undefined; below?: number | undefined },
  inUnit: (value: number) => string,
): string {
  if (above !== undefined) return `above ${inUnit(above)}`
  return below === undefined ? '' : `below ${inUnit(below)}`
}

const PARTS = [
  ['D', 'day'],
  ['H', 'hour'],
  ['M', 'minute'],
] as const

/** P2DT3H → 2 days and 3 hours. */
function spoken(duration: string): string {
  const parts = PARTS.flatMap(([letter, word]) => {
    const count = Number(/\d+/.exec(partOf(duration, letter))?.[0] ?? 0)
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`]
  })
  return new Intl.ListFormat('en-GB').format(parts)
}

function partOf(duration: string, letter: 'D' | 'H' | 'M'): string {
  return duration.split(/(?<=[DHM])/).find((part) => part.endsWith(letter)) ?? ''
}
