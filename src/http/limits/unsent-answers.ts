// Answers that their clients do not read. Each is held in memory until the kernel has taken it, so a thousand connections that
// request a page and read nothing would hold a thousand pages. Beyond `MAX_UNSENT_BYTES` in total, the connection that reads
// most slowly is cut. Streams are not counted: they wait with one page at a time. Nor are prepared answers: all of their
// clients share one buffer.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

const MAX_UNSENT_BYTES = 64 * 1_024 * 1_024
/** Shorter answers fit the kernel's buffers. */
const LARGE_BYTES = 64 * 1_024

type Unsent = { bytes: number; beganAt: number }

export function boundUnsentAnswers(app: FastifyInstance) {
  const unsent = new Map<ServerResponse, Unsent>()
  let total = 0

  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // The length of a text is that of its bytes or less, down to a third.
    if (typeof payload === 'string' && payload.length > LARGE_BYTES) {
      note(raw, payload.length)
      if (total > MAX_UNSENT_BYTES) cutSlowest()
    }
    done()
  })

  function note(response: ServerResponse, bytes: number) {
    unsent.set(response, { bytes, beganAt: performance.now() })
    total += bytes
    response.once('close', () => {
      unsent.delete(response)
      total -= bytes
    })
  }

  /** Compares at most a thousand, and only while the total is exceeded. */
  function cutSlowest() {
    const now = performance.now()
    const rateOf = (response: ServerResponse, { bytes, beganAt }: Unsent) =>
      (bytes - (response.socket?.writableLength ?? bytes)) / (now - beganAt)
    let slowest: { response: ServerResponse; rate: number } | undefined
    for (const [response, answer] of unsent) {
      const rate = answer.beganAt === now || response.socket?.destroyed ? Infinity : rateOf(response, answer)
      if (!slowest || rate < slowest.rate) slowest = { response, rate }
    }
    slowest?.response.socket?.destroy()
  }
}
