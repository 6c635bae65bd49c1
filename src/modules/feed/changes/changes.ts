// GET readings/changes: every added, withdrawn and restored reading and every erasure, of all patients, for services that keep
// a copy or react. It is a sequence of present states: a reading that changes again moves to its new place, so that a consumer
// always ends with what is true now.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { refuseLate } from '../../../db/refuse-late.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { cursorParameter } from '../../../http/pages.ts'
import type { SigningKey } from '../../../http/tokens/issuer-keys.ts'
import { tokenIsInvalid } from '../../../http/tokens/tokens.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { STORED_SYMPTOM } from '../../casesheet/get/stored-examples.ts'
import { ReadingType } from '../../casesheet/reading.ts'
import type { Key } from './change-history.ts'
import type { FeedDelay } from './feed-delay.ts'
import { feedCursorOf, feedPositionOf } from './feed-position.ts'
import { type ChangesPage, type ChangesRequest, createReadChanges, type Start } from './read-changes.ts'
import { type TimeLimit, withinLimit } from './time-limit.ts'
import { createWaitingRequests } from './waiting-requests.ts'
import { type ChangeWatch, ERASURE } from './watch-changes.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
const MAX_WAIT_S = 30
/** How long a request that was woken at the end of its wait may still read. */
const READ_AFTER_WAIT_MS = 5_000
/** With less time left, nothing is read. */
const MIN_READ_MS = 250
/** How soon a request that waits notices that the key of its token was withdrawn. */
const LOOK_AT_KEY_MS = 1_000
/** When a request with the longest wait is answered at the latest, unless the deadline of requests is longer. */
export const MAX_HELD_MS = MAX_WAIT_S * 1_000 + READ_AFTER_WAIT_MS

const EXAMPLE_CURSOR = feedCursorOf({
  generation: '2c4b63a1-58f2-4a7e-9a53-0d3c5be6c1aa',
  timeline: 1,
  lsn: '0/1A2B3C4D',
  xid: '7421',
  id: STORED_SYMPTOM.readingId,
})

const ChangesQuery = Type.Object(
  {
    cursor: cursorParameter(EXAMPLE_CURSOR),
    start: Type.Optional(
      Type.Enum(['now'], {
        description:
          'Instead of a cursor: begin with what changes from now on. Without both, from the first change.',
        ...exampleBeside('now'),
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Maximum number of changes. A page of large readings may hold fewer.',
        examples: [DEFAULT_LIMIT],
        'x-mustBe': `a whole number from 1 to ${MAX_LIMIT}`,
      }),
    ),
    readingType: Type.Optional(
      Type.Array(ReadingType, {
        maxItems: 50,
        description:
          'Only readings of this type, and every erasure; may be repeated. The cursor moves past the others, so that a page may be ' +
          'empty. Changes of a type that is added later are given from that cursor on.',
        ...exampleBeside(['heartRate']),
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_S,
        description: 'Seconds to hold the answer until something changes, where there is nothing yet.',
        'x-mustBe': `a whole number from 0 to ${MAX_WAIT_S}`,
        ...exampleBeside(20),
      }),
    ),
  },
  { additionalProperties: false },
)
type ChangesQuery = Static<typeof ChangesQuery>

const MESSAGE = 'Changes obtained successfully.'

const ReadingChange = Type.Object(
  {
    state: Type.Enum(['present', 'withdrawn'], { type: 'string' }),
    reading: Type.Unsafe({ $ref: 'StoredReading#' }),
  },
  {
    additionalProperties: false,
    description: 'A reading that was added, withdrawn or restored, as it is now.',
  },
)
const ErasureChange = Type.Object(
  {
    state: Type.Enum(['erased'], { type: 'string' }),
    patientUid: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'The patient whose readings are to be removed; null once the time for announcing it is over.',
    }),
    erasedAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false, description: 'A patient of whom everything was removed.' },
)

export const Change = Type.Unsafe({ $id: 'Change', anyOf: [ReadingChange, ErasureChange] })

const ChangesAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe({ $ref: 'Change#' })),
    nextCursor: Type.String({ description: 'Where to go on. Keep it with what you made of the changes.' }),
    hasMore: Type.Boolean({
      description:
        'Whether more changes are there already. A page may be empty although there are: changes of other types than those asked ' +
        'for are left out.',
    }),
    heldBackSeconds: Type.Integer({
      minimum: 0,
      description:
        'How long a transaction that stays open in the database cluster has held back the changes committed since it began, as ' +
        'far as the answering process has seen; 0 when nothing is held back. It tells a late sequence from a quiet one.',
    }),
  },
  {
    additionalProperties: false,
    description: 'Changes, in an order in which nothing can appear behind a cursor.',
    examples: [
      {
        code: 'Ok',
        message: MESSAGE,
        data: [{ state: 'present', reading: STORED_SYMPTOM }],
        nextCursor: EXAMPLE_CURSOR,
        hasMore: false,
        heldBackSeconds: 0,
      },
    ],
  },
)

export const changesContract = {
  tags: ['casesheet'],
  operationId: 'followChanges',
  summary: 'Follow the changes of all readings',
  description:
    'For services with the scope for it. Each change is given once, in its present state: a reading that changes again moves to ' +
    'its new place. A change is given when no transaction older than its own is running, usually within milliseconds of its ' +
    'commit. Every patient of a page gets a row in the access log before the page is sent. 410 CursorExpired: the database was ' +
    'restored to an earlier state, or copied; begin again without a cursor.',
  querystring: ChangesQuery,
  response: {
    // Sent as text, made of the stored texts.
    200: Type.Unsafe<string>(ChangesAnswer),
    ...errorAnswers(
      () => checkFor(ChangesQuery)({ limit: 0 }),
      'InvalidCursor',
      'ScopeMissing',
      'CursorExpired',
    ),
  },
}

/** `isGone` is aborted when the client disconnects; `pause` and `resume` say that the request waits for nothing of ours. */
export type Consumer = {
  readBy: string
  requestId: string
  /** Of its token. */
  signingKey: SigningKey
  isGone: AbortSignal
  pause: () => void
  resume: () => void
}

/** Answers, as JSON. */
export function createChanges(db: Db, watch: ChangeWatch, delay: FeedDelay) {
  const readChanges = createReadChanges(db, delay)
  const requests = createWaitingRequests(Math.min(db.maxWhenBusy, db.maxWaiting))
  let waiting = 0
  let answeredAt = -Infinity
  db.metrics.gauge(
    { name: 'rounds_changes_long_polls', help: 'Requests of readings/changes that wait for a change.' },
    () => waiting,
  )

  async function readPage(request: ChangesRequest, consumer: Consumer, time: TimeLimit) {
    consumer.pause()
    const page = await requests.readInOrder(consumer.readBy, time.isOver, async () => {
      // Requests that were queued together also end together: each of them would begin to read, and be late.
      if (time.leftMs() < MIN_READ_MS) throw refuseLate(time.beganAt, answeredAt)
      // It may have waited for long, and must not be shown what its token would no longer be.
      if (!consumer.signingKey.isTrusted()) throw tokenIsInvalid('unknownKey')
      consumer.resume()
      const read = await readChanges(request, time.leftMs())
      answeredAt = performance.now()
      return read
    })
    if (page === 'lost') throw cursorExpired()
    return page
  }

  /** Reads again whenever something has changed, until there is something to show or the wait is over. */
  async function readWhenChanged(
    request: ChangesRequest & { waitMs: number },
    consumer: Consumer,
    time: TimeLimit,
  ): Promise<ChangesPage> {
    let { start } = request
    const waitIsOver = AbortSignal.any([AbortSignal.timeout(request.waitMs), time.isOver, watch.closed])
    let hasChanged = Promise.withResolvers<void>()
    const wake = () => hasChanged.resolve()
    const wakeIfAsked = (_keys: Key[], kinds: ReadonlySet<string>) => {
      if (isAskedFor(request.readingTypes, kinds)) wake()
    }
    const lookAtKey = setInterval(() => consumer.signingKey.isTrusted() || wake(), LOOK_AT_KEY_MS)
    let unlisten = () => {}
    try {
      unlisten = await watch.listen({ onChanges: wakeIfAsked, onReset: wake })
      waitIsOver.addEventListener('abort', wake, { once: true })
      for (;;) {
        hasChanged = Promise.withResolvers<void>()
        const page = await readPage({ ...request, start }, consumer, time)
        // A page may be empty although there are more changes: those of other types are left out.
        if (page.count > 0 || page.hasMore || waitIsOver.aborted) return page
        // The next page begins where this one did, also where that was "now".
        start = page.position
        consumer.pause()
        waiting++
        await hasChanged.promise
        waiting--
        // Nothing was found: there is no reason to read, and the time for it is over.
        if (waitIsOver.aborted && consumer.signingKey.isTrusted()) return page
      }
    } finally {
      clearInterval(lookAtKey)
      unlisten()
    }
  }

  return async (query: ChangesQuery, consumer: Consumer): Promise<string> => {
    const { limit = DEFAULT_LIMIT, readingType, wait = 0 } = query
    const { readBy, requestId, isGone } = consumer
    const readingTypes = readingType ? [...new Set(readingType)] : null
    const request = { start: startOf(query), limit, readingTypes, readBy, requestId, waitMs: wait * 1_000 }
    const read = wait > 0 ? readWhenChanged : readPage
    const limitMs = wait > 0 ? Math.max(db.deadlineMs, request.waitMs + READ_AFTER_WAIT_MS) : db.deadlineMs
    const leave = requests.enter(readBy)
    const beganAt = performance.now()
    const limits = { limitMs, isGone, refuseLate: () => refuseLate(beganAt, answeredAt) }
    const page = await withinLimit(limits, (time) => read(request, consumer, time).finally(leave))
    const nextCursor = feedCursorOf(page.position)
    return `{"code":"Ok","message":"${MESSAGE}","data":[${page.items}],"nextCursor":"${nextCursor}","hasMore":${page.hasMore},"heldBackSeconds":${delay.heldBackSeconds() ?? 0}}`
  }
}

function startOf({ cursor, start }: ChangesQuery): Start {
  if (cursor === undefined || start === undefined) return feedPositionOf(cursor) ?? start ?? 'beginning'
  throw refuseFields([{ pointer: '/start', message: 'must be left out where there is a cursor' }])
}

/** Whether there is an erasure among these kinds of changes, or a reading of a type that is asked for. */
function isAskedFor(readingTypes: string[] | null, kinds: ReadonlySet<string>): boolean {
  return readingTypes === null || kinds.has(ERASURE) || readingTypes.some((type) => kinds.has(type))
}

function cursorExpired(): Refusal {
  return new Refusal(
    'CursorExpired',
    'The database no longer holds the history that this cursor belongs to. Begin again without a cursor.',
  )
}
