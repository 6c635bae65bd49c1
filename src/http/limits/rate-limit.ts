// Limits the requests and the bytes of bodies that a token's subject may send in a minute, in each process. Requests are counted
// in minutes of the clock, so the counts of one minute are dropped as a whole when the next begins, and exactly as many are
// served as the header promised.
import type { FastifyInstance, FastifyReply, preParsingHookHandler } from 'fastify'
import type { Caller } from '../tokens/tokens.ts'
import { createBuckets, policyHeader, tooMany } from './buckets.ts'
import { takesBody } from './receive-bodies.ts'

const MINUTE_MS = 60_000

export type RateLimits = {
  /** Of patients and those who care for them. */
  perMinute: number
  /** Of doctors, staff and services: each works for many patients. */
  professionalsPerMinute: number
  bytesPerMinute: number
}

export function limitRate(
  app: FastifyInstance,
  { perMinute, professionalsPerMinute, bytesPerMinute }: RateLimits,
  now: () => number,
) {
  const countOf = createCounts(now)
  const [ofPatients, ofProfessionals] = [perMinute, professionalsPerMinute].map((capacity) => ({
    capacity,
    policy: policyHeader({ name: 'subject', capacity, drainMs: MINUTE_MS }),
  })) as [Share, Share]
  const sent = createBuckets({
    policy: {
      name: 'subject-bytes',
      unit: 'content-bytes',
      sentence: `At most ${bytesPerMinute} bytes a minute are accepted.`,
    },
    capacity: bytesPerMinute,
    drainMs: MINUTE_MS,
    now,
  })

  app.addHook('onRequest', ({ caller, headers }, reply, done) => {
    const { capacity, policy } = isProfessional(caller) ? ofProfessionals : ofPatients
    const { count, secondsLeft } = countOf(caller.subject)
    const left = `"subject";r=${Math.max(0, capacity - count)};t=${secondsLeft}`
    void reply.header('ratelimit-policy', policy)
    void reply.header('ratelimit', left)
    if (count > capacity) throw tooMany(`At most ${capacity} requests a minute are served.`, secondsLeft)
    const length = Number(headers['content-length'] ?? 0)
    if (length > 0 || headers['transfer-encoding'] !== undefined) {
      mustHaveBytesLeft(caller.subject, length, { reply, policy, left })
    }
    done()
  })

  function mustHaveBytesLeft(
    subject: string,
    length: number,
    { reply, policy, left }: { reply: FastifyReply; policy: string; left: string },
  ) {
    // Any body that is short enough to be read passes an empty bucket; a longer one is refused as such.
    const bytes = Math.min(length, bytesPerMinute)
    const seconds = sent.secondsUntilFits(subject, bytes || 1)
    const bytesLeft = Math.max(0, Math.floor(bytesPerMinute - sent.levelOf(subject) - bytes))
    const both = {
      'ratelimit-policy': `${policy}, ${sent.policy}`,
      ratelimit: `${left}, "subject-bytes";r=${bytesLeft};t=${seconds || 60}`,
    }
    if (seconds > 0) throw sent.refusal(seconds, both)
    void reply.headers(both)
  }

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
}

type Share = { capacity: number; policy: string }

const isProfessional = ({ doctorId, isStaff, mayWithdraw, mayFollowChanges, mayManageWebhooks }: Caller) =>
  doctorId !== undefined || isStaff || mayWithdraw || mayFollowChanges || mayManageWebhooks

/** Counts a request of a subject, and says how many it has sent in this minute, and how long that lasts. */
function createCounts(now: () => number) {
  let minute = 0
  let counts = new Map<string, number>()
  return (subject: string) => {
    const nowMs = now()
    const currentMinute = Math.floor(nowMs / MINUTE_MS)
    if (currentMinute !== minute) {
      minute = currentMinute
      counts = new Map()
    }
    const count = (counts.get(subject) ?? 0) + 1
    counts.set(subject, count)
    return { count, secondsLeft: 60 - Math.floor((nowMs % MINUTE_MS) / 1_000) }
  }
}
