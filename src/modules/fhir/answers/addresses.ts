// The addresses of a search, absolute, as FHIR wants them.
import type { Link } from '../search/bundle.ts'
import type { Sent } from '../search/search-query.ts'

/** The search as it was understood, and its next page. */
export function linksOf(address: string, sent: readonly Sent[], nextCursor: string | null): Link[] {
  const self = new URLSearchParams(
    sent.map(({ name, modifier, text }): [string, string] => [
      modifier === '' ? name : `${name}:${modifier}`,
      text,
    ]),
  )
  const links: Link[] = [{ relation: 'self', url: withQuery(address, self) }]
  if (nextCursor === null) return links
  const next = new URLSearchParams(self)
  next.set('cursor', nextCursor)
  return [...links, { relation: 'next', url: withQuery(address, next) }]
}

function withQuery(address: string, query: URLSearchParams): string {
  return query.size === 0 ? address : `${address}?${query.toString()}`
}
