// What a rule would have done, in figures. Nothing is said about the patient: only about how often the rule alerts.
import type { RulePreview } from '../../../../typescript/src/client.ts'
import { lengthText } from '../../format/iso-duration.ts'
import { countText } from '../../format/numbers.ts'
import { occasionText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import type { RuleKind, Terms } from './read-rule-form.ts'

/** From here on, a rule that alerts less is suggested. */
const MANY_PER_WEEK = 2

const daysOf = ({ from, to }: RulePreview) =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS))

/** "3 alerts in 90 days", "37 alerts in 90 days, about 3 a week". */
export function countSentence(preview: RulePreview): string {
  const { count, perWeek } = preview
  const alerts = count === 0 ? 'No alert' : countText(count, 'alert')
  const often = isMany(preview) ? `, about ${Math.round(perWeek)} a week` : ''
  return `${alerts} in ${countText(daysOf(preview), 'day')}${often}`
}

export const isMany = ({ perWeek }: RulePreview) => perWeek >= MANY_PER_WEEK

/** What it is computed from: "From 57 readings since 20 Aug; days without readings count too." */
export function basisSentence(preview: RulePreview, { readingType, missing }: Terms, when: When): string {
  const { readings, isCut, from } = preview
  const days = countText(daysOf(preview), 'day')
  if (readings === 0) return `There are no readings of ${nameWithin(readingType)} in ${days}.`
  const many = `From ${countText(readings, 'reading')}`
  if (isCut) return `${many}, which reach back ${days}.`
  const since = occasionText(from, when.now, { zone: when.zone, isDayOnly: true }).replace(/^on /, '')
  // A patient who began to measure a month ago had no alert before.
  return `${many} since ${since}${missing ? '' : '; days without readings count too'}.`
}

type When = { zone: string; now: number }

/** "Open for 5 h 10 min in all. The longest lasted 2 h 5 min, from 3 Oct, 14:02." */
export function lengthSentence({ alerts, count, openFor, longest, to }: RulePreview, when: When): string {
  if (count === 0) return ''
  const found = alerts.find((alert) => Math.abs(lengthOf(alert, to) - longest) < 1_000)
  const begin = found ? `, from ${occasionOf(found.openedAt, when)}` : ''
  if (count === 1) return `It was open for ${lengthText(longest)}${begin}.`
  return `Open for ${lengthText(openFor)} in all. The longest lasted ${lengthText(longest)}${begin}.`
}

export const lengthOf = ({ openedAt, until }: RulePreview['alerts'][number], to: string) =>
  Date.parse(until ?? to) - Date.parse(openedAt)

const occasionOf = (at: string, { zone, now }: When) => occasionText(at, now, { zone }).replace(/^on /, '')

/** What to consider where a rule alerts often. */
export const ADVICE: Readonly<Record<RuleKind, string>> = {
  threshold: 'Consider several readings instead of one: a single odd value then alerts nobody.',
  sustained: 'Consider more readings, a longer time, or an end further from the bound (under More).',
  change: 'Consider a larger change, or a shorter time within which it happens.',
  missing: 'Consider a longer time without readings.',
}
