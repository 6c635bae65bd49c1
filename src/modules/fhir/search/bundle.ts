// Bundles with the results of a search, as text: their entries come as text too.
import { printable } from '../answers/printable.ts'

export type Link = { relation: 'self' | 'next'; url: string }

export type SearchResult = {
  links: Link[]
  /** Entries as JSON. */
  entries: string[]
  /** Parameters that were ignored. */
  ignored: readonly string[]
}

export function printSearchset({ links, entries, ignored }: SearchResult): string {
  const outcome =
    ignored.length === 0
      ? []
      : [JSON.stringify({ resource: ignoredOutcome(ignored), search: { mode: 'outcome' } })]
  const all = [...entries, ...outcome]
  // A list in FHIR is never empty.
  const entry = all.length === 0 ? '' : `,"entry":[${all.join()}]`
  return `{"resourceType":"Bundle","type":"searchset","link":${JSON.stringify(links)}${entry}}`
}

/** An entry with a resource that comes as JSON. */
export function printMatch(fullUrl: string, resource: string): string {
  return `{"fullUrl":"${fullUrl}","resource":${resource},"search":{"mode":"match"}}`
}

function ignoredOutcome(names: readonly string[]) {
  return {
    resourceType: 'OperationOutcome',
    issue: [...new Set(names)].slice(0, 20).map((name) => ({
      severity: 'warning',
      code: 'not-supported',
      details: { text: `The parameter ${printable(name)} is not known here and was ignored.` },
    })),
  }
}
