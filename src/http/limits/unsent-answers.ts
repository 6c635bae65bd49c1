// Answers that their clients do not read. Each is held in memory until the kernel has taken it, so a thousand connections that
// request a page and read nothing would hold a thousand pages. Beyond `MAX_UNSENT_BYTES` in total, the connections that read
// most slowly are cut. Streams are not counted: they wait with one page at a time. Bytes that several answers share, such as a
// cached page, count once.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { whenClosed } from '../when-closed.ts'

const MAX_UNSENT_BYTES = 64 * 1_024 * 1_024
/** Shorter answers fit the kernel's buffers. */
const LARGE_BYTES = 64 * 1_024

type Unsent = { body: string | Buffer; beganAt: number }

export function boundUnsentAnswers(app: FastifyInstance) {
  const unsent = new Map<ServerResponse, Unsent>()
  /** By how many answers each buffer is being sent. */
  const sharedBy = new Map<Buffer, number>()
  let total = 0

  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // The length of a text is that of its bytes or less, down to a third.
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LARGE_BYTES) {
      note(raw, payload)
      if (total > MAX_UNSENT_BYTES) cutSlowest()
    }
    done()
  })

  function note(response: ServerResponse, body: string | Buffer) {
    unsent.set(response, { body, beganAt: performance.now() })
    if (share(body, 1) === 1) total += body.length
    whenClosed(response, () => release(response))
  }

  function release(response: ServerResponse) {
    const answer = unsent.get(response)
    if (!answer) return
    unsent.delete(response)
    if (share(answer.body, -1) === 0) total -= answer.body.length
  }

  /** By how many answers a body is being sent after one more or one fewer. A text is an answer's own. */
  function share(body: string | Buffer, change: 1 | -1): number {
    if (typeof body === 'string') return change === 1 ? 1 : 0
    const answers = (sharedBy.get(body) ?? 0) + change
    if (answers === 0) sharedBy.delete(body)
    else sharedBy.set(body, answers)
    return answers
  }

  /** Compares them all, and only while the total is exceeded. */
  function cutSlowest() {
    const now = performance.now()
    const rateOf = (response: ServerResponse, { body, beganAt }: Unsent) =>
      (body.length - (response.socket?.writableLength ?? body.length)) / (now - beganAt)
    const rates = Array.from(unsent, ([response, answer]) => ({
      response,
      rate: answer.beganAt === now || response.socket?.destroyed ? Infinity : rateOf(response, answer),
    }))
    for (const { response } of rates.toSorted((a, b) => a.rate - b.rate)) {
      if (total <= MAX_UNSENT_BYTES) return
      response.socket?.destroy()
      release(response)
    }
  }
}
