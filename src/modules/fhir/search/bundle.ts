// Bundles with the results of a search, as text: their entries come as text too.
import { printable } from '../answers/printable.ts'

export type Link = { relation: 'self' | 'next'; url: string }

/** Entries as JSON, and where to go on, if there may be more. */
export type Found = {
  entries: string[]
  nextCursor: string | null
  /** The types of readings to which the search was limited, if it was. */
  limitedTo?: readonly string[] | null | undefined
}

type SearchResult = Pick<Found, 'entries' | 'limitedTo'> & {
  links: Link[]
  /** Parameters that were ignored. */
  ignored: readonly string[]
}

export function printSearchset({ links, entries, ignored, limitedTo }: SearchResult): string {
  const issues = [...ignoredIssues(ignored), ...(limitedTo ? [limitedIssue(limitedTo)] : [])]
  const resource = { resourceType: 'OperationOutcome', issue: issues }
  const outcome = issues.length === 0 ? [] : [JSON.stringify({ resource, search: { mode: 'outcome' } })]
  const all = [...entries, ...outcome]
  // A list in FHIR is never empty.
  const entry = all.length === 0 ? '' : `,"entry":[${all.join()}]`
  return `{"resourceType":"Bundle","type":"searchset","link":${JSON.stringify(links)}${entry}}`
}

/** An entry with a resource that comes as JSON. */
export function printMatch(fullUrl: string, resource: string): string {
  return `{"fullUrl":"${fullUrl}","resource":${resource},"search":{"mode":"match"}}`
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
