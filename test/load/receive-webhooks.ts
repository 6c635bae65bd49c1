// Receives the webhooks of many endpoints, in a process of its own, so that reading them takes no CPU of the sending event loops. Each
// endpoint is a path. Below /slow/ an answer takes two seconds.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** Delays are in milliseconds, from when the transaction that stored a reading began to when the message with it had come. */
export type SeenWebhooks = {
  delays: number[]
  /** Of each path: how many messages, changes and different readings came. */
  paths: Record<string, { messages: number; changes: number; readings: number }>
  /** Of each path: when its first message since the last `mark` had come, in milliseconds since 1970. */
  firstAt: Record<string, number>
}

const SLOW_MS = 2_000

let delays: number[] = []
let firstAt: Record<string, number> = {}
const paths = new Map<string, { messages: number; changes: number; readings: Set<string> }>()

const server = createServer((request, response) => {
  void receive(request, response).catch(() => response.destroy())
})

async function receive(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? ''
  note(path, await text(request))
  if (path.startsWith('/slow/')) await pause(SLOW_MS)
  response.writeHead(204).end()
}

function note(path: string, body: string) {
  const now = Date.now()
  const of = paths.get(path) ?? { messages: 0, changes: 0, readings: new Set() }
  paths.set(path, of)
  firstAt[path] ??= now
  of.messages++
  for (const [, readingId = ''] of body.matchAll(/"readingId":"([^"]+)"/g)) {
    of.changes++
    of.readings.add(readingId)
  }
  if (path.startsWith('/slow/')) return
  for (const [, receivedAt = ''] of body.matchAll(/"receivedAt":"([^"]+)"/g))
    delays.push(now - Date.parse(receivedAt))
}

function seen(): SeenWebhooks {
  const counts = [...paths].map(([path, { readings, ...of }]) => [path, { ...of, readings: readings.size }])
  return { delays, firstAt, paths: Object.fromEntries(counts) as SeenWebhooks['paths'] }
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', (message: 'report' | 'mark') => {
  if (message === 'report') process.send?.(seen())
  delays = []
  if (message === 'mark') firstAt = {}
})
process.on('disconnect', () => process.exit())
