// Admission control in an event loop that a test moves, to the millisecond and to the last request.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AdmissionControl } from '../../src/http/limits/admission-control.ts'

export type Sent = { method?: string; headers?: Record<string, string> }
type Answer = { status: number; headers: Record<string, unknown>; body: string }

export const TOKEN = { headers: { authorization: 'Bearer x' } }
export const NO_TOKEN = { headers: {} }
export const PREFLIGHT = { method: 'OPTIONS', headers: {} }
/** An iteration of the event loop longer than this is long. */
export const LONG_MS = 3
export const SAMPLE_MS = 5

type Options = {
  maxWhenBusy?: number
  corsOrigins?: string[]
  isKnown?: (authorization: string) => boolean
  onRefused?: (count: number) => void
  countWaiting?: () => number
}

export function startAdmission({
  maxWhenBusy = 4,
  corsOrigins = [],
  isKnown = () => false,
  onRefused = () => {},
  countWaiting = () => 0,
}: Options = {}) {
  const loop = { ms: 0, utilization: 1, samples: 0 }
  let endIteration: (() => void) | undefined
  const refusals = { Overloaded: 0 }
  const control = new AdmissionControl({
    maxWhenBusy,
    corsOrigins,
    refusals,
    onRefused,
    isKnown,
    countWaiting,
    loop: {
      now: () => loop.ms,
      utilization() {
        loop.samples++
        return loop.utilization
      },
      atEndOfIteration: (act) => void (endIteration = act),
    },
  })
  const inWork: { isKnown?: boolean }[] = []

  /** Begins or ends requests until as many are in work. */
  function work(count: number) {
    for (; inWork.length < count; control.begin(inWork.at(-1) ?? assert.fail()))
      inWork.push({ isKnown: false })
    while (inWork.length > count) control.end(inWork.pop() ?? assert.fail())
  }

  /** A request that arrives and is answered at once. */
  function arrive({ method = 'GET', headers = {} }: Sent = TOKEN): Answer {
    const answer: Answer = { status: 0, headers: {}, body: '' }
    const response = {
      writeHead(status: number, sent: Record<string, unknown>) {
        Object.assign(answer, { status, headers: sent })
        return response
      },
      end: (body: string) => void (answer.body = body),
    }
    const request = { method, headers } as unknown as IncomingMessage
    control.guard(() => void (answer.status = 200))(request, response as unknown as ServerResponse)
    return answer
  }

  const admittedOf = (count: number, sent: Sent = TOKEN) =>
    Array.from({ length: count }, () => arrive(sent).status).filter((status) => status === 200).length

  /** Ends the iteration after so long, if one has begun. */
  function end(ms = 0) {
    loop.ms += ms
    endIteration?.()
    endIteration = undefined
  }

  /** One iteration with one request, long after the last. */
  function iterate(ms: number, utilization = 1) {
    loop.ms += 100
    loop.utilization = utilization
    const { status } = arrive()
    end(ms)
    return status
  }

  /** Two long iterations without a pause, with as many requests in work. */
  function overload(count: number) {
    work(count)
    iterate(LONG_MS + 1)
    iterate(LONG_MS + 1)
  }

  /** The number of requests in work at which the next is refused. */
  function limit(): number {
    for (let count = 0; count < 1_000; count++) {
      work(count)
      const { status } = arrive()
      // No time passes, so no sample is taken.
      end()
      if (status === 503) return count
    }
    return Infinity
  }

  return { control, loop, refusals, inWork, work, arrive, admittedOf, end, iterate, overload, limit }
}
