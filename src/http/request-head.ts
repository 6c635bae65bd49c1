// The head of a request as it was sent: its address, its id, and headers that must not be sent twice.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** As the router divides an address: everything after the first question mark is the query, whatever it holds. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

/** Node's own `headersDistinct` would make an object of all headers to look at one. */
export function isSentTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count > 1
}

/** Whether a text can be a request id: what a caller may choose, and what a log and a cursor can hold. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^[\w.:-]{1,128}$/.test(text)
}

/** The id that the caller chose, or a new one. */
export function requestIdOf({ headers: { 'x-request-id': sent } }: Pick<IncomingMessage, 'headers'>): string {
  return isRequestId(sent) ? sent : randomUUID()
}
