// Changes of targets in words: what one person set or removed in one go is one sentence.
import type { TargetChange } from '../../../typescript/src/client.ts'
import { nameWithin } from '../format/type-names.ts'
import { rangesText } from './target-text.ts'

/** "You", "The patient or a carer"; an account keeps its name. */
export const capital = (author: string) =>
  /^(you|the )/.test(author) ? author.charAt(0).toUpperCase() + author.slice(1) : author

type Together = [TargetChange, ...TargetChange[]]

const ONE_GO_MS = 2_000

/** The fields of one type that one person set or removed in one go. */
export function togetherOf(changes: readonly TargetChange[]): Together[] {
  const groups: Together[] = []
  for (const change of changes) {
    const last = groups.at(-1)
    if (last && isOneGo(last, change)) last.push(change)
    else groups.push([change])
  }
  return groups
}

function isOneGo(group: Together, { action, readingType, field, by, at }: TargetChange): boolean {
  const [first] = group
  const isSame = first.action === action && first.readingType === readingType && first.by === by
  return (
    isSame && Date.parse(first.at) - Date.parse(at) < ONE_GO_MS && group.every((one) => one.field !== field)
  )
}

/** "set the target of blood pressure to below 135/85 mmHg." */
export function deedText(changes: Together): string {
  const [{ action, readingType, label }] = changes
  const [what, range] = [`the target of ${nameWithin(readingType)}`, rangesText(changes)]
  if (action === 'remove') return `removed ${what}, which was ${range}.`
  return `set ${what} to ${range}${label === null ? '' : ` (${label})`}.`
}
