// What every message to an endpoint has, whatever it tells.
import type { EVENTS } from '../endpoints/endpoint.ts'

/** An endpoint that this process holds; `readBy` names it in access logs. */
export type Held = { name: string; endpointId: string; processId: string; readBy: string }

export type Sendable = {
  url: string
  /** Encrypted: the current one and, while it is valid too, the one before. */
  secrets: Buffer[]
  failures: number
  replays: number
  event: (typeof EVENTS)[number] | 'feed.reset'
  body: string
  changes: number
  /** It tells equal contents apart. */
  place: string
}

export type EndpointRow = {
  url: string
  is_thin: boolean
  secret: Buffer
  previous_secret: Buffer | null
  failures: number
  replays: number
}

export function endpointOf({ url, secret, previous_secret: previous, failures, replays }: EndpointRow) {
  return { url, secrets: previous ? [secret, previous] : [secret], failures, replays }
}
