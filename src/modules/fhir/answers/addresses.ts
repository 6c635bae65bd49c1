// The addresses in answers. They are absolute, as FHIR wants them, and made of what the client asked for; behind a proxy that
// TRUST_PROXY names, of what the proxy says that it was asked for.
import type { FastifyRequest } from 'fastify'
import type { Link } from '../search/bundle.ts'
import type { Sent } from '../search/search-query.ts'

/** A host and, if any, a port: nothing that would make another address of it. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

export function baseOf({ protocol, host }: FastifyRequest, basePath: string): string {
  return `${protocol === 'https' ? 'https' : 'http'}://${HOST.test(host) ? host : 'localhost'}${basePath}`
}

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
