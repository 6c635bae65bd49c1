// The door: while there is more to do than this process can do, it refuses most requests before anything is done for
// them, so that those it lets in are served about as fast as ever. Refusing costs a fifth of the CPU of serving.
//
// - What shows too much work is the event loop: it has no rest, and its turns get long, because each turn takes all requests
//   that have arrived. A slow database or one that is away leaves the loop at rest: whoever waits for it waits, and
//   `MAX_WAITING_REQUESTS` bounds them.
// - When samples in a row saw no rest and long turns, the number of requests in work is limited, by less and less until
//   turns are short again; with each rest it grows again.
// - A turn that has gone on for `MAX_TURN_MS` lets in no more. Otherwise, at three times what can be done, each turn would be
//   three times as long as the one before, and the first samples would come too late.
// - While fewer than `maxWhenBusy` are in work or were refused in the last turn, all are let in. So as many clients, each
//   with one request at a time, are never refused, however hard they drive it.
// - A request is in work until its answer begins: a reader who takes an hour over a long range keeps nobody out. While its body
//   is being received it is not: a device on a slow line keeps nobody out either.
// - Requests that are answered at once (401, OPTIONS, prepared answers) are never in work when another one is admitted, so those
//   admitted in the same event-loop iteration count as well.
// - Requests with a token that was verified before have a share of their own, so that a flood of forged ones, each in work
//   while its signature is verified, keeps none of them out. The cache of tokens is asked only when others would be refused.
// - Requests without a token are counted apart from the others, and fewer of them are always admitted: a flood of them has
//   no effect on which of the others are. A browser's preflights are counted apart from both, because a web app cannot read
//   the refusal of one: a few in each iteration always pass.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { overloaded } from '../../refusal.ts'
import { bodyOf, RETRY_AFTER_SECONDS } from '../answers/errors.ts'
import { requestIdOf } from '../header-parts.ts'

const SAMPLE_MS = 5
const RESTED_BELOW = 0.95
const RESTLESS_SAMPLES = 2
const LONG_TURN_MS = 3
const MAX_TURN_MS = 5
const LEAST_IN_WORK = 16
/** What requests without a token get of `maxWhenBusy`. */
const SHARE_WITHOUT_TOKEN = 1 / 4
const MOST_IN_WORK = 1_000_000
const TELL_EVERY_MS = 1_000

export type DoorSettings = {
  maxWhenBusy: number
  corsOrigins: string[]
  /** Where refusals are counted. */
  refusals: { Overloaded: number }
  /** Hears, at most once a second, how many were refused since it last heard. */
  onRefused: (count: number) => void
  /** Whether the token of this Authorization header was verified before. */
  isKnown?: (authorization: string) => boolean
  loop?: Loop
}

type Loop = {
  now: () => number
  /** How much of the time since it was last asked the loop was not waiting. */
  utilization: () => number
  atEndOfTurn: (act: () => void) => void
}

type InWork = { isInWork: boolean; isKnown?: boolean }

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export function createDoor(settings: DoorSettings) {
  const {
    maxWhenBusy,
    corsOrigins,
    refusals,
    onRefused,
    isKnown = () => false,
    loop = watchLoop(),
  } = settings
  let inWork = 0
  let knownInWork = 0
  let mostInWork = MOST_IN_WORK
  let restless = 0
  let sampledAt = loop.now()
  let turnBegan = 0
  let isInTurn = false
  const withToken = createTally(maxWhenBusy)
  const known = createTally(maxWhenBusy)
  const withoutToken = createTally(Math.ceil(maxWhenBusy * SHARE_WITHOUT_TOKEN))
  const preflights = createTally(withoutToken.alwaysAdmitted)
  let untold = 0

  function beginTurn() {
    isInTurn = true
    turnBegan = loop.now()
    loop.atEndOfTurn(endTurn)
  }

  function endTurn() {
    const now = loop.now()
    isInTurn = false
    const served = servedInTurn()
    for (const tally of [withToken, known, withoutToken, preflights]) {
      tally.refusedBefore = tally.refused
      tally.refused = 0
      tally.admitted = 0
    }
    if (now - sampledAt < SAMPLE_MS) return
    sampledAt = now
    if (loop.utilization() < RESTED_BELOW) {
      restless = 0
      mostInWork = Math.min(MOST_IN_WORK, mostInWork * 1.1 + 1)
    } else if (++restless >= RESTLESS_SAMPLES && now - turnBegan > LONG_TURN_MS) {
      mostInWork = Math.max(LEAST_IN_WORK, 0.7 * Math.min(mostInWork, served))
    }
  }

  const servedInTurn = () =>
    Math.max(inWork, withToken.admitted + known.admitted + withoutToken.admitted + preflights.admitted)

  function tallyOf({ method, headers }: IncomingMessage): Tally {
    if (method === 'OPTIONS') return preflights
    return headers.authorization === undefined ? withoutToken : withToken
  }

  function isOpen(own: Tally): boolean {
    const besides = own === preflights ? 0 : own === known ? knownInWork : inWork
    if (Math.max(besides, own.admitted) + own.refusedBefore < own.alwaysAdmitted) return true
    return servedInTurn() < mostInWork && loop.now() - turnBegan < MAX_TURN_MS
  }

  /** Answers 503 and does nothing else for a request. */
  function refuse(request: IncomingMessage, response: ServerResponse) {
    refusals.Overloaded++
    if (untold++ === 0) {
      setTimeout(() => {
        onRefused(untold)
        untold = 0
      }, TELL_EVERY_MS).unref()
    }
    sendOverloaded(request, response, corsOrigins)
  }

  /** Lets requests through to `answer`, or refuses them. */
  function guard(answer: Answer): Answer {
    return (request, response) => {
      if (!isInTurn) beginTurn()
      const { authorization } = request.headers
      let tally = tallyOf(request)
      if (tally === withToken && !isOpen(tally) && isKnown(authorization ?? '')) tally = known
      if (isOpen(tally)) {
        tally.admitted++
        answer(request, response)
      } else {
        tally.refused++
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

  /** The token of a request has turned out to be valid. */
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

  return { guard, refuse, begin, know, end }
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
    atEndOfTurn: setImmediate,
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
