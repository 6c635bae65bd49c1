// A receiver of webhooks, as an integrator would write one: it verifies every message with the published library and builds a copy
// from the messages alone. It notes what it was sent, and misbehaves when a test asks for it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const MAX_BODY_BYTES = 256 * 1_024
const LONG_ANSWER_BYTES = 10 * 1_024 * 1_024

/** The fields of all changes together. A thin change of a reading names it; a full one holds it. */
export type SentChange = {
  state: 'present' | 'withdrawn' | 'erased' | 'given' | 'revoked'
  patientUid?: string | null
  readingId?: string
  reading?: { readingId: string; patientUid: string; readingType: string; timestamp: number }
  doctorId?: string
  /** Of an alert. */
  event?: string
  eventId?: string
  alertId?: string
}

export type Message = {
  id: string
  type: string
  timestamp: string
  changes: SentChange[]
  bytes: number
  headers: IncomingMessage['headers']
  /** Which of the trusted secrets verify it, by their number. */
  verifiedBy: number[]
  /** When it had come, in milliseconds of performance.now(). */
  at: number
  isStored: boolean
}

/** Answers a message. Without `store` the receiver has not kept it. */
export type Answer = (response: ServerResponse, store: () => void, message: Message) => unknown

export const ANSWERS = {
  accepts: (response, store) => {
    store()
    response.writeHead(204).end()
  },
  fails: (response) => response.writeHead(500).end(),
  hangs: () => {},
  cutsBeforeStoring: (response) => response.socket?.destroy(),
  storesThenFails: (response, store) => {
    store()
    response.writeHead(500).end('The database of the receiver was lost after its commit.')
  },
  storesThenCuts: (response, store) => {
    store()
    response.socket?.destroy()
  },
  /** The status comes, and the connection ends within the body that it announced. */
  closesEarly: (response, store) => {
    store()
    response.writeHead(200, { 'content-length': 100 })
    response.write('{', () => response.socket?.destroy())
  },
  answersAtLength: (response, store) => {
    store()
    response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(LONG_ANSWER_BYTES))
  },
  redirects: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  isGone: (response) => response.writeHead(410).end(),
} as const satisfies Record<string, Answer>

export const isBusy =
  (retryAfter: string): Answer =>
  (response) =>
    response.writeHead(429, { 'retry-after': retryAfter }).end()

export const isSlow =
  (ms: number): Answer =>
  (response, store) => {
    store()
    setTimeout(() => response.writeHead(200).end(), ms)
  }

export type WebhookReceiver = Awaited<ReturnType<typeof startReceiver>>

/** It waits with its answers until it trusts a secret: the first message may come before the caller has read the secret. */
export async function startReceiver() {
  const received = new Received()
  const trusted = Promise.withResolvers<void>()
  const secrets: Webhook[] = []
  let usual: Answer = ANSWERS.accepts
  let next: Answer[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (request.complete) received.wrong.push(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request)
    if (request.url !== '/hook' || request.method !== 'POST')
      received.wrong.push(`${request.method} ${request.url}`)
    await trusted.promise
    const message = messageFrom(request, body, secrets)
    received.note(message, body)
    const how = next.shift() ?? usual
    await how(response, () => received.store(message), message)
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/hook`,
    server,
    received,
    trust(secret: string) {
      secrets.push(new Webhook(secret))
      trusted.resolve()
    },
    /** From now on; the next messages, one each, may be answered otherwise first. */
    answer(...answers: [...next: Answer[], usual: Answer]) {
      usual = answers.at(-1) ?? ANSWERS.accepts
      next = answers.slice(0, -1)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function messageFrom({ headers }: IncomingMessage, body: Buffer, secrets: Webhook[]): Message {
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const { type, timestamp, data } = JSON.parse(body.toString()) as {
    type: string
    timestamp: string
    data: { changes?: SentChange[] }
  }
  return {
    id: String(headers['webhook-id']),
    type,
    timestamp,
    changes: data.changes ?? [],
    bytes: body.length,
    headers,
    verifiedBy: [...secrets.keys()].filter((number) => isVerifiedBy(secrets[number], body, signed)),
    at: performance.now(),
    isStored: false,
  }
}

function isVerifiedBy(secret: Webhook | undefined, body: Buffer, headers: Record<string, string>): boolean {
  try {
    secret?.verify(body, headers)
    return secret !== undefined
  } catch {
    return false
  }
}

export const readingOf = (change: SentChange) =>
  change.reading ?? { readingId: change.readingId ?? '', patientUid: change.patientUid ?? '' }

/** A state of a reading, or of what else changed. */
export const keyOf = (change: SentChange) =>
  [readingOf(change).readingId || change.eventId || change.patientUid, change.doctorId, change.state]
    .filter(Boolean)
    .join(' ')

const PLACED_IN: Record<string, string[]> = {
  'readings.changed': ['present', 'withdrawn'],
  'patient.erased': ['erased'],
  'grant.changed': ['given', 'revoked'],
}

/** What came, and the copy that was made of it. */
class Received {
  readonly messages: Message[] = []
  /** What no message may be, in words. */
  readonly wrong: string[] = []
  /** The readings of each patient as they were stored last, in the order of their last changes. */
  readonly copy = new Map<string, Map<string, SentChange>>()
  /** How often each change was stored, also of messages whose id was known. */
  readonly times = new Map<string, number>()
  readonly #ids = new Set<string>()

  note(message: Message, body: Buffer) {
    this.messages.push(message)
    const { id, type, changes, headers, verifiedBy } = message
    if (verifiedBy.length === 0) this.wrong.push(`${id} is signed with no secret of this endpoint`)
    if (body.length > MAX_BODY_BYTES) this.wrong.push(`${id} has ${body.length} bytes`)
    if (headers['content-type'] !== 'application/json') this.wrong.push(`${id} is ${headers['content-type']}`)
    if (!/^rounds\/\d/.test(headers['user-agent'] ?? '')) this.wrong.push(`${id}: ${headers['user-agent']}`)
    if (Number.isNaN(Date.parse(message.timestamp))) this.wrong.push(`${id}: ${message.timestamp}`)
    const states = PLACED_IN[type]
    if (states && changes.length === 0) this.wrong.push(`${id} is empty`)
    const isMixed = type.startsWith('alert.')
      ? changes.some(({ event }) => event !== type)
      : changes.some(({ state }) => !states?.includes(state))
    if (isMixed) this.wrong.push(`${id} mixes ${type}`)
  }

  /** A message whose id is known changes nothing: that is what the id is for. */
  store(message: Message) {
    message.isStored = true
    const isNew = !this.#ids.has(message.id)
    this.#ids.add(message.id)
    if (isNew && message.type === 'feed.reset') this.copy.clear()
    for (const change of message.changes) {
      const key = keyOf(change)
      this.times.set(key, (this.times.get(key) ?? 0) + 1)
      if (isNew) this.#put(change)
    }
  }

  #put(change: SentChange) {
    if (change.state === 'erased') this.copy.delete(change.patientUid ?? '')
    if (change.state !== 'present' && change.state !== 'withdrawn') return
    const { readingId, patientUid } = readingOf(change)
    const readings = this.copy.get(patientUid) ?? new Map<string, SentChange>()
    // Behind all others, also where it was there already.
    readings.delete(readingId)
    this.copy.set(patientUid, readings.set(readingId, change))
  }

  /** `readingId state` of a patient's readings, in order. */
  statesOf(patientUid: string): string[] {
    return [...(this.copy.get(patientUid) ?? [])].map(([readingId, { state }]) => `${readingId} ${state}`)
  }

  ofType(type: string): Message[] {
    return this.messages.filter((message) => message.type === type)
  }

  /** The changes of all messages that were stored, or that came, in order. */
  changes({ stored = true } = {}): SentChange[] {
    return this.messages.filter(({ isStored }) => isStored || !stored).flatMap(({ changes }) => changes)
  }
}
