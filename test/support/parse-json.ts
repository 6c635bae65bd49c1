// Strict JSON as the tests of it ask for it: the value of a text, or why it is refused.
import assert from 'node:assert/strict'
import { faultOfList, parseStrictJson } from '../../src/http/json/strict-json.ts'
import { Refusal } from '../../src/refusal.ts'

export const parse = (text: string) => parseStrictJson(Buffer.from(text))

/** Why a body is refused; of a list also why one of its items is, with the pointer into the list. */
export function refusalOf(body: Buffer | string): Refusal {
  try {
    const value = parseStrictJson(Buffer.from(body))
    const items: unknown[] = Array.isArray(value) ? value : []
    const refused = faultOfList(items) ?? items.find((item) => item instanceof Refusal)
    if (refused) return refused
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return assert.fail(`accepted ${body.toString('utf8').slice(0, 80)}`)
}
