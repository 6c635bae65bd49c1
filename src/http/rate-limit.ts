// How many requests a token's subject may send in a minute, in each process. Minutes are counted on the clock, so the
// memory of one minute is dropped as a whole when the next begins. The headers are those of the IETF draft "RateLimit
// header fields for HTTP".
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusal.ts'

export function limitRate(app: FastifyInstance, perMinute: number, now: () => number) {
  let minute = 0
  let counts = new Map<string, number>()
  const policy = `"subject";q=${perMinute};w=60`

  app.addHook('onRequest', ({ caller }, reply, done) => {
    const nowMs = now()
    const currentMinute = Math.floor(nowMs / 60_000)
    if (currentMinute !== minute) {
      minute = currentMinute
      counts = new Map()
    }
    const count = (counts.get(caller.subject) ?? 0) + 1
    counts.set(caller.subject, count)
    const secondsLeft = 60 - Math.floor((nowMs % 60_000) / 1000)
    void reply.header('ratelimit-policy', policy)
    void reply.header('ratelimit', `"subject";r=${Math.max(0, perMinute - count)};t=${secondsLeft}`)
    if (count > perMinute) {
      throw new Refusal(
        'RateLimited',
        `At most ${perMinute} requests a minute are served. Wait and try again.`,
        {
          headers: { 'retry-after': String(secondsLeft) },
        },
      )
    }
    done()
  })
}
