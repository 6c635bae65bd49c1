// Headers as they were sent. Those that are lists, such as `Accept: text/csv;q=0.9, */*`, are taken apart without regular
// expressions: a header of 8 KiB must not be able to keep one busy.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The parts between separators; one that stands within quotes separates nothing. */
export function partsOf(header: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at++) {
    const character = header[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      parts.push(header.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, header.slice(start)].map((part) => part.trim())
}

/** `name=value` or a name alone: the name in lower case, the value without its quotes. */
export function nameAndValue(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  if (equals === -1) return [part.toLowerCase(), '']
  const value = part.slice(equals + 1).trim()
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  return [
    part.slice(0, equals).trim().toLowerCase(),
    isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value,
  ]
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
