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
//   request whose body is still being received from a slow device, nor one that is queued for the database behind others: one
//   subject's slow statements must not make the process look busy.
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
  /** How many requests with verified tokens only wait for the database. */
  countWaiting?: () => number
  loop?: Loop
}

type Loop = {
  now: () => number
  /** The share of the time since the last call in which the event loop was not idle. */
  utilization: () => number
  atEndOfIteration: (act: () => void) => void
}

/** `isKnown`: its token has been verified. */
type InWork = { isKnown?: boolean }

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 *   event-loop iteration    from    to
 *   a request arrives       idle    begun: its time and the number of waiting requests are noted
 *   its last request ended  begun   idle: the tallies start again, and after `SAMPLE_MS` the limit is set anew
 *
 *   a request               from            to
 *   begin                   –               in work
 *   know                    each            the same, and known
 *   end (also: pause)       in work         –, and still known
 */
export class AdmissionControl {
  readonly #settings: Required<AdmissionSettings>
  readonly #inWork = new Set<InWork>()
  readonly #knownInWork = new Set<InWork>()
  readonly #withToken: Tally
  readonly #known: Tally
  readonly #withoutToken: Tally
  readonly #preflights: Tally
  /** `waiting`: of the requests in work, those that only wait, as of the beginning of the iteration. */
  #iteration = { state: 'idle' as 'idle' | 'begun', beganAt: 0, waiting: 0 }
  #limit = MAX_LIMIT
  #busySamples = 0
  #sampledAt: number
  #unreported = 0
  #refusedKnown = 0

  constructor(settings: AdmissionSettings) {
    const { maxWhenBusy } = settings
    this.#settings = {
      isKnown: () => false,
      errorFormatOf: errorFormatsBelow({}),
      countWaiting: () => 0,
      loop: watchLoop(),
      ...settings,
    }
    this.#sampledAt = this.#settings.loop.now()
    this.#withToken = createTally(maxWhenBusy)
    this.#known = createTally(maxWhenBusy)
    this.#withoutToken = createTally(Math.ceil(maxWhenBusy * SHARE_WITHOUT_TOKEN))
    this.#preflights = createTally(this.#withoutToken.alwaysAdmitted)
  }

  /** Passes admitted requests to `answer` and refuses the others. */
  guard(answer: Answer): Answer {
    return (request, response) => {
      if (this.#iteration.state === 'idle') this.#beginIteration()
      let tally = this.#tallyOf(request)
      if (tally === this.#withToken && !this.#mayAdmit(tally)) {
        if (this.#settings.isKnown(request.headers.authorization ?? '')) tally = this.#known
      }
      if (this.#mayAdmit(tally)) {
        tally.admitted++
        answer(request, response)
      } else {
        tally.refused++
        if (tally === this.#known) this.#refusedKnown++
        this.refuse(request, response)
      }
    }
  }

  /** Answers 503 without doing anything else for the request. */
  readonly refuse: Answer = (request, response) => {
    this.#settings.refusals.Overloaded++
    if (this.#unreported++ === 0) {
      setTimeout(() => {
        this.#settings.onRefused(this.#unreported)
        this.#unreported = 0
      }, REPORT_EVERY_MS).unref()
    }
    sendOverloaded(request, response, this.#settings)
  }

  readonly begin = (request: InWork) => {
    this.#inWork.add(request)
    if (request.isKnown) this.#knownInWork.add(request)
  }

  /** To be called when the token of a request has been verified. */
  readonly know = (request: InWork) => {
    request.isKnown = true
    if (this.#inWork.has(request)) this.#knownInWork.add(request)
  }

  /** May be called twice for a request: an answer that could not be made begins again as an error. */
  readonly end = (request: InWork) => {
    this.#inWork.delete(request)
    this.#knownInWork.delete(request)
  }

  /**
   * How many requests with tokens that were verified before have been refused. Neither a low limit nor a flood of forged tokens
   * alone makes it grow, so it shows an overload that real callers feel.
   */
  readonly refusedKnown = () => this.#refusedKnown

  #beginIteration() {
    const { loop, countWaiting } = this.#settings
    this.#iteration = { state: 'begun', beganAt: loop.now(), waiting: countWaiting() }
    loop.atEndOfIteration(() => this.#endIteration())
  }

  #endIteration() {
    const { loop } = this.#settings
    const now = loop.now()
    this.#iteration.state = 'idle'
    const load = this.#load()
    for (const tally of [this.#withToken, this.#known, this.#withoutToken, this.#preflights]) {
      tally.refusedBefore = tally.refused
      tally.refused = 0
      tally.admitted = 0
    }
    if (now - this.#sampledAt < SAMPLE_MS) return
    this.#sampledAt = now
    if (loop.utilization() < IDLE_BELOW) {
      this.#busySamples = 0
      this.#limit = Math.min(MAX_LIMIT, this.#limit * 1.1 + 1)
    } else if (++this.#busySamples >= BUSY_SAMPLES && now - this.#iteration.beganAt > LONG_ITERATION_MS) {
      this.#limit = Math.max(MIN_LIMIT, 0.7 * Math.min(this.#limit, load))
    }
  }

  #load(): number {
    const ofToken = this.#withToken.admitted + this.#known.admitted
    const admitted = ofToken + this.#withoutToken.admitted + this.#preflights.admitted
    return Math.max(this.#inWork.size - this.#iteration.waiting, admitted)
  }

  #tallyOf({ method, headers }: IncomingMessage): Tally {
    if (method === 'OPTIONS') return this.#preflights
    return headers.authorization === undefined ? this.#withoutToken : this.#withToken
  }

  #mayAdmit(own: Tally): boolean {
    const { beganAt, waiting } = this.#iteration
    const beside = own === this.#known ? this.#knownInWork : this.#inWork
    const inWorkBeside = own === this.#preflights ? 0 : beside.size - waiting
    if (Math.max(inWorkBeside, own.admitted) + own.refusedBefore < own.alwaysAdmitted) return true
    return this.#load() < this.#limit && this.#settings.loop.now() - beganAt < MAX_ITERATION_MS
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
