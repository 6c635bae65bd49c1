// The door: while there is more to do than this process can do, it refuses most requests before anything is done for
// them, so that those it lets in are served about as fast as ever. Refusing costs a fifth of the CPU of serving.
//
// - The process is busy when its event loop had no rest for `BUSY_AFTER_MS`: shorter bursts are simply worked off. A slow
//   database or one that is away leaves the loop idle: whoever waits for it waits, and `MAX_WAITING_REQUESTS` bounds them.
// - While it is busy, requests are let in as long as fewer than `maxWhenBusy` are in work. So fewer clients than that, each
//   with one request at a time, are never refused, however hard they drive it.
// - A request is in work until its answer begins: a reader who takes an hour over a long range keeps nobody out.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { overloaded } from '../db/db.ts'
import { bodyOf, RETRY_AFTER_SECONDS } from './errors.ts'
import { requestIdOf } from './header-parts.ts'

const SAMPLE_MS = 10
const RESTED_BELOW = 0.95
const BUSY_AFTER_MS = 100
const TELL_EVERY_MS = 1_000

export type DoorSettings = {
  maxWhenBusy: number
  corsOrigins: string[]
  /** Hears, at most once a second, how many were refused since it last heard. */
  onRefused: (count: number) => void
  /** Whether the event loop had nothing to do at some time of late. */
  isRested?: () => boolean
}

export type Door = ReturnType<typeof createDoor>

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export function createDoor({ maxWhenBusy, corsOrigins, onRefused, isRested = watchLoop() }: DoorSettings) {
  let inWork = 0
  let untold = 0
  let refusedCount = 0

  function refuse(request: IncomingMessage, response: ServerResponse) {
    refusedCount++
    if (untold++ === 0) {
      setTimeout(() => {
        onRefused(untold)
        untold = 0
      }, TELL_EVERY_MS).unref()
    }
    sendOverloaded(request, response, corsOrigins)
  }

  return {
    /** Lets requests through to `answer`, or refuses them. A browser's question whether it may call always passes. */
    guard:
      (answer: Answer): Answer =>
      (request, response) => {
        if (isRested() || inWork < maxWhenBusy || request.method === 'OPTIONS') answer(request, response)
        else refuse(request, response)
      },
    begin(request: { isInWork: boolean }) {
      request.isInWork = true
      inWork++
    },
    /** May be called twice for a request: when its answer begins, and when it is over. */
    end(request: { isInWork: boolean }) {
      if (request.isInWork) inWork--
      request.isInWork = false
    },
    refusedCount: () => refusedCount,
  }
}

function watchLoop(): () => boolean {
  let last = performance.eventLoopUtilization()
  let sampledAt = performance.now()
  let restedAt = sampledAt
  return () => {
    const now = performance.now()
    if (now - sampledAt >= SAMPLE_MS) {
      const current = performance.eventLoopUtilization()
      if (performance.eventLoopUtilization(current, last).utilization < RESTED_BELOW) restedAt = now
      last = current
      sampledAt = now
    }
    return now - restedAt < BUSY_AFTER_MS
  }
}

// Made once: an Error takes note of where it was made, which costs more than the rest of a refusal.
const OVERLOADED = overloaded()

/** Fastify would take three times as long. */
function sendOverloaded(request: IncomingMessage, response: ServerResponse, corsOrigins: string[]) {
  const requestId = requestIdOf(request)
  const body = JSON.stringify(bodyOf(OVERLOADED, requestId))
  const { origin } = request.headers
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'retry-after': RETRY_AFTER_SECONDS,
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(corsOrigins.length > 0 ? { vary: 'Origin' } : {}),
      ...(origin !== undefined && corsOrigins.includes(origin)
        ? {
            'access-control-allow-origin': origin,
            'access-control-expose-headers': 'retry-after, x-request-id',
          }
        : {}),
    })
    .end(body)
}
