// Admission control: while more requests arrive than this process can serve, it refuses most of them before doing any work
// for them, so that the admitted ones are served about as fast as ever. A refusal costs a fifth of the CPU of an answer.
//
// - Overload is detected by event-loop utilisation and by the length of an iteration, because each iteration takes all
//   requests that have arrived. A slow or lost database leaves the event loop idle: those requests wait, and
//   `MAX_WAITING_REQUESTS` bounds them.
// - After consecutive samples with a busy event loop and long iterations, the number of requests in work is limited; the limit
//   falls until iterations are short again, and grows with each sample in which the event loop was idle for a while.
// - An iteration that has taken `MAX_ITERATION_MS` admits no more. Without this, at three times the capacity each iteration
//   would be three times as long as the one before, and the first samples would come too late.
// - While fewer than `maxWhenBusy` are in work or were refused in the last iteration, all are admitted. So that many clients,
//   each with one request at a time, are never refused, whatever the load.
// - A request is in work until its answer begins: a client that takes an hour to read a long range does not count. Nor does a
//   request whose body is still being received from a slow device.
// - Requests that are answered at once (401, OPTIONS, prepared answers) are never in work when another one is admitted, so those
//   admitted in the same event-loop iteration count as well.
// - Requests with a token that was verified before have a share of their own, so that a flood of forged tokens, each in work
//   while its signature is verified, does not displace them. The token cache is read only when the request would be refused.
// - Requests without a token are counted separately, and fewer of them are always admitted: a flood of them has no effect on
//   the others. A browser's preflights are counted separately from both, because a web app cannot read the refusal of one: a
//   few in each iteration are always admitted.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { overloaded } from '../../refusal.ts'
import { type ErrorFormatOf, errorFormatsBelow, RETRY_AFTER_SECONDS } from '../answers/errors.ts'
import { requestIdOf } from '../request-head.ts'

const SAMPLE_MS = 5
const IDLE_BELOW = 0.95
const BUSY_SAMPLES = 2
const LONG_ITERATION_MS = 3
const MAX_ITERATION_MS = 5
const MIN_LIMIT = 16
/** The share of `maxWhenBusy` for requests without a token. */
const SHARE_WITHOUT_TOKEN = 1 / 4
const MAX_LIMIT = 1_000_000
const REPORT_EVERY_MS = 1_000

export type AdmissionSettings = {
  maxWhenBusy: number
  corsOrigins: string[]
  /** Where refusals are counted. */
  refusals: { Overloaded: number }
  /** Called at most once a second with the number of refusals since the last call. */
  onRefused: (count: number) => void
  /** Whether the token of this Authorization header was verified before. */
  isKnown?: (authorization: string) => boolean
  errorFormatOf?: ErrorFormatOf
  loop?: Loop
}

type Loop = {
  now: () => number
  /** The share of the time since the last call in which the event loop was not idle. */
  utilization: () => number
  atEndOfIteration: (act: () => void) => void
}

type InWork = { isInWork: boolean; isKnown?: boolean }

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export function createAdmissionControl(settings: AdmissionSettings) {
  const {
    maxWhenBusy,
    corsOrigins,
    refusals,
    onRefused,
    isKnown = () => false,
    errorFormatOf = errorFormatsBelow({}),
    loop = watchLoop(),
  } = settings
  let inWork = 0
  let knownInWork = 0
  let limit = MAX_LIMIT
  let busySamples = 0
  let sampledAt = loop.now()
  let iterationBegan = 0
  let isInIteration = false
  const withToken = createTally(maxWhenBusy)
  const known = createTally(maxWhenBusy)
  const withoutToken = createTally(Math.ceil(maxWhenBusy * SHARE_WITHOUT_TOKEN))
  const preflights = createTally(withoutToken.alwaysAdmitted)
  let unreported = 0
  let refusedKnown = 0

  function beginIteration() {
    isInIteration = true
    iterationBegan = loop.now()
    loop.atEndOfIteration(endIteration)
  }

  function endIteration() {
    const now = loop.now()
    isInIteration = false
    const load = currentLoad()
    for (const tally of [withToken, known, withoutToken, preflights]) {
      tally.refusedBefore = tally.refused
      tally.refused = 0
      tally.admitted = 0
    }
    if (now - sampledAt < SAMPLE_MS) return
    sampledAt = now
    if (loop.utilization() < IDLE_BELOW) {
      busySamples = 0
      limit = Math.min(MAX_LIMIT, limit * 1.1 + 1)
    } else if (++busySamples >= BUSY_SAMPLES && now - iterationBegan > LONG_ITERATION_MS) {
      limit = Math.max(MIN_LIMIT, 0.7 * Math.min(limit, load))
    }
  }

  const currentLoad = () =>
    Math.max(inWork, withToken.admitted + known.admitted + withoutToken.admitted + preflights.admitted)

  function tallyOf({ method, headers }: IncomingMessage): Tally {
    if (method === 'OPTIONS') return preflights
    return headers.authorization === undefined ? withoutToken : withToken
  }

  function mayAdmit(own: Tally): boolean {
    const inWorkBeside = own === preflights ? 0 : own === known ? knownInWork : inWork
    if (Math.max(inWorkBeside, own.admitted) + own.refusedBefore < own.alwaysAdmitted) return true
    return currentLoad() < limit && loop.now() - iterationBegan < MAX_ITERATION_MS
  }

  /** Answers 503 without doing anything else for the request. */
  function refuse(request: IncomingMessage, response: ServerResponse) {
    refusals.Overloaded++
    if (unreported++ === 0) {
      setTimeout(() => {
        onRefused(unreported)
        unreported = 0
      }, REPORT_EVERY_MS).unref()
    }
    sendOverloaded(request, response, { corsOrigins, errorFormatOf })
  }

  /** Passes admitted requests to `answer` and refuses the others. */
  function guard(answer: Answer): Answer {
    return (request, response) => {
      if (!isInIteration) beginIteration()
      const { authorization } = request.headers
      let tally = tallyOf(request)
      if (tally === withToken && !mayAdmit(tally) && isKnown(authorization ?? '')) tally = known
      if (mayAdmit(tally)) {
        tally.admitted++
        answer(request, response)
      } else {
        tally.refused++
        if (tally === known) refusedKnown++
        refuse(request, response)
      }
    }
  }

  function begin(request: InWork) {
    if (request.isInWork) return
    request.isInWork = true
    inWork++
    if (request.isKnown) knownInWork++
  }

  /** To be called when the token of a request has been verified. */
  function know(request: InWork) {
    if (request.isInWork && !request.isKnown) knownInWork++
    request.isKnown = true
  }

  /** May be called twice for a request: an answer that could not be made begins again as an error. */
  function end(request: InWork) {
    if (!request.isInWork) return
    request.isInWork = false
    inWork--
    if (request.isKnown) knownInWork--
  }

  return {
    guard,
    refuse,
    begin,
    know,
    end,
    /**
     * How many requests with tokens that were verified before have been refused. Neither a low limit nor a flood of forged tokens
     * alone makes it grow, so it shows an overload that real callers feel.
     */
    refusedKnown: () => refusedKnown,
  }
}

/** Requests of one kind: how many were admitted and refused in this event-loop iteration, and refused in the one before. */
type Tally = { alwaysAdmitted: number; admitted: number; refused: number; refusedBefore: number }

function createTally(alwaysAdmitted: number): Tally {
  return { alwaysAdmitted, admitted: 0, refused: 0, refusedBefore: 0 }
}

function watchLoop(): Loop {
  let last = performance.eventLoopUtilization()
  return {
    now: () => performance.now(),
    utilization() {
      const before = last
      last = performance.eventLoopUtilization()
      return performance.eventLoopUtilization(last, before).utilization
    },
    atEndOfIteration: setImmediate,
  }
}

// Created once: capturing the stack of an Error costs more than the rest of a refusal.
const OVERLOADED = overloaded()

/** Written without Fastify, which would take three times as long. */
function sendOverloaded(
  request: IncomingMessage,
  response: ServerResponse,
  { corsOrigins, errorFormatOf }: { corsOrigins: string[]; errorFormatOf: ErrorFormatOf },
) {
  const requestId = requestIdOf(request)
  const { contentType, print } = errorFormatOf(request.url ?? '')
  const body = print(OVERLOADED, requestId)
  const { origin } = request.headers
  response
    .writeHead(503, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
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
