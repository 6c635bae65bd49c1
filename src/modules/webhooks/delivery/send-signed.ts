// A message to an endpoint, signed with its secrets and sent once.
import { type Secrets, SecretUnreadable } from './secrets.ts'
import type { Attempt, Sender } from './send.ts'
import { signedHeaders } from './signature.ts'

export type SendDeps = { secrets: Secrets; sender: Sender; userAgent: string; now: () => number }

export type Receiver = {
  endpointId: string
  url: string
  /** Encrypted: the current one and, while it is valid too, the one before. */
  secrets: Buffer[]
}

type Signed = { messageId: string; body: string; signal?: AbortSignal }

/** `key`: the secret is stored under another WEBHOOK_KEY, so nothing was sent. */
export type SignedAttempt = Attempt | { kind: 'failed'; error: 'key'; durationMs: number }

export async function sendSigned(
  { endpointId, url, secrets: stored }: Receiver,
  { messageId: id, body, signal }: Signed,
  { secrets, sender, userAgent, now }: SendDeps,
): Promise<SignedAttempt> {
  let plain: string[]
  try {
    plain = stored.map((bytes) => secrets.decrypt(bytes, endpointId))
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    return { kind: 'failed', error: 'key', durationMs: 0 }
  }
  const signed = signedHeaders({ id, body, secrets: plain, nowMs: now() })
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': userAgent }
  return sender.send({ url, headers, body, ...(signal && { signal }) })
}
