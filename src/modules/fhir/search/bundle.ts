// Bundles with the results of a search, as text: their entries come as text too.
import { printable } from '../answers/printable.ts'

export type Link = { relation: 'self' | 'next'; url: string }

/** A resource as JSON, and its address. */
export type Entry = { fullUrl: string; text: string }

/** Entries, and where to go on, if there may be more. */
export type Found = {
  entries: Entry[]
  nextCursor: string | null
  /** The types of readings to which the search was limited, if it was. */
  limitedTo?: readonly string[] | null | undefined
}

type SearchResult = Pick<Found, 'entries' | 'limitedTo'> & {
  links: Link[]
  /** Parameters that were ignored. */
  ignored: readonly string[]
  /** How many match, where that was asked for. */
  total?: number | 'not counted'
}

export function printSearchset({ links, entries, ignored, limitedTo, total }: SearchResult): string {
  const issues = [
    ...ignoredIssues(ignored),
    ...(limitedTo ? [limitedIssue(limitedTo)] : []),
    ...(total === 'not counted' ? [NOT_COUNTED] : []),
  ]
  const resource = { resourceType: 'OperationOutcome', issue: issues }
  const outcome = issues.length === 0 ? [] : [JSON.stringify({ resource, search: { mode: 'outcome' } })]
  const all = [...entries.map(printMatch), ...outcome]
  // A list in FHIR is never empty.
  const entry = all.length === 0 ? '' : `,"entry":[${all.join()}]`
  const counted = typeof total === 'number' ? `,"total":${total}` : ''
  return `{"resourceType":"Bundle","type":"searchset"${counted},"link":${JSON.stringify(links)}${entry}}`
}

function printMatch({ fullUrl, text }: Entry): string {
  return `{"fullUrl":"${fullUrl}","resource":${text},"search":{"mode":"match"}}`
}

const NOT_COUNTED = {
  severity: 'information',
  code: 'too-costly',
  details: { text: 'More match than are counted here: total is left out.' },
}

function ignoredIssues(names: readonly string[]) {
  return [...new Set(names)].slice(0, 20).map((name) => ({
    severity: 'warning',
    code: 'not-supported',
    details: { text: `The parameter ${printable(name)} is not known here and was ignored.` },
  }))
}

function limitedIssue(types: readonly string[]) {
  const text = `The patient shares only readings of these types: ${types.join(', ')}.`
  return { severity: 'information', code: 'suppressed', details: { text } }
}
