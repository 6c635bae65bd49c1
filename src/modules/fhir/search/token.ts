// The search type token: `code`, `system|code`, `|code` for a code without a system, and `system|` for every code of one.
import { plainValue } from './search-query.ts'

/** Left out means any; an empty system means none. */
export type Token = { system?: string; code?: string }

export function tokenFrom(value: string): Token {
  const bar = barIn(value)
  if (bar === -1) return { code: plainValue(value) }
  const [system, code] = [plainValue(value.slice(0, bar)), plainValue(value.slice(bar + 1))]
  return code === '' ? { system } : { system, code }
}

/** The first bar without a backslash before it. */
function barIn(value: string): number {
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\') at++
    else if (value[at] === '|') return at
  }
  return -1
}

export function matches(token: Token, coding: { system?: string; code?: string }): boolean {
  if (token.system !== undefined && token.system !== (coding.system ?? '')) return false
  return token.code === undefined || token.code === coding.code
}
