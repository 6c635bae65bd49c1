// A status in words, as the table of cases has it.
import type { Field, Lack, Target } from '../../../src/modules/care/status/facts.ts'
import type { Code, Reason, Status } from '../../../src/modules/care/status/reason.ts'
import { D, H } from './facts-by-hand.ts'

/** A reason that has all that one of its code may have. */
type Full = Required<Reason> & { target: Target; field: Field }

const WORDS: Record<Code, (reason: Full) => string> = {
  severe: ({ severity, isLate, measuredAt, shown }) => {
    const word = severity === 'SEVERE' ? 'Severe' : severity
    return isLate ? `${word} on ${day(measuredAt)}, nobody has looked: ${shown}` : `${word}: ${shown}`
  },
  moderate: ({ shown }) => `Moderate: ${shown}`,
  value: (reason) => {
    const { isLate, shown, measuredAt, target, field } = reason
    if (isLate) return `${shown} of ${day(measuredAt)}, nobody has looked`
    return `${shown}${target.fields.length > 1 ? `: ${field.name}` : ','} ${sideOf(reason)}${whose(target)}`
  },
  alert: ({ label, shown, endedAt }) =>
    endedAt === undefined
      ? `Alert “${label}”: ${shown}`
      : `Alert “${label}” ended: ${shown}, nobody has looked`,
  goal: ({ field, part, value, limit, days, target }) => {
    const { low, high, farLow, farHigh } = field
    const parts = { below: low, farBelow: farLow, above: high, farAbove: farHigh }
    const where =
      part === 'inRange' ? 'in range' : `${/below/i.test(part) ? 'below' : 'above'} ${parts[part]}`
    return `${percent(value)} ${where}, goal ${percent(limit)}${days === 28 ? ' (28 days)' : ''}${whose(target)}`
  },
  mean: (reason) => {
    const { target, field, value, days } = reason
    const name = target.fields.length > 1 ? `${field.name} ` : ''
    return `${days}-day mean: ${name}${rounded(value)}, ${sideOf(reason)}${whose(target)}`
  },
  fall: ({ value, limit }) => `${percent(value)} in range, ${percent(limit)} the two weeks before`,
  lookAgain: ({ isSeen, since }) =>
    isSeen ? `Look again on ${day(since)}` : `Look again: due ${day(since)}`,
  silent: ({ target: { newest, readingType }, value }) =>
    newest
      ? `No ${readingType} for ${span(value)}`
      : `No ${readingType} since the target was set ${span(value)} ago`,
  clock: ({ measuredAt }) => `Impossible time on a reading: ${day(measuredAt, true)}`,
  sharingEnds: ({ since }) => `Sharing ends on ${day(since)}`,
}

/** What stands in the line of the list. */
export function firstOf({ reasons: [first], queue, lacks: [lack] }: Status): string {
  if (first) return wordsOf(first)
  return queue === 'fine' || !lack ? '–' : lackWords(lack)
}

/** What stands beside it, grey. */
export const besideOf = ({ queue, lacks }: Status) =>
  (queue === 'notJudged' ? lacks.slice(1) : lacks).map(lackWords).join('; ')

function wordsOf(reason: Reason) {
  const { code, alerts = [], isSeen } = reason
  const named = alerts.length > 0 ? `, alert “${alerts.map(({ label }) => label).join('”, “')}”` : ''
  return `${WORDS[code](reason as Full)}${named}${isSeen && code !== 'lookAgain' ? ', seen' : ''}`
}

function lackWords({ why, readingType, have = 0, need = 0, isSensor }: Lack): string {
  if (why === 'noTarget') return readingType ? `${readingType}: no target` : 'No target of a doctor'
  if (why === 'noGoals') return `${readingType}: the target has no goals`
  if (why === 'noActLimits') return `${readingType}: no act limits`
  if (isSensor)
    return `${readingType}: data for ${rounded(have / 24)} of 28 days, ${rounded(need / 24)} needed`
  if (need === 1) return `${readingType}: no value in 14 days`
  return `${readingType}: ${have} values in 28 days, ${need}${need === 6 ? ' on 3 days' : ''} needed`
}

const sideOf = ({ value, limit }: Full) => `${value > limit ? 'above' : 'below'} ${limit}`

function whose({ author }: Target) {
  if (author.is === 'other') return ` (limit of ${author.name})`
  return author.is === 'practice' ? ' (limit of the practice)' : ''
}

function day(time: number, isYearSaid = new Date(time).getUTCFullYear() !== 2026) {
  const year = isYearSaid ? ({ year: 'numeric' } as const) : {}
  return new Date(time).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...year,
    timeZone: 'UTC',
  })
}

const percent = (share: number) => `${rounded(share * 100)} %`
const rounded = (value: number) => `${Number(value.toFixed(1))}`
const span = (time: number) =>
  time < 2 * D ? `${Math.floor(time / H)} hours` : `${Math.floor(time / D)} days`
