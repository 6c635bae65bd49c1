// Answers without a bound on their length: whole ranges of readings, which are read page by page as the client takes them. Each holds a
// page in memory and asks the database for the next, so they are bounded for each subject and in all. Where there is no room in all,
// the slowest answer of the subject that has most is cut, unless the one that asks would have as many.
//
// A client that takes less than `MIN_BYTES` in `WINDOW_MS` while bytes wait for it is cut: one that took a few bytes now and then
// would keep its place for ever. Time in which nothing waits for the client does not count: then the database is slow.
import type { ServerResponse } from 'node:http'
import { OpenOfSubject } from '../../db/open-of-subject.ts'
import { Refusal } from '../../refusal.ts'

const TICK_MS = 1_000
const WINDOW_MS = 60_000
/** A kibibyte a second. The kernel frees its buffers in steps, so the window is long. */
const MIN_BYTES = 64 * 1_024

/** The bytes that were taken when it began, or its window did, and how long bytes have waited since. */
type Since = { taken: number; waitedMs: number }
type Sending = { subject: string; begin: Since; window: Since }

const WHAT = 'requests for a whole range'
const MAX_ANSWERS = 200

export function boundWholeAnswers() {
  const ofSubject = new OpenOfSubject(WHAT)
  const sending = new Map<ServerResponse, Sending>()
  let ticker: NodeJS.Timeout | undefined

  /** Takes a place for an answer that is about to be sent, until the client has it, is gone or is cut. */
  function enter(subject: string, response: ServerResponse) {
    if (response.req.socket.destroyed) return
    ofSubject.mustHaveRoom(subject)
    if (sending.size >= MAX_ANSWERS) makeRoomFor(subject)
    ofSubject.enter(subject)
    const taken = takenOf(response)
    sending.set(response, { subject, begin: { taken, waitedMs: 0 }, window: { taken, waitedMs: 0 } })
    ticker ??= setInterval(tick, TICK_MS).unref()
    response.once('close', () => leave(response))
  }

  function leave(response: ServerResponse) {
    const left = sending.get(response)
    if (!left) return
    sending.delete(response)
    ofSubject.leave(left.subject)
    if (sending.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }

  function cut(response: ServerResponse) {
    // Its place is free before the socket says that it is closed.
    leave(response)
    response.socket?.destroy()
  }

  function makeRoomFor(subject: string) {
    const bySubject = Map.groupBy(sending, ([, answer]) => answer.subject)
    const most = Math.max(...Array.from(bySubject.values(), ({ length }) => length))
    if (most <= (bySubject.get(subject)?.length ?? 0) + 1) {
      throw new Refusal('Overloaded', `Too many ${WHAT} are being answered already. Try again shortly.`)
    }
    const [slowest] = [...bySubject.values()]
      .filter(({ length }) => length === most)
      .flat()
      .map(([response, { begin }]) => ({ response, speed: speedSince(begin, response) }))
      .toSorted((a, b) => a.speed - b.speed)
    if (slowest) cut(slowest.response)
  }

  function tick() {
    for (const [response, { begin, window }] of sending) {
      if ((response.socket?.writableLength ?? 0) === 0) continue
      begin.waitedMs += TICK_MS
      window.waitedMs += TICK_MS
      if (window.waitedMs < WINDOW_MS) continue
      const taken = takenOf(response)
      if (taken - window.taken < MIN_BYTES) cut(response)
      window.waitedMs = 0
      window.taken = taken
    }
  }

  return { mustHaveRoom: (subject: string) => ofSubject.mustHaveRoom(subject), enter }
}

/** Bytes of its connection that the kernel has taken. */
function takenOf({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0
}

/** Bytes taken in each millisecond of waiting; of one for which nothing has waited, no number is as high. */
function speedSince({ taken, waitedMs }: Since, response: ServerResponse): number {
  return waitedMs === 0 ? Number.MAX_VALUE : (takenOf(response) - taken) / waitedMs
}
