// The requests of the screen that is shown, to be copied as curl. No token is in them.
import type { Fetch } from '../../typescript/src/client.ts'

const MAX_REQUESTS = 12

export type SentRequest = {
  url: string
  method: string
  accept: string | undefined
  body: string | undefined
}

export type RequestLog = {
  /** A fetch that notes what it sends. */
  fetch: Fetch
  sent: () => SentRequest[]
  /** Another screen begins. */
  clear: () => void
}

export function createRequestLog(fetch: Fetch): RequestLog {
  const requests = new Map<string, SentRequest>()
  return {
    fetch(url, init) {
      const { method = 'GET', body } = init
      const accept = new Headers(init.headers).get('accept') ?? undefined
      const request = { url, method, accept, body: typeof body === 'string' ? body : undefined }
      const key = `${method} ${url}`
      // Behind the others: the newest are kept.
      requests.delete(key)
      requests.set(key, request)
      if (requests.size > MAX_REQUESTS) requests.delete(leastMissed(requests))
      return fetch(url, init)
    },
    sent: () => [...requests.values()],
    clear: () => requests.clear(),
  }
}

/** The oldest of the path with the most: a screen that asks the same of every type must not push out what it asked once. */
function leastMissed(requests: ReadonlyMap<string, SentRequest>): string {
  const byPath = Map.groupBy(requests.keys(), (key) => key.replace(/\?.*/s, ''))
  const [most = []] = [...byPath.values()].toSorted((one, other) => other.length - one.length)
  return most[0] ?? ''
}

/** A line for a shell, in which only $TOKEN is expanded. */
export function curlOf({ url, method, accept, body }: SentRequest): string {
  const parts = ['curl', quoted(url), '-H "Authorization: Bearer $TOKEN"']
  if (accept !== undefined) parts.push('-H', quoted(`Accept: ${accept}`))
  if (method !== 'GET') parts.push("-H 'Content-Type: application/json' -d", quoted(body ?? ''))
  return parts.join(' ')
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
