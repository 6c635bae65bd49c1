// Addresses in answers. They are absolute, and made of what the client asked for; behind a proxy that TRUST_PROXY names, of what the
// proxy says that it was asked for.
import type { FastifyRequest } from 'fastify'

/** A host and, if any, a port: nothing that would make another address of it. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** The address of a path of this server. */
export function baseOf({ protocol, host }: FastifyRequest, path: string): string {
  return `${protocol === 'https' ? 'https' : 'http'}://${HOST.test(host) ? host : 'localhost'}${path}`
}

/** An address below a base without it; any other address as it is. */
export function relativeTo(base: string, address: string): string {
  return address.startsWith(`${base}/`) ? address.slice(base.length + 1) : address
}
