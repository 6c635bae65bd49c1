// The sentence with which Today begins: how many types are in target, and which of them have no recent reading.
import { placeText } from '../../care/target-text.ts'
import { sentenceCase } from '../../format/sentence-case.ts'
import { daysBetween } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { listed } from '../../words/language.ts'
import type { Attention } from './attention.ts'

const MAX_SILENT_NAMED = 2

type Facts = {
  /** Whose readings they are, where the reader has several patients. */
  whose: string | undefined
  /** Those that have a target. */
  types: readonly string[]
  cards: readonly Attention[]
  /** The newest of each type. */
  measuredAt: (readingType: string) => string | undefined
  now: number
  zone: string
}

/** Its parts, the first of which begins with a capital letter. Nothing where there is nothing to say. */
export function sentenceOf(facts: Facts): string[] {
  const { whose } = facts
  const said = [countText(facts.cards), silentText(facts)].filter((part) => part !== undefined)
  return said.map((part, index) =>
    index === 0 ? `${whose === undefined ? '' : `${whose}: `}${sentenceCase(part)}` : part,
  )
}

/** "3 of 8 in target". A type alone is named. */
function countText(cards: readonly Attention[]): string | undefined {
  const judged = cards.filter((card) => card.judged !== undefined)
  const [first, ...others] = judged
  if (!first) return undefined
  if (others.length === 0) return aloneText(first)
  const inTarget = judged.filter(({ group }) => group === 'in').length
  if (inTarget === judged.length) return `all ${judged.length} in target`
  return `${inTarget === 0 ? 'none' : inTarget} of ${judged.length} in target`
}

/** "Heart rate in target", "Blood pressure: diastolic above target". */
function aloneText({ readingType, judged = [] }: Attention): string {
  const words = placeText(judged).replaceAll(/[▲▼] /g, '')
  return `${nameOf(readingType)}${/^(in|above|below) /.test(words) ? '' : ':'} ${words}`
}

/** "no body weight for 9 days". */
function silentText({ types, cards, measuredAt, now, zone }: Facts): string | undefined {
  const isRecent = new Set(cards.filter(({ group }) => group !== 'old').map(({ readingType }) => readingType))
  const silent = types.filter((type) => !isRecent.has(type))
  if (silent.length === 0) return undefined
  if (silent.length > MAX_SILENT_NAMED) return `no recent reading of ${silent.length} types with a target`
  return listed(
    silent.map((type) => {
      const at = measuredAt(type)
      return `no ${nameWithin(type)} ${at === undefined ? 'yet' : `for ${daysBetween(at, now, zone)} days`}`
    }),
  )
}
