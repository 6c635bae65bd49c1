// Limits the requests and the bytes of bodies that a token's subject may send in a minute, in each process. Requests are counted
// in minutes of the clock, so the counts of one minute are dropped as a whole when the next begins; bytes in leaky buckets, one
// for each subject that has sent a body within the last minute. The headers are those of the IETF draft "RateLimit header
// fields for HTTP".
import type { FastifyInstance, FastifyReply, preParsingHookHandler } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { createBuckets } from './leaky-buckets.ts'
import { takesBody } from './receive-bodies.ts'

const MINUTE_MS = 60_000

export type RateLimits = { perMinute: number; bytesPerMinute: number }

export function limitRate(
  app: FastifyInstance,
  { perMinute, bytesPerMinute }: RateLimits,
  now: () => number,
) {
  let minute = 0
  let counts = new Map<string, number>()
  const policy = `"subject";q=${perMinute};w=60`
  const policies = `${policy}, "subject-bytes";q=${bytesPerMinute};w=60;qu="content-bytes"`
  const sent = createBuckets({ capacity: bytesPerMinute, drainMs: MINUTE_MS, now })

  /** Counts a request of the subject, and says how many it has sent in this minute, and how long that lasts. */
  function countOf(subject: string) {
    const nowMs = now()
    const currentMinute = Math.floor(nowMs / MINUTE_MS)
    if (currentMinute !== minute) {
      minute = currentMinute
      counts = new Map()
    }
    const count = (counts.get(subject) ?? 0) + 1
    counts.set(subject, count)
    return { count, secondsLeft: 60 - Math.floor((nowMs % MINUTE_MS) / 1000) }
  }

  function mustBeWithin({ count, secondsLeft }: { count: number; secondsLeft: number }) {
    if (count <= perMinute) return
    throw new Refusal(
      'RateLimited',
      `At most ${perMinute} requests a minute are served. Wait and try again.`,
      { headers: { 'retry-after': String(secondsLeft) } },
    )
  }

  app.addHook('onRequest', ({ caller, headers }, reply, done) => {
    const counted = countOf(caller.subject)
    const requestsLeft = `"subject";r=${Math.max(0, perMinute - counted.count)};t=${counted.secondsLeft}`
    void reply.header('ratelimit-policy', policy)
    void reply.header('ratelimit', requestsLeft)
    mustBeWithin(counted)
    const length = Number(headers['content-length'] ?? 0)
    const hasBody = length > 0 || headers['transfer-encoding'] !== undefined
    if (hasBody) mustHaveBytesLeft(caller.subject, { length, reply, requestsLeft })
    done()
  })
  // A body counts once the process has accepted it: a client sends one again for which there was no room. A body without a
  // Content-Length counts as it arrives, also if it is refused or cut off later.
  const countBody: preParsingHookHandler = ({ caller, headers }, _reply, body, done) => {
    const length = Number(headers['content-length'] ?? 0)
    if (length > 0) sent.fill(caller.subject, Math.min(length, bytesPerMinute))
    if (headers['transfer-encoding'] !== undefined) {
      body.on('data', (piece: Buffer) => sent.fill(caller.subject, piece.length))
    }
    done(null, body)
  }
  app.addHook('onRoute', (route) => {
    if (takesBody(route)) route.preParsing = [...[route.preParsing ?? []].flat(), countBody]
  })

  function mustHaveBytesLeft(
    subject: string,
    { length, reply, requestsLeft }: { length: number; reply: FastifyReply; requestsLeft: string },
  ) {
    // Any body that is short enough to be read passes an empty bucket; a longer one is refused as such.
    const bytes = Math.min(length, bytesPerMinute)
    const waitMs = sent.msUntilFits(subject, bytes || 1)
    const left = Math.max(0, Math.floor(bytesPerMinute - sent.levelOf(subject) - bytes))
    const seconds = Math.ceil(waitMs / 1_000)
    void reply.header('ratelimit-policy', policies)
    void reply.header('ratelimit', `${requestsLeft}, "subject-bytes";r=${left};t=${seconds || 60}`)
    if (waitMs > 0) {
      throw new Refusal(
        'RateLimited',
        `At most ${bytesPerMinute} bytes a minute are accepted. Wait and try again.`,
        { headers: { 'retry-after': String(seconds) } },
      )
    }
  }
}
