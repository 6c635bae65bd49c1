// The headers of Standard Webhooks 1.0 (https://www.standardwebhooks.com): a receiver verifies them with any of its libraries.
import { createHash, createHmac } from 'node:crypto'
import { SECRET_PREFIX } from './secrets.ts'

type Body = string | Buffer

export type Message = {
  id: string
  body: Body
  /** The current secret and, while it is valid too, the previous one. */
  secrets: string[]
  nowMs: number
}

/** What is sent with the body. There is one signature for each secret, so a receiver may know either. */
export function signedHeaders({ id, body, secrets, nowMs }: Message) {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/**
 * A repeated attempt with the same content has the same id, so that a receiver can ignore what it has. `place` tells equal contents
 * apart: a reading that was withdrawn and restored looks as it did at first, and is another change. A replay has other ids, because
 * whoever asks for one wants everything again.
 */
export function messageIdOf(of: { endpointId: string; replays: number; place: string }, body: Body): string {
  const { endpointId, replays, place } = of
  const digest = createHash('sha256').update(`${endpointId}.${replays}.${place}.`).update(body)
  return `msg_${digest.digest('base64url').slice(0, 32)}`
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
}
