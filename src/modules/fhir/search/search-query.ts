// The query of a search as FHIR writes it: a name with or without a modifier, several values divided by commas of which one
// must match, and a parameter that is repeated, all of which must match. A parameter that is not known is ignored, as FHIR
// recommends, and named in the answer; `Prefer: handling=strict` refuses it.

import { type FieldError, refuseFields } from '../../../refusal.ts'
import { printable } from '../answers/printable.ts'

/** Values in one list, and in all of a query: each of them may be compared with every reading of a page. */
const MAX_VALUES = 50
const MAX_VALUES_IN_ALL = 100

export const MAX_COUNT = 500
const DEFAULT_COUNT = 100

export type Parameter = {
  name: string
  type: 'date' | 'number' | 'reference' | 'string' | 'token'
  modifiers?: readonly string[]
  documentation: string
}

/** A parameter as it was sent. */
export type Sent = { name: string; modifier: string; text: string; values: string[] }

export type SearchQuery = {
  /** What was understood, in the order sent. */
  sent: Sent[]
  /** Names of parameters that were ignored. */
  ignored: string[]
}

/** What a search knows; `sorts` are the values of `_sort` that it obeys. */
export type Searched = { parameters: readonly Parameter[]; sorts: readonly string[] | 'read later' }

/** Parameters of the result, which every search has. */
const RESULT_PARAMETERS = new Set(['_count', '_format', '_pretty', 'cursor'])

/** Those that ask for nothing but what is done anyway: there are no narratives to leave out. */
const isDoneAnyway = (name: string, text: string) =>
  (name === '_summary' && (text === 'false' || text === 'data')) || (name === '_total' && text === 'none')

export function searchQueryFrom(
  query: string,
  { parameters, sorts }: Searched,
  isStrict: boolean,
): SearchQuery {
  const sent: Sent[] = []
  const ignored: string[] = []
  let count = 0
  for (const [key, text] of new URLSearchParams(query)) {
    const [name = '', ...modifiers] = key.split(':')
    const modifier = modifiers.join(':')
    const parameter = parameters.find((known) => known.name === name)
    const isKnownSort = name === '_sort' && (sorts === 'read later' || sorts.includes(text))
    const isResult = isKnownSort || RESULT_PARAMETERS.has(name) || (name === '_summary' && text === 'count')
    if (isDoneAnyway(name, text)) continue
    if (!parameter && !isResult) {
      // A sender that looks for what it sent before must not take everything for it.
      if (name === 'identifier')
        throw refuseParameter(name, 'is not searched here: what is sent again is stored once')
      if (isStrict) throw refuseParameter(name, 'is not a parameter of this search')
      ignored.push(name)
      continue
    }
    if (modifier !== '' && !parameter?.modifiers?.includes(modifier)) {
      throw refuseParameter(name, `must not have the modifier :${printable(modifier)}`)
    }
    // An empty value is none.
    if (text === '') continue
    const values = isResult ? [text] : valuesIn(text)
    if (values.length === 0) continue
    // The link to the next page adds a cursor and the status that was meant, and must not be refused for it.
    if (!isResult && name !== 'status') count += values.length
    if (count > MAX_VALUES_IN_ALL) {
      throw refuseParameter(name, `must not bring the values of a search to more than ${MAX_VALUES_IN_ALL}`)
    }
    if (values.length > MAX_VALUES)
      throw refuseParameter(name, `must not have more than ${MAX_VALUES} values`)
    sent.push({ name, modifier, text, values })
  }
  return { sent, ignored }
}

export function refuseParameter(name: string, message: string) {
  const error: FieldError = { pointer: printable(name), message }
  return refuseFields([error])
}

/** The values between commas; one after a backslash divides nothing. Other backslashes stay for those who read a value. */
function valuesIn(text: string): string[] {
  const values: string[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '\\') at++
    else if (at === text.length || text[at] === ',') {
      if (at > start) values.push(text.slice(start, at))
      start = at + 1
    }
  }
  if (start < text.length && text.endsWith('\\')) values.push(text.slice(start))
  return values
}

/** A value without its escapes. */
export function plainValue(value: string): string {
  return value.replace(/\\([\\,|$])/g, '$1')
}

/** The only value of a parameter that may stand once. */
export function onlyText(sent: readonly Sent[], name: string): string | undefined {
  const [first, ...others] = sent.filter((one) => one.name === name)
  if (others.length > 0) throw refuseParameter(name, 'must be given once')
  return first?.text
}

/** Whether only the number of matches is wanted. */
export function isCountWanted(sent: readonly Sent[]): boolean {
  return sent.some(({ name, text }) => name === '_summary' && text === 'count')
}

/** A page may hold fewer than were asked for, so a larger number is no mistake. */
export function countIn(sent: readonly Sent[]): number {
  const text = onlyText(sent, '_count') ?? String(DEFAULT_COUNT)
  if (!/^[1-9]\d{0,8}$/.test(text)) throw refuseParameter('_count', 'must be a whole number from 1 on')
  return Math.min(Number(text), MAX_COUNT)
}
