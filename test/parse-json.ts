// Strict JSON as the tests of it ask for it: the value of a text, or why it is refused.
import assert from 'node:assert/strict'
import { parseStrictJson } from '../src/http/json/strict-json.ts'
import { Refusal } from '../src/refusal.ts'

export const parse = (text: string) => parseStrictJson(Buffer.from(text))

export function refusalOf(body: Buffer | string): Refusal {
  try {
    parseStrictJson(Buffer.from(body))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return assert.fail(`accepted ${body.toString('utf8').slice(0, 80)}`)
}
